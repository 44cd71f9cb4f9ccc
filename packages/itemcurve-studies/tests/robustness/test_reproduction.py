"""One small run of the whole study."""

import pytest

from itemcurve_studies.robustness.reproduction import reproduce_robustness


@pytest.mark.slow
def test_the_quick_study_judges_every_claim(shared_data, tmp_path):
    lines = []
    found = reproduce_robustness(
        shared_data, seeds=1, quick=True, report=lines.append, work=tmp_path
    )
    claims = found.tables["claims"].set_index("claim")
    assert claims.index.tolist() == [f"R{number}" for number in range(1, 20)]
    assert claims.loc["R17", "verdict"] == "holds"
    # The run that decides by the paper's protocol is larger; what this one found stands there.
    small = claims[claims["paper_verdict"] == "not run"]
    assert small.index.tolist() == ["R1", "R2", "R3", "R4", "R5", "R13", "R14", "R15"]
    assert small["paper_measured"].str.startswith("so far, 6 of 22 data sets, ").all()
    assert small["paper_measured"].str.contains("by these: ").all()
    assert "paired over data sets" in claims.loc["R13", "interval"]
    assert len(found.tables["table_3"]) > 6
    assert any("min left" in line for line in lines)
    found.save(tmp_path / "out")
    assert (tmp_path / "out" / "figure_8_taxonomy.png").exists()


@pytest.mark.slow
def test_without_data_sets_the_drawn_shapes_are_judged(tmp_path):
    lines = []
    found = reproduce_robustness(tmp_path, seeds=1, quick=True, report=lines.append)
    assert "22 of 22 files are missing" in lines[0]
    claims = found.tables["claims"].set_index("claim")
    assert claims.loc["R18", "verdict"] != "cannot be tested"
    assert (claims.drop(index="R18")["verdict"] == "cannot be tested").all()
    found.save(tmp_path / "out")
