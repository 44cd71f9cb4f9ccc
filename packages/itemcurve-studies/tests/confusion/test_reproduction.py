"""A small run of the whole study."""

import pandas as pd
import pytest

from itemcurve_studies.confusion.reproduction import reproduce_confusion


@pytest.mark.slow
def test_the_study_runs_on_a_small_pool_and_resumes(shared_data, tmp_path):
    lines = []
    first = reproduce_confusion(shared_data, seeds=3, report=lines.append, work=tmp_path / "work")
    claims = first.tables["claims"].set_index("claim")
    assert claims.index.tolist() == [f"C{number}" for number in range(1, 18)]
    assert claims["verdict"][["C5", "C9"]].tolist() == ["holds", "holds"]
    again = reproduce_confusion(shared_data, seeds=3, report=lines.append, work=tmp_path / "work")
    pd.testing.assert_frame_equal(again.tables["claims"], first.tables["claims"])
    assert len(first.pictures) == 7
