"""Rows parted several times: each time otherwise, whatever the seed."""

import numpy as np

from itemcurve.evaluation.collecting.splits import cross_validate


def parted(seed):
    """Which rows each fold of each repetition predicts."""
    rows = np.arange(60.0)[:, None]
    split = cross_validate(rows, np.arange(60) % 2, 3, is_stratified=True, seed=seed, repeats=3)
    return {(fold.repeat, tuple(sorted(fold.rows.tolist()))) for fold in split.folds}


def test_neighbouring_seeds_share_no_folds():
    folds = [{places for _, places in parted(seed)} for seed in (0, 1, 2)]
    assert all(len(own) == 9 for own in folds)
    assert len(set().union(*folds)) == 27
    assert parted(0) == parted(0)
