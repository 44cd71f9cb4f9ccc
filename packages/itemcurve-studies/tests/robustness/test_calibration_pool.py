"""Who says what is hard."""

from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve_studies.robustness.calibration_pool import calibration_pool


def test_the_quick_pool_leaves_out_what_is_slow():
    assert len(calibration_pool(3, 10, is_quick=True)) == 27
    assert len(calibration_pool(20, 10)) == 200


def test_boosting_keeps_the_rounds_and_attributes_drawn():
    drawn = dict(random_pool(50))
    found = dict(calibration_pool(5, 16))
    for name in (f"Gradient boosting {seed}" for seed in range(5)):
        assert found[name].max_iter == drawn[name].n_estimators
        share = {"sqrt": 0.25, "log2": 0.25, None: 1.0}[drawn[name].max_features]
        assert found[name].max_features == share
