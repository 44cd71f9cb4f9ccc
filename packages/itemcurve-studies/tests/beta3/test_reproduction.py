"""A small run of the whole study."""

import pandas as pd
import pytest

from itemcurve_studies.beta3 import data as beta3_data
from itemcurve_studies.beta3.reproduction import reproduce_beta3

LEVELS = (0.0, 0.2, 0.4, 0.5)


@pytest.mark.slow
def test_the_study_runs_without_any_data_and_resumes(tmp_path, monkeypatch):
    monkeypatch.setattr(beta3_data, "SYNTHETIC_SIZE", 60)
    lines = []
    given = {"quick": True, "report": lines.append, "work": tmp_path / "work"}
    first = reproduce_beta3(tmp_path / "none", **given)
    assert first.notes["levels"] == str(LEVELS)
    assert any("MNIST is skipped" in line for line in lines)
    assert first.tables["claims"]["claim"].tolist() == [f"B{n}" for n in range(1, 18)]
    again = reproduce_beta3(tmp_path / "none", **given)
    pd.testing.assert_frame_equal(again.tables["claims"], first.tables["claims"])
    first.save(tmp_path / "out")
    assert (tmp_path / "out" / "figure_8_moons.png").exists()
    assert (tmp_path / "out" / "claims.md").read_text().count("\n") == 2 + 17
