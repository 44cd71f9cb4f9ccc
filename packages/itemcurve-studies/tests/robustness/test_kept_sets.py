"""A data set measured, kept, and read back without its trainings."""

from dataclasses import fields

import numpy as np
import pytest

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve_studies.robustness import experiment
from itemcurve_studies.robustness.size import Size


@pytest.mark.slow
def test_a_finished_data_set_is_read_back_whole(loaded, tmp_path, monkeypatch):
    size = Size(None, 1, is_quick=True)
    first = experiment.measure_set(loaded, size, tmp_path)
    monkeypatch.setattr(experiment, "_put_together", None)
    again = experiment.measure_set(loaded, size, tmp_path)
    np.testing.assert_array_equal(again.difficulty, first.difficulty)
    assert list(again.summary) == list(first.summary)
    np.testing.assert_array_equal(list(again.summary.values()), list(first.summary.values()))
    for name in ("curves", "paper_curves"):
        for field in fields(SystemCurves):
            ours, theirs = (getattr(getattr(one, name), field.name) for one in (again, first))
            np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))
    # The paper's curves leave out instances that all or none of the pool answer right.
    assert (first.paper_curves.bins[~first.is_varied] == -1).all()
    assert (first.curves.bins >= 0).all()
    assert sum(path.stat().st_size for path in (tmp_path / "parts").iterdir()) < 60_000
