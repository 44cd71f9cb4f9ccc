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
    assert lines[0].startswith("MNIST (claims B9 to B15): 2 of 2 files are missing")
    assert first.notes["skipped"][0].startswith("MNIST is skipped")
    claims = first.tables["claims"]["claim"]
    numbers = [int(name.split()[0][1:]) for name in claims]
    assert sorted(set(numbers)) == list(range(1, 18))
    assert [name for name in claims if "reversed" in name] == [
        "B3 δ reversed",
        "B4 δ reversed",
        "B6 δ reversed",
    ]
    again = reproduce_beta3(tmp_path / "none", **given)
    pd.testing.assert_frame_equal(again.tables["claims"], first.tables["claims"])
    first.save(tmp_path / "out")
    assert (tmp_path / "out" / "figure_8_moons.png").exists()
    assert (tmp_path / "out" / "claims.md").read_text().count("\n") == 2 + 20
