import numpy as np
import pytest

from itemcurve_studies.gamma import polynomial as gamma_polynomial
from itemcurve_studies.gamma.evidence import is_above, judge_both, slopes
from itemcurve_studies.gamma.model_claims import judge_model
from itemcurve_studies.gamma.polynomial import run_polynomial
from itemcurve_studies.gamma.regressors import METHODS, RESPONDENTS, fit_errors, predict_all
from itemcurve_studies.gamma.reproduction import reproduce_gamma


def test_the_identities_of_the_model_hold():
    assert {claim.verdict for claim in judge_model()} == {"holds"}


def test_a_claim_holds_when_it_does_by_both_methods():
    assert judge_both([True, True]) == "holds"
    assert judge_both([True, False]) == "holds in part"
    assert judge_both([False, False]) == "does not hold"


def test_slopes_are_those_of_lines():
    levels = np.linspace(0, 1, 5)
    found = slopes(np.stack([2 * levels, 1 - levels]), levels)
    np.testing.assert_allclose(found, [2.0, -1.0])
    assert is_above([1.0, 1.1, 0.9])
    assert not is_above([1.0, -1.1, 0.9])


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (80, 1))
    y = x[:, 0] ** 3
    return fit_errors(predict_all(x[:60], y[:60], x[60:], 0), y[60:])


def test_references_lie_at_both_ends(fitted):
    for abilities in fitted.abilities:
        order = [RESPONDENTS[place] for place in np.argsort(abilities)]
        assert order[-1] == "Optimal"
        assert "Worst" in order[:3]
    assert fitted.abilities.shape == (len(METHODS), 13)
    assert fitted.errors[RESPONDENTS.index("Average")] == pytest.approx(1.0, abs=0.01)


def test_a_finished_data_set_is_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr(gamma_polynomial, "SIGMAS", np.array([0.0, 0.5]))
    first = run_polynomial(1, lambda line: None, tmp_path)
    monkeypatch.setattr(gamma_polynomial, "predict_all", None)
    again = run_polynomial(1, lambda line: None, tmp_path)
    assert (again.abilities == first.abilities).all()


@pytest.mark.slow
def test_the_study_judges_every_claim(shared_data, tmp_path):
    found = reproduce_gamma(shared_data, seeds=2, report=lambda line: None, work=tmp_path / "work")
    assert found.tables["claims"]["claim"].tolist() == [f"G{k}" for k in range(1, 21)]
    found.save(tmp_path)
    assert (tmp_path / "figure_9_variation.png").exists()
