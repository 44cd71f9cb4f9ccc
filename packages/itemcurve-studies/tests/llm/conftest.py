"""Matrices in the layout of the published ones."""

import numpy as np
import pytest

import itemcurve as ic


@pytest.fixture
def folder(tmp_path):
    """Two matrices in the layout of the published ones, one cell missing."""
    target = tmp_path / "data" / "llm"
    target.mkdir(parents=True)
    for seed in (1, 2):
        matrix = ic.simulate("2pl", respondents=24, items=90, seed=seed).responses.array()
        packed = matrix.astype(np.uint8)
        packed[0, 5] = 255
        np.savez(target / f"benchpred_toy{seed}.npz", R=packed)
    return tmp_path
