"""Measurements never seen are inferred."""

from itemcurve_studies.adaptive.calibration import infer_unseen


def test_unseen_measurements_are_inferred_better_than_by_the_mean(small_table):
    found = infer_unseen(small_table, "auc", 1)
    assert all(errors[0] < found.sd for errors in found.rmse.values())
    assert 0 < found.floor < found.sd
