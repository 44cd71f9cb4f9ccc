"""What several cross-validations of the same respondents say of the same labels, joined.

Where folds fall decides which rows a respondent has seen, and a row at the border is wrong for sure
in one cross-validation and right for sure in the next. The geometric mean of what they say,

    q̄_ik ∝ Π_s q_iks^(1/S),

finds more wrong labels and blames fewer right ones than any single one (`docs/audit.md`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.labels.label_noise import LabelNoise

Floats = NDArray[np.float64]
# No single cross-validation may rule a class out for all.
_FLOOR = 1e-6


def join_noise(found: Sequence[LabelNoise]) -> LabelNoise:
    """Give one verdict of several, with those of each alone in `each`.

    Parameters
    ----------
    found : of the same labels, the first being that of the predictions that are shown.
    """
    first = found[0]
    if len(found) == 1:
        return first
    gain = float(np.mean([one.gain for one in found]))
    return replace(
        first,
        posterior=_pool([one.posterior for one in found]),
        pooled=_pool([one.pooled for one in found]),
        matrix=np.mean([one.matrix for one in found], axis=0),
        gain=gain,
        each=tuple(found),
    )


def _pool(parts: Sequence[Floats]) -> Floats:
    """Geometric mean of probabilities (items × classes), which sum to 1 again."""
    logs = np.mean([np.log(np.maximum(part, _FLOOR)) for part in parts], axis=0)
    raised = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
