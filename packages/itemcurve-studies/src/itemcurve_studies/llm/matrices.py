"""Response matrices of language models, and which models and items play which part."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.study.data_files import find_data

PROTOCOLS = ("random", "better")
N_ASKED = 50
_MISSING = 255


def read_matrices(data: Path) -> Mapping[str, NDArray[np.float64]]:
    """Read the response matrices, without items that some model did not answer.

    Parameters
    ----------
    data : folder with `data/llm/*.npz` (models × items, 0 and 1, 255 for missing).
    """
    found = {}
    for path in find_data(data, "llm/*.npz", "response matrices of language models"):
        with np.load(path, allow_pickle=False) as arrays:
            responses = arrays["R"]
        kept = (responses != _MISSING).all(axis=0)
        found[path.stem.removeprefix("benchpred_")] = responses[:, kept].astype(float)
    return found


def split(
    matrix: NDArray[np.float64], protocol: str, seed: int
) -> tuple[NDArray[np.int_], NDArray[np.int_], NDArray[np.int_]]:
    """Calibration models, target models and items asked."""
    rng = np.random.default_rng([seed, PROTOCOLS.index(protocol)])
    n_models, n_items = matrix.shape
    if protocol == "random":
        order = rng.permutation(n_models)
        held = round(0.25 * n_models)
        sources, targets = order[held:], order[:held]
    else:
        order = np.argsort(matrix.mean(axis=1), kind="stable")
        sources, targets = order[: n_models // 2], order[n_models - round(0.3 * n_models) :]
    asked = rng.choice(n_items, N_ASKED, replace=False)
    return np.sort(sources), np.sort(targets), asked
