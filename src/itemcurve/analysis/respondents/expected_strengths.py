"""Where a respondent does better or worse than the model of all expects: group by group."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.analysis.respondents.paired_differences import adjust_p_values
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
_SURE = 0.05
_LEVEL = 0.9


@dataclass(frozen=True, eq=False)
class ExpectedStrengths:
    """Mean response of every respondent on every group, beside what its ability lets expect.

    Attributes
    ----------
    observed, expected : means over the items answered (respondents × groups); NaN without any.
    errors : standard error of the difference, under the model.
    counts : answers.
    """

    respondents: tuple[str, ...]
    groups: tuple[str, ...]
    observed: Floats
    expected: Floats
    errors: Floats
    counts: Floats

    def frame(self, respondent: str) -> "pandas.DataFrame":
        """One row per group that it answered, the weakest first.

        `against_expected` is observed less expected, with a 90 % interval; `p_adjusted` is Holm's
        over the groups; `verdict` is weaker, stronger or nothing.
        """
        import pandas
        from scipy.special import ndtr, ndtri

        row = self.respondents.index(respondent)
        kept = np.flatnonzero(self.counts[row] > 0)
        gap = (self.observed - self.expected)[row, kept]
        errors = np.maximum(self.errors[row, kept], 1e-12)
        p_values = adjust_p_values(2 * ndtr(-np.abs(gap) / errors), "holm")
        reach = float(ndtri(0.5 + _LEVEL / 2)) * errors
        side = np.where(gap < 0, "weaker", "stronger")
        table = pandas.DataFrame(
            {
                "group": [self.groups[place] for place in kept],
                "answers": self.counts[row, kept].astype(int),
                "observed": self.observed[row, kept],
                "expected": self.expected[row, kept],
                "against_expected": gap,
                "lower": gap - reach,
                "upper": gap + reach,
                "p_adjusted": p_values,
                "verdict": np.where(p_values < _SURE, side, ""),
            }
        )
        return table.sort_values("against_expected", kind="stable", ignore_index=True)


def expected_strengths(fit: FitResult, groups: dict[str, str]) -> ExpectedStrengths:
    """Compare responses with what the fit expects of each respondent, by group of items.

    With residuals y − E[y] of variance v, the difference of means over a group of n answers has
    standard error √Σv / n: that of the answers, the ability taken as known. Abilities are fitted
    to all answers, so that differences over all groups sum to about nothing.

    Parameters
    ----------
    groups : group by item; items of none are left out.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=100, items=20, seed=1).responses)
    >>> halves = {item: "ab"[place % 2] for place, item in enumerate(fit.responses.items)}
    >>> expected_strengths(fit, halves).frame(fit.responses.respondents[0])["group"].size
    2
    """
    names = tuple(dict.fromkeys(groups[item] for item in fit.responses.items if item in groups))
    if not names:
        raise ModelError(
            "Strengths are told by groups of items;",
            "no item of the fit has one.",
            "Give a group by the name of each item.",
        )
    places = {name: place for place, name in enumerate(names)}
    own = np.array([places.get(groups.get(item, ""), -1) for item in fit.responses.items])
    shape = (fit.responses.shape[0], len(names))
    gaps, variances, counts, sums = (np.zeros(shape) for _ in range(4))
    for block in iterate_residuals(fit):
        here = own[block.columns.start : block.columns.stop]
        member = (here[:, np.newaxis] == np.arange(len(names))).astype(float)
        is_seen = (block.weight > 0).astype(float)
        gaps += (block.raw * is_seen) @ member
        variances += (block.variance * is_seen) @ member
        counts += is_seen @ member
        values = fit.responses.take(None, list(block.columns)).array()
        sums += np.nan_to_num(values) @ member
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, gap, errors = sums / counts, gaps / counts, np.sqrt(variances) / counts
    return ExpectedStrengths(
        tuple(fit.responses.respondents), names, observed, observed - gap, errors, counts
    )
