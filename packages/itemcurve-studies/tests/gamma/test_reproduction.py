"""A small run of the whole study, with and without data."""

import pytest

from itemcurve_studies.gamma import paper_protocol
from itemcurve_studies.gamma.reproduction import reproduce_gamma


@pytest.fixture
def short(monkeypatch):
    """Algorithm 1 in ten rounds: what it finds is not what is tested."""
    monkeypatch.setattr(
        paper_protocol, "Stochastic", lambda seed: paper_protocol_method(seed=seed, rounds=10)
    )


def paper_protocol_method(**settings):
    from itemcurve.methods import Stochastic

    return Stochastic(**settings)


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_the_study_judges_every_claim_twice(shared_data, tmp_path):
    found = reproduce_gamma(shared_data, seeds=2, report=lambda line: None, work=tmp_path / "work")
    claims = found.tables["claims"].set_index("claim")
    assert claims.index.tolist() == [f"G{k}" for k in range(1, 21)]
    # Of 21 levels three are run when repetitions are few; two claims need all.
    not_run = claims.index[claims["paper_verdict"] == "not run"].tolist()
    assert not_run == ["G15", "G16"]
    found.save(tmp_path)
    assert (tmp_path / "figure_9_variation.png").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_without_the_houses_the_polynomial_is_run(tmp_path, monkeypatch):
    lines = []
    found = reproduce_gamma(tmp_path, seeds=2, report=lines.append)
    assert lines[0].startswith("Real Estate (claims G17 to G20): 1 of 1 files is missing")
    claims = found.tables["claims"].set_index("claim")
    assert set(claims.loc[["G17", "G18", "G19", "G20"], "verdict"]) == {"cannot be tested"}
    assert claims.loc["G1", "verdict"] == "holds"
    assert "real_estate" not in found.tables
    found.save(tmp_path / "out")
