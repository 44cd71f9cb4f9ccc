"""Trainings in pieces: put together they are what the whole gives."""

from dataclasses import fields

import numpy as np
import pytest

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.evaluation.difficulty.instance_difficulty import estimate_difficulty
from itemcurve.evaluation.difficulty.robustness import system_curves
from itemcurve.evaluation.pools.pool import Pool
from itemcurve_studies.robustness import experiment
from itemcurve_studies.robustness.calibration_pool import calibration_pool
from itemcurve_studies.robustness.families import robust_families
from itemcurve_studies.robustness.pieces import trainings
from itemcurve_studies.robustness.size import Size
from itemcurve_studies.study.finished_parts import FinishedParts

SIZE = Size(None, 1, is_quick=True)


@pytest.mark.slow
def test_pieces_put_together_are_the_whole(loaded, tmp_path):
    ours = experiment.measure_set(loaded, SIZE, tmp_path)
    settings = {"cv": 3, "prepare": "always"}
    pool = calibration_pool(1, 4, is_quick=True)
    whole = estimate_difficulty(loaded.X, loaded.y, pool, on_failure="ignore", **settings)
    np.testing.assert_array_equal(ours.difficulty, whole.values)
    np.testing.assert_array_equal(list(ours.summary.values()), list(whole.summary().values()))
    families = robust_families(4, quick=True)
    for curves, difficulty in (
        (ours.curves, whole),
        (ours.paper_curves, np.where(ours.is_kept, ours.difficulty, np.nan)),
    ):
        theirs = system_curves(
            families, loaded.X, loaded.y, difficulty=difficulty, name="toy", **settings
        )
        for field in fields(SystemCurves):
            if field.name != "complexity":
                np.testing.assert_array_equal(
                    np.asarray(getattr(curves, field.name)),
                    np.asarray(getattr(theirs, field.name)),
                )


def test_of_twins_one_is_trained_and_all_are_in_the_pool(loaded, tmp_path, monkeypatch):
    drawn = calibration_pool(3, 4)
    names = ("Decision tree 0", "Support vectors 1", "Support vectors 2", "Decision tree 1")
    pool = Pool(names, tuple(drawn.estimators[drawn.names.index(name)] for name in names))
    monkeypatch.setattr(trainings, "_pool", lambda kind, size, attributes: pool)
    monkeypatch.setattr(trainings, "run_tasks", _run_here)
    found = trainings.estimate_from_pieces(loaded, SIZE, FinishedParts(tmp_path))
    assert len(list(tmp_path.rglob("pool-*.npz"))) == 3
    whole = estimate_difficulty(loaded.X, loaded.y, pool, cv=3, prepare="always")
    assert found.fit.responses.respondents == names
    np.testing.assert_array_equal(found.values, whole.values)


def _run_here(tasks, jobs):
    """Run them in this process, where a pool that stands for the study's is known."""
    return [call(*given, **named) for call, given, named in tasks]


class _Refusing:
    """A classifier that cannot be trained."""

    def fit(self, X, y):
        raise ValueError("no")

    def predict(self, X):
        return X


def test_a_classifier_that_fails_is_left_out_with_its_reason(loaded, tmp_path, monkeypatch):
    small = calibration_pool(1, 4, is_quick=True)
    pool = Pool(("Refusing", *small.names[4:6]), (_Refusing(), *small.estimators[4:6]))
    monkeypatch.setattr(trainings, "_pool", lambda kind, size, attributes: pool)
    monkeypatch.setattr(trainings, "run_tasks", _run_here)
    with pytest.warns(match="failed and are left out"):
        found = trainings.estimate_from_pieces(loaded, SIZE, FinishedParts(tmp_path))
    assert found.fit.responses.respondents == pool.names[1:]
    assert [one.respondent for one in found.failures] == ["Refusing"]
    assert "no" in found.failures[0].reason
