"""Profiles of robustness: how κ changes from one share of noise, or bin, to the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas

Kind = Literal["dan", "dad", "dand"]


@dataclass(frozen=True, eq=False)
class KappaProfiles:
    """One row of differences of κ per respondent, averaged over data sets.

    Attributes
    ----------
    kind : `dan` across noise, `dad` across difficulty, `dand` both side by side.
    steps : what each column is, in words.
    values : respondents × steps.
    curves : where they come from.
    """

    kind: Kind
    respondents: tuple[str, ...]
    steps: tuple[str, ...]
    values: NDArray[np.float64]
    curves: tuple[SystemCurves, ...]

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, one column per step."""
        import pandas

        table = pandas.DataFrame(self.values, columns=list(self.steps))
        table.insert(0, "respondent", self.respondents)
        return table


def kappa_profiles(
    curves: SystemCurves | Sequence[SystemCurves], kind: Kind = "dand"
) -> KappaProfiles:
    """Give the profiles of all respondents (equations 5 to 7 of Fabra-Boluda et al.).

    A respondent is averaged over the data sets that have it.

    Parameters
    ----------
    curves : one per data set, with the same shares and number of bins.
    kind : `"dan"` differences of κ from each share of noise to the next, in each bin; `"dad"`
        from each bin to the next harder one, at each share; `"dand"` both.
    """
    given = (curves,) if isinstance(curves, SystemCurves) else tuple(curves)
    if kind not in ("dan", "dad", "dand"):
        raise EvaluationError(
            "Profiles are 'dan', 'dad' or 'dand';", f"given is {kind!r}.", "Use 'dand' if unsure."
        )
    _check_alike(given)
    shares, count = given[0].shares, given[0].n_bins
    names = tuple(dict.fromkeys(name for one in given for name in one.respondents))
    parts, steps = [], []
    if kind in ("dan", "dand"):
        parts.append(_mean_differences(given, names, axis=2))
        pairs = [f"{low:g}→{high:g}" for low, high in pairwise(shares)]
        steps += [f"bin {where + 1}, share {pair}" for where in range(count) for pair in pairs]
    if kind in ("dad", "dand"):
        parts.append(_mean_differences(given, names, axis=1))
        steps += [f"bin {b}→{b + 1}, share {share:g}" for b in range(1, count) for share in shares]
    return KappaProfiles(kind, names, tuple(steps), np.hstack(parts), given)


def _mean_differences(
    curves: tuple[SystemCurves, ...], names: tuple[str, ...], axis: int
) -> NDArray[np.float64]:
    """Differences along an axis of κ, flat per respondent, averaged over its data sets."""
    found = []
    for name in names:
        own = [
            np.diff(one.kappa, axis=axis)[one.respondents.index(name)].ravel()
            for one in curves
            if name in one.respondents
        ]
        found.append(np.mean(own, axis=0))
    return np.array(found)


def _check_alike(curves: tuple[SystemCurves, ...]) -> None:
    settings = {(one.shares, one.n_bins) for one in curves}
    if len(settings) != 1:
        raise EvaluationError(
            "Profiles need curves with the same shares and number of bins;",
            f"given are {len(curves)} curves with {len(settings)} settings.",
            "Run itemcurve.robustness with the same shares and bins on every data set.",
        )
