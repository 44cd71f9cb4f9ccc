"""Item curves: what response to expect at each ability, how surely, and what was observed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.curves.ability_axis import AbilityAxis, ability_axis
from itemcurve.analysis.curves.observed_curves import ObservedCurves, observe_curves
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.families.support import Support
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.responses.ids import find_positions

if TYPE_CHECKING:
    import pandas

QUARTILES = (0.25, 0.5, 0.75)
_STEP = 1e-5


@dataclass(frozen=True, eq=False)
class ItemCurves:
    """Curves of some items at the points of an axis (points × items).

    Attributes
    ----------
    expected : E[y].
    lower, upper : ends of its interval, from the covariance of the item's parameters.
    quantiles : 25, 50 and 75 % of responses, of continuous responses only (3 × points × items).
    observed : mean responses of respondents along ability.
    support : the range of responses.
    """

    items: tuple[str, ...]
    axis: AbilityAxis
    expected: Array
    lower: Array
    upper: Array
    level: float
    quantiles: Array | None
    observed: ObservedCurves
    support: Support

    def frame(self) -> "pandas.DataFrame":
        """One row per item and point: item, ability, expected_response, lower, upper, quantiles."""
        import pandas

        points = self.axis.shown(self.axis.points)
        columns = {
            "item": np.repeat(np.array(self.items, dtype=object), len(points)),
            "ability": np.tile(points, len(self.items)),
            "expected_response": self.expected.T.ravel(),
            "lower": self.lower.T.ravel(),
            "upper": self.upper.T.ravel(),
        }
        if self.quantiles is not None:
            for share, values in zip(QUARTILES, self.quantiles, strict=True):
                columns[f"response_{share:.0%}".replace("%", "")] = values.T.ravel()
        return pandas.DataFrame(columns)


@takes_evaluations
def item_curves(
    fit: FitResult,
    items: Iterable[object] | None = None,
    *,
    points: int = 61,
    level: float = 0.9,
    groups: int = 10,
) -> ItemCurves:
    """Give the curves of items with their uncertainty and the responses behind them.

    The interval is normal on the logit scale of responses in [0, 1] and on the logarithmic scale
    of errors, by the delta method from the covariance of the item's parameters.

    Parameters
    ----------
    items : ids; all when left out.
    points : abilities at which curves are evaluated.
    level : of the intervals.
    groups : respondents are gathered into this many groups of ability, unless they are few.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=200, items=5, seed=1).responses)
    >>> list(ic.tables.item_curves(fit, ["item_1"], points=3).frame().columns)
    ['item', 'ability', 'expected_response', 'lower', 'upper']
    """
    if not 0 < level < 1 or points < 2 or groups < 2:
        raise ModelError(
            "Item curves need a level between 0 and 1, and at least 2 points and 2 groups.",
            f"Got level={level}, points={points}, groups={groups}.",
            "Leave them out if unsure.",
        )
    chosen = find_positions(items, fit.responses.items, "item")
    columns = list(range(len(fit.responses.items))) if chosen is None else chosen
    axis = ability_axis(fit, points)
    likelihood = likelihood_of(fit.estimates.model)
    values = fit.estimates.values[columns]
    expected = likelihood.expected_response(NUMPY, axis.points, values)
    lower, upper = _interval(fit, likelihood, axis.points, columns, level)
    quantiles = None
    if fit.estimates.model.family.is_continuous and len(fit.bank.parts) == 1:
        eta = likelihood.natural(NUMPY, axis.points, values)
        family = fit.estimates.model.family
        quantiles = np.stack([family.quantile(eta, share).T for share in QUARTILES])
    return ItemCurves(
        tuple(fit.responses.items[column] for column in columns),
        axis,
        expected.T,
        lower.T,
        upper.T,
        level,
        quantiles,
        observe_curves(fit, columns, groups),
        Support(*(float(end) for end in _ends(fit, columns))),
    )


def _ends(fit: FitResult, columns: list[int]) -> tuple[float, float]:
    """The lowest and the highest response to any of these items."""
    ranges = fit.bank.ranges[columns]
    return ranges[:, 0].min(), ranges[:, 1].max()


def typical_items(fit: FitResult, number: int = 4) -> tuple[str, ...]:
    """Give items spread over the difficulties, flagged ones left out where enough remain."""
    table = fit.items
    sound = table[table["flags"] == ""]
    if len(sound) < number:
        sound = table
    ranked = sound.sort_values(fit.locations.name, kind="stable")["item"].tolist()
    places = np.linspace(0.1, 0.9, number) if number > 1 else np.array([0.5])
    chosen = [ranked[round(place * (len(ranked) - 1))] for place in places]
    return tuple(dict.fromkeys(chosen))


def _interval(
    fit: FitResult, likelihood: Likelihood, points: Array, columns: list[int], level: float
) -> tuple[Array, Array]:
    """Ends of intervals of expected responses (items × points)."""
    from scipy.special import ndtri

    values = fit.estimates.values[columns]
    # A parameter at a bound has no covariance: it is taken as known.
    covariance = np.nan_to_num(fit.estimates.covariance[columns], nan=0.0, posinf=1e6, neginf=-1e6)
    lower, upper = (end[:, None] for end in fit.bank.ranges[columns].T)
    is_bounded = fit.estimates.model.family.is_bounded

    def linked(at: Array) -> Array:
        response = likelihood.expected_response(NUMPY, points, at)
        tiny = 1e-12
        if not is_bounded:
            return np.log(np.maximum(response, tiny))
        inside = np.clip((response - lower) / (upper - lower), tiny, 1 - tiny)
        return np.log(inside) - np.log1p(-inside)

    def unlinked(at: Array) -> Array:
        if not is_bounded:
            return np.exp(np.minimum(at, 100.0))
        return lower + (upper - lower) / (1.0 + np.exp(-np.clip(at, -500.0, 500.0)))

    slopes = []
    for index in likelihood.free:
        change = np.zeros(values.shape[1])
        step = _STEP * np.maximum(1e-3, np.abs(values[:, index : index + 1]))
        change[index] = 1.0
        rise = linked(values + step * change) - linked(values - step * change)
        slopes.append(rise / (2 * step))
    jacobian = np.stack(slopes, axis=2)
    variance = np.einsum("ipa,iab,ipb->ip", jacobian, covariance, jacobian)
    reach = ndtri(0.5 + level / 2) * np.sqrt(np.maximum(variance, 0.0))
    centre = linked(values)
    return unlinked(centre - reach), unlinked(centre + reach)
