"""Whether a model describes the responses as a whole, and how far off it is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.model_fit.item_margins import (
    ItemMargins,
    check_margins,
    margin_slopes,
    margins_of,
    observed_grades,
)
from itemcurve.analysis.model_fit.limited_information import (
    ObservedMargins,
    QuadraticForm,
    observe,
    quadratic_form,
)
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

# Maydeu-Olivares and Joe (2014): errors that experts would call small, and those still to be borne.
_CLOSE, _FAIR = 0.05, 0.089
_LEVEL = 0.90


@dataclass(frozen=True)
class ModelFit:
    """How well a model as a whole describes the responses to single items and pairs of them.

    Attributes
    ----------
    test : `"M2"`, or `"C2"` where an item has more than two categories.
    statistic, degrees_of_freedom, p_value : chi-squared where the model holds. Of many respondents
        any model is found wrong, as none is exactly right: how far off it is tell the next.
    rmsea, rmsea_lower, rmsea_upper : misfit per degree of freedom, with its 90 % interval.
    srmsr : root mean square of what is left of the correlations between items.
    cfi, tli : how much of what holds items together the model explains; 1 is all of it.
    n_respondents, n_items : what was looked at.
    """

    test: str
    statistic: float
    degrees_of_freedom: int
    p_value: float
    rmsea: float
    rmsea_lower: float
    rmsea_upper: float
    srmsr: float
    cfi: float
    tli: float
    n_respondents: int
    n_items: int

    @property
    def verdict(self) -> str:
        """`"close"`, `"fair"` or `"poor"`, by the worse of RMSEA and SRMSR.

        Correlations of few respondents vary: what 1/N makes of SRMSR² alone is not held against the
        model.
        """
        left = max(self.srmsr**2 - 1.0 / self.n_respondents, 0.0) ** 0.5
        worst = max(self.rmsea, left)
        return "close" if worst <= _CLOSE else "fair" if worst <= _FAIR else "poor"

    def frame(self) -> "pandas.DataFrame":
        """One row."""
        import pandas

        return pandas.DataFrame([vars(self) | {"verdict": self.verdict}])

    def __str__(self) -> str:
        chance = "p < 0.001" if self.p_value < 0.001 else f"p = {self.p_value:.3f}"
        return (
            f"{self.test} = {self.statistic:,.2f} on {self.degrees_of_freedom:,} degrees of "
            f"freedom, {chance}; RMSEA {self.rmsea:.3f} (90 %: {self.rmsea_lower:.3f} to "
            f"{self.rmsea_upper:.3f}), SRMSR {self.srmsr:.3f}, CFI {self.cfi:.3f}, "
            f"TLI {self.tli:.3f}: {self.verdict} fit."
        )


@takes_evaluations
def model_fit(fit: FitResult, *, most_items: int = 100) -> ModelFit:
    """Test a model as a whole: does it explain how pairs of items go together?

    M2 of right and wrong answers, C2 of categories, with indices of how far off the model is.
    Responses may be missing, by design or by chance; where it depends on earlier answers who is
    asked what, as in adaptive tests, margins are biased and so is the test.

    Parameters
    ----------
    fit : by marginal likelihood over respondents.
    most_items : of more items, this many are looked at, spread evenly over the columns: the cost
        grows with their number to the sixth power.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=500, items=10, seed=1).responses)
    >>> ic.model_fit(fit).verdict
    'close'
    """
    _check(fit, most_items)
    columns = _chosen(fit, most_items)
    bank = fit.bank.take(np.array(columns))
    own = margins_of(bank)
    seen = observe(observed_grades(fit, bank, columns), own)
    found = quadratic_form(own, seen, margin_slopes(fit, bank, columns))
    if found.degrees < 1:
        raise ModelError(
            "A test of the whole model needs more margins than parameters.",
            f"{len(own.expected())} margins of {len(columns)} items meet "
            f"{len(own.expected()) - found.degrees} parameters.",
            "Use more items or a model with fewer parameters.",
        )
    return _indices(own, seen, found, fit.responses.shape[0])


def _check(fit: FitResult, most_items: int) -> None:
    if most_items < 3:
        raise ModelError(
            "A test of the whole model needs at least 3 items.",
            f"Got most_items={most_items}.",
            "Leave it out if unsure.",
        )
    check_margins(fit, "A test of the whole model")


def _chosen(fit: FitResult, most: int) -> list[int]:
    """Items that differ between respondents, at most so many of them."""
    varied = np.flatnonzero(~fit.item_ends.is_end(fit.responses.means(axis=0)))
    if len(varied) < 3:
        raise ModelError(
            "A test of the whole model needs at least 3 items that are not the same for all.",
            f"{len(varied)} of {len(fit.responses.items)} are.",
            "Use more items.",
        )
    places = np.unique(np.linspace(0, len(varied) - 1, min(most, len(varied))).astype(int))
    return [int(column) for column in varied[places]]


def _indices(
    own: ItemMargins, seen: ObservedMargins, found: QuadraticForm, respondents: int
) -> ModelFit:
    from scipy.stats import chi2

    value, degrees = found.statistic, found.degrees
    size = degrees * max(respondents - 1, 1)
    lower, upper = (
        float(np.sqrt(_noncentrality(value, degrees, share) / size))
        for share in ((1 + _LEVEL) / 2, (1 - _LEVEL) / 2)
    )
    first, second = own.pairs
    correlation = seen.correlation[first, second]
    shared = seen.counts[len(own.owner) :]
    known = np.isfinite(correlation) & (shared > 2)
    # Independent items: what is left of a pair beside its margins has variance V V'.
    null = float((shared * correlation**2)[known].sum())
    null_degrees = int(known.sum())
    gap = (correlation - _expected_correlation(own))[known]
    excess, null_excess = max(value - degrees, 0.0), null - null_degrees
    return ModelFit(
        test="C2" if own.grade.max() > 1 else "M2",
        statistic=value,
        degrees_of_freedom=degrees,
        p_value=float(chi2.sf(value, degrees)),
        rmsea=float(np.sqrt(excess / size)),
        rmsea_lower=lower,
        rmsea_upper=upper,
        srmsr=float(np.sqrt(np.mean(gap**2))),
        cfi=float(np.clip(1.0 - excess / max(null_excess, excess, 1e-12), 0.0, 1.0)),
        tli=(null / null_degrees - value / degrees) / (null / null_degrees - 1.0),
        n_respondents=respondents,
        n_items=own.n_items,
    )


def _expected_correlation(own: ItemMargins) -> Array:
    first, second = own.pairs
    mean = own.score @ own.weights
    spread = (own.variance + own.score**2) @ own.weights - mean**2
    both = own.expected()[len(own.owner) :]
    found = (both - mean[first] * mean[second]) / np.sqrt(spread[first] * spread[second])
    return np.asarray(found)


def _noncentrality(value: float, degrees: int, share: float) -> float:
    """The noncentrality at which the statistic is so far up its distribution; 0 if none is."""
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    if chi2.cdf(value, degrees) <= share:
        return 0.0
    high = max(value, 1.0)
    while ncx2.cdf(value, degrees, high) > share:
        high *= 2.0
    return float(brentq(lambda at: ncx2.cdf(value, degrees, at) - share, 1e-9, high))
