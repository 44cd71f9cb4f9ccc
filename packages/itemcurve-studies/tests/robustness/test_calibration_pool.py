"""Who says what is hard."""

import numpy as np
from sklearn.datasets import load_iris

from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.pools.random_pools import random_pool
from itemcurve_studies.robustness.calibration_pool import calibration_pool, find_twins


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


def test_twins_answer_the_same_and_only_useless_settings_part_them():
    pool = calibration_pool(20, 4)
    twins = find_twins(pool)
    assert tuple(twins) == pool.names
    apart = {name: twin for name, twin in twins.items() if name != twin}
    kinds = [name.rpartition(" ")[0] for name in apart]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "Support vectors": 15,
        "Linear discriminant": 17,
        "Nearest neighbours": 1,
    }
    X, y = load_iris(return_X_y=True)
    members = dict(pool)
    for name, twin in apart.items():
        both = [members[one].fit(X[::2], y[::2]).predict(X[1::2]) for one in (name, twin)]
        np.testing.assert_array_equal(*both)


def test_what_has_no_settings_is_nobody_s_twin():
    pool = Pool(("first", "second"), (object(), object()))
    assert find_twins(pool) == {"first": "first", "second": "second"}
