"""Put two calibrations on one scale by the items that they share.

Last year's leaderboard and this year's have abilities in units of their own. Common items tell how
the scales go together, θ = A θ' + B: by means of slopes and difficulties (mean-mean, mean-sigma),
or by the A and B at which the curves of common items differ least, item by item (Haebara 1980) or
in sum (Stocking and Lord 1983).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

import numpy as np

from itemcurve.analysis.evaluated_fits import HasFit
from itemcurve.analysis.linking.link_errors import (
    BY_ITEM,
    HasBank,
    Pulls,
    bank_of,
    calibrated,
    drift_tests,
    explicit_pulls,
    implicit_pulls,
    item_spreads,
    link_errors,
    place_errors,
)
from itemcurve.analysis.linking.linked_items import (
    LinkedItems,
    common_items,
    move_jacobian,
    move_values,
)
from itemcurve.analysis.model_fit.item_fit import adjust
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.bank.shown_errors import shown_errors
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

LinkMethod = Literal["stocking-lord", "haebara", "mean-mean", "mean-sigma", "mean-geometric-mean"]
METHODS = ("stocking-lord", "haebara", "mean-mean", "mean-sigma", "mean-geometric-mean")
_POINTS = np.linspace(-6.0, 6.0, 121)
_WEIGHTS = np.exp(-0.5 * _POINTS**2) / np.exp(-0.5 * _POINTS**2).sum()
_STEP = 1e-5
_DRIFT = 0.05


class HasRespondents(Protocol):
    """A fit, which has a table of respondents."""

    @property
    def respondents(self) -> "pandas.DataFrame":
        """One row per respondent."""


@dataclass(frozen=True, eq=False)
class BankLink:
    """How abilities of another bank go over to the base: θ = slope · θ' + shift.

    Attributes
    ----------
    slope_se, shift_se : standard errors, by the delta method.
    errors : what they are made of: `"items together"` where both calibrations were given as fits,
        `"item by item"` where a bank told no more than the error of each item, which makes them
        somewhat too small (docs/linking.md).
    items : the common ones.
    difference : by which each differs in location once linked, on the base's scale.
    p_drift : probability of so large a change of its parameters if it did not drift, adjusted for
        the number of items (false-discovery rate); NaN where a bank has no errors.
    places, place_errors : location of each in the base, and in the other bank once linked, with
        standard errors.
    """

    method: str
    slope: float
    shift: float
    slope_se: float
    shift_se: float
    items: tuple[str, ...]
    difference: Annotated[Array, axes("items")]
    p_drift: Annotated[Array, axes("items")]
    errors: str
    places: tuple[Array, Array]
    place_errors: tuple[Array, Array]

    @property
    def drifted(self) -> tuple[str, ...]:
        """Items that changed between the calibrations, at a false-discovery rate of 5 %."""
        pairs = zip(self.items, self.p_drift, strict=True)
        return tuple(name for name, chance in pairs if chance < _DRIFT)

    def abilities(self, values: Array) -> Array:
        """Abilities of the other scale on the base's."""
        return self.slope * np.asarray(values, dtype=float) + self.shift

    def transform(self, bank: Bank) -> Bank:
        """The other bank on the base's scale; what is uncertain of the link itself is left out."""
        parts = tuple(self._moved(part) for part in bank.parts)
        mean = self.slope * bank.ability_mean + self.shift
        return replace(
            bank, parts=parts, ability_mean=mean, ability_sd=self.slope * bank.ability_sd
        )

    def _moved(self, part: BankPart) -> BankPart:
        values = move_values(part, part.values, self.slope, self.shift)
        change = move_jacobian(part, self.slope, self.shift)
        covariance = change @ part.covariance @ change.transpose(0, 2, 1)
        return replace(part, values=values, covariance=covariance)

    def leaderboard(self, base: "HasRespondents", other: "HasRespondents") -> "pandas.DataFrame":
        """Respondents of both fits by ability on the base's scale; who is in both has two rows.

        Standard errors are those of each fit, in the base's unit. What is uncertain of the link
        moves all respondents of the other fit together.
        """
        import pandas

        columns = ["respondent", "ability", "ability_se", "mean_response", "responses"]
        tables = []
        for word, fit in (("base", base), ("other", other)):
            table = fit.respondents[columns].copy()
            table.insert(1, "calibration", word)
            tables.append(table)
        tables[1]["ability"] = self.abilities(tables[1]["ability"].to_numpy())
        tables[1]["ability_se"] *= abs(self.slope)
        joined = pandas.concat(tables, ignore_index=True)
        return joined.sort_values("ability", ascending=False, kind="stable", ignore_index=True)

    def frame(self) -> "pandas.DataFrame":
        """One row per common item: location in both on the base's scale, whether it drifted."""
        import pandas

        return pandas.DataFrame(
            {
                "item": self.items,
                "location": self.places[0],
                "location_se": self.place_errors[0],
                "other_location": self.places[1],
                "other_location_se": self.place_errors[1],
                "difference": self.difference,
                "p_drift": self.p_drift,
                "drifted": self.p_drift < _DRIFT,
            }
        )

    def __str__(self) -> str:
        said = (
            f"ability = {self.slope:.3f} (± {self.slope_se:.3f}) × its ability "
            f"{'+' if self.shift >= 0 else '−'} {abs(self.shift):.3f} (± {self.shift_se:.3f}), "
            f"by {len(self.items)} common items ({self.method})."
        )
        if self.errors == BY_ITEM and self.slope_se > 0:
            said += (
                " Errors take items one by one and are somewhat too small: link fits, not banks."
            )
        if not self.drifted:
            return f"{said} None of them drifted beyond doubt."
        return f"{said} {len(self.drifted)} drifted: {', '.join(self.drifted[:5])}."


