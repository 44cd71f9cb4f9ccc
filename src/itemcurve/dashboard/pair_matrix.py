"""Differences between the best respondents, pair by pair, on the items they share."""

from typing import Any

import numpy as np

from itemcurve.analysis.respondents.paired_differences import pair_scores
from itemcurve.estimation.result import FitResult
from itemcurve.reports.numbers import round_number

_MOST = 12
_MOST_CELLS = 20_000_000
_LEVEL = 0.9
_SURE = 0.05


def pair_matrix(fit: FitResult, names: list[str]) -> dict[str, Any] | None:
    """Compare mean responses of the best; None where one is alone or there is too much to read.

    Parameters
    ----------
    names : respondents, the best first.
    """
    known = [name for name in names if name in set(fit.responses.respondents)][:_MOST]
    if len(known) < 2 or len(known) * fit.responses.shape[1] > _MOST_CELLS:
        return None
    found = pair_scores(fit.responses.select(known).array())
    reach = np.broadcast_to(np.asarray(found.reach(_LEVEL)), found.errors.shape) * found.errors
    p_values = found.adjusted_p_values()
    return {
        "names": known,
        "level": _LEVEL,
        "items": int(found.n_items),
        "differences": _rounded(found.differences),
        "reach": _rounded(reach),
        "p_values": _rounded(p_values),
        "is_clear": (p_values < _SURE).tolist(),
    }


def _rounded(values: "np.typing.NDArray[np.float64]") -> list[list[float | int | None]]:
    return [[round_number(float(value)) for value in row] for row in values]