def link(
    base: Bank | HasBank | HasFit,
    other: Bank | HasBank | HasFit,
    *,
    method: LinkMethod = "stocking-lord",
    items: Sequence[str] | None = None,
) -> BankLink:
    """Find how another bank's scale goes over to the base's, by their common items.

    Parameters
    ----------
    base, other : fits, evaluations, or banks. A bank knows the error of each item but not how the
        errors of items go together, as all have one population: standard errors are right for fits,
        and somewhat too small for banks.
    method : `"stocking-lord"`, `"haebara"`, `"mean-mean"`, `"mean-sigma"`, `"mean-geometric-mean"`.
    items : which common items to link by; all when left out. Leave out those that drifted.

    Examples
    --------
    >>> import itemcurve as ic
    >>> base = ic.Bank.from_parameters("2pl", discrimination=[1.0, 1.5], difficulty=[-1.0, 1.0])
    >>> other = ic.Bank.from_parameters("2pl", discrimination=[2.0, 3.0], difficulty=[-0.5, 0.5])
    >>> found = ic.link(base, other)
    >>> round(found.slope, 3), abs(round(found.shift, 3))
    (2.0, 0.0)
    """
    if method not in METHODS:
        raise ModelError(
            f"The method of a link is one of {', '.join(METHODS)}.",
            f"Got {method!r}.",
            "Leave it out for stocking-lord.",
        )
    first, second = calibrated(base), calibrated(other)
    shared = common_items(bank_of(first), bank_of(second), items)
    if method in ("stocking-lord", "haebara"):
        found, pulls = _by_curves(shared, is_summed=method == "stocking-lord")
    else:
        found, pulls = _by_moments(shared, _MOMENTS[method])
    slope, shift = float(found[0]), float(found[1])
    if not np.isfinite(found).all() or slope <= 0:
        raise ModelError(
            "Common items must tell a scale: difficulties that differ, slopes of one sign.",
            f"They give a factor of {slope:.3g}.",
            "Use more items in common, or another method.",
        )
    spreads = item_spreads(shared, first, second)
    errors = shown_errors(link_errors(pulls, spreads))
    _, place, _, other_place = shared.slopes_and_places()
    moved = slope * other_place + shift
    return BankLink(
        method,
        slope,
        shift,
        float(errors[0]),
        float(errors[1]),
        shared.names,
        place - moved,
        adjust(drift_tests(shared, (slope, shift), pulls, spreads)),
        spreads.kind,
        (place, moved),
        _shown_pair(place_errors(shared, slope, spreads)),
    )


def _shown_pair(errors: tuple[Array, Array]) -> tuple[Array, Array]:
    return shown_errors(errors[0]), shown_errors(errors[1])


def _by_curves(shared: LinkedItems, *, is_summed: bool) -> tuple[Array, Pulls]:
    """Least squares of curves, and how the solution moves with items' parameters."""
    from scipy.optimize import least_squares

    target = shared.base_curves(_POINTS)
    root = np.sqrt(_WEIGHTS)

    def residuals(at: Array) -> Array:
        gap = (target - shared.moved_curves(_POINTS, float(np.exp(at[0])), float(at[1]))) * root
        return gap.sum(axis=0) if is_summed else gap.ravel()

    start = _moment_start(shared)
    best = least_squares(residuals, start, xtol=1e-12, ftol=1e-14, gtol=1e-12)
    at = np.array([np.exp(best.x[0]), best.x[1]])
    return at, implicit_pulls(shared, partial(_stationary, is_summed), at)


def _stationary(is_summed: bool, shared: LinkedItems, at: Array) -> Array:
    """Slope of the loss in A and B, which is 0 at the solution whatever the items."""
    gap = shared.base_curves(_POINTS) - shared.moved_curves(_POINTS, *at)
    rises = [
        (shared.moved_curves(_POINTS, *(at + move)) - shared.moved_curves(_POINTS, *(at - move)))
        / (2 * _STEP)
        for move in _STEP * np.eye(2)
    ]
    if is_summed:
        gap, rises = gap.sum(axis=0), [rise.sum(axis=0) for rise in rises]
    return np.array([float((gap * rise * _WEIGHTS).sum()) for rise in rises])


def _moment_start(shared: LinkedItems) -> Array:
    slope, shift = _mean_mean(*shared.slopes_and_places())
    if not np.isfinite([slope, shift]).all() or slope <= 0.05:
        return np.zeros(2)
    return np.array([np.log(slope), shift])


Moments = Callable[[Array, Array, Array, Array], tuple[float, float]]


def _by_moments(shared: LinkedItems, moments: Moments) -> tuple[Array, Pulls]:
    """The moments' own A and B, and how they move with each parameter."""

    def solve(changed: LinkedItems) -> Array:
        return np.array(moments(*changed.slopes_and_places()))

    return solve(shared), explicit_pulls(shared, solve)


def _mean_mean(slope: Array, place: Array, other: Array, other_place: Array) -> tuple[float, float]:
    factor = float(other.mean() / slope.mean())
    return factor, float(place.mean() - factor * other_place.mean())


def _mean_geometric(
    slope: Array, place: Array, other: Array, other_place: Array
) -> tuple[float, float]:
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = float(np.exp(np.mean(np.log(other / slope))))
    return factor, float(place.mean() - factor * other_place.mean())


def _mean_sigma(
    slope: Array, place: Array, other: Array, other_place: Array
) -> tuple[float, float]:
    factor = float(place.std() / other_place.std())
    return factor, float(place.mean() - factor * other_place.mean())


_MOMENTS: dict[str, Moments] = {
    "mean-mean": _mean_mean,
    "mean-geometric-mean": _mean_geometric,
    "mean-sigma": _mean_sigma,
}
