"""Put two calibrations on one scale by the items that they share.

Last year's leaderboard and this year's have abilities in units of their own. Common items tell how
the scales go together, θ = A θ' + B: by means of slopes and difficulties (mean-mean, mean-sigma),
or by the A and B at which the curves of common items differ least, item by item (Haebara 1980) or
in sum (Stocking and Lord 1983).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from itemcurve.analysis.linking.linked_items import (
    LinkedItems,
    common_items,
    curve_changes,
    move_jacobian,
    move_values,
)
from itemcurve.analysis.model_fit.item_fit import adjust
from itemcurve.bank.item_bank import Bank, BankPart
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


@dataclass(frozen=True, eq=False)
class BankLink:
    """How abilities of another bank go over to the base: θ = slope · θ' + shift.

    Attributes
    ----------
    slope_se, shift_se : standard errors, items taken as independent of each other, which makes
        them somewhat too small (docs/linking.md).
    items : the common ones.
    difference : by which each differs in location once linked, on the base's scale.
    p_drift : probability of so large a change of its parameters if it did not drift, adjusted for
        the number of items (false-discovery rate); NaN where a bank has no errors.
    """

    method: str
    slope: float
    shift: float
    slope_se: float
    shift_se: float
    items: tuple[str, ...]
    difference: Annotated[Array, axes("items")]
    p_drift: Annotated[Array, axes("items")]

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

    def frame(self) -> "pandas.DataFrame":
        """One row per common item."""
        import pandas

        return pandas.DataFrame(
            {
                "item": self.items,
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
        if not self.drifted:
            return f"{said} None of them drifted beyond doubt."
        return f"{said} {len(self.drifted)} drifted: {', '.join(self.drifted[:5])}."


def link(
    base: Bank,
    other: Bank,
    *,
    method: LinkMethod = "stocking-lord",
    items: Sequence[str] | None = None,
) -> BankLink:
    """Find how another bank's scale goes over to the base's, by their common items.

    Parameters
    ----------
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
    shared = common_items(base, other, items)
    if method in ("stocking-lord", "haebara"):
        found, covariance = _by_curves(shared, is_summed=method == "stocking-lord")
    else:
        found, covariance = _by_moments(shared, _MOMENTS[method])
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    slope, shift = float(found[0]), float(found[1])
    if not np.isfinite(found).all() or slope <= 0:
        raise ModelError(
            "Common items must tell a scale: difficulties that differ, slopes of one sign.",
            f"They give a factor of {slope:.3g}.",
            "Use more items in common, or another method.",
        )
    _, place, _, other_place = shared.slopes_and_places()
    difference = place - (slope * other_place + shift)
    return BankLink(
        method,
        slope,
        shift,
        float(errors[0]),
        float(errors[1]),
        shared.names,
        difference,
        _drift(shared, slope, shift),
    )


def _by_curves(shared: LinkedItems, *, is_summed: bool) -> tuple[Array, Array]:
    """Least squares of curves; errors by how the solution moves with items' parameters."""
    from scipy.optimize import least_squares

    target = shared.base_curves(_POINTS)
    root = np.sqrt(_WEIGHTS)

    def residuals(at: Array) -> Array:
        gap = (target - shared.moved_curves(_POINTS, float(np.exp(at[0])), float(at[1]))) * root
        return gap.sum(axis=0) if is_summed else gap.ravel()

    start = _moment_start(shared)
    best = least_squares(residuals, start, xtol=1e-12, ftol=1e-14, gtol=1e-12)
    slope, shift = float(np.exp(best.x[0])), float(best.x[1])
    # The solution moves by −(JᵀJ)⁻¹Jᵀ times what a parameter does to the residuals.
    solve = -np.linalg.pinv(np.asarray(best.jac))
    covariance = np.zeros((2, 2))
    for part, place, sign in ((shared.base, (1.0, 0.0), 1.0), (shared.other, (slope, shift), -1.0)):
        changes = sign * curve_changes(part, _POINTS, *place) * root
        spread = np.nan_to_num(part.covariance)
        for item in range(len(shared.names)):
            moves = changes[:, item] if is_summed else _at_item(changes, item)
            pull = solve @ moves.T
            covariance += pull @ spread[item] @ pull.T
    scale = np.diag([slope, 1.0])
    return np.array([slope, shift]), scale @ covariance @ scale


def _at_item(changes: Array, item: int) -> Array:
    """What one item's parameters do to all residuals, item by item."""
    found = np.zeros_like(changes)
    found[:, item] = changes[:, item]
    return found.reshape(len(changes), -1)


def _moment_start(shared: LinkedItems) -> Array:
    slope, shift = _mean_mean(*shared.slopes_and_places())
    if not np.isfinite([slope, shift]).all() or slope <= 0.05:
        return np.zeros(2)
    return np.array([np.log(slope), shift])


Moments = Callable[[Array, Array, Array, Array], tuple[float, float]]


def _by_moments(shared: LinkedItems, moments: Moments) -> tuple[Array, Array]:
    """The moments' own A and B; errors by how they move with each parameter."""
    covariance = np.zeros((2, 2))
    for is_base in (True, False):
        part = shared.base if is_base else shared.other
        spread = np.nan_to_num(part.covariance)
        for item in range(len(shared.names)):
            pull = np.stack(
                [
                    _moment_slope(shared, moments, is_base, (item, index))
                    for index in part.likelihood.free
                ],
                axis=1,
            )
            covariance += pull @ spread[item] @ pull.T
    return np.array(moments(*shared.slopes_and_places())), covariance


def _moment_slope(
    shared: LinkedItems, moments: Moments, is_base: bool, cell: tuple[int, int]
) -> Array:
    """What one parameter of one item does to A and B."""
    part = shared.base if is_base else shared.other
    ends = []
    for sign in (1.0, -1.0):
        values = part.values.copy()
        values[cell] += sign * _STEP
        moved = replace(part, values=values)
        changed = replace(shared, base=moved) if is_base else replace(shared, other=moved)
        ends.append(np.array(moments(*changed.slopes_and_places())))
    return (ends[0] - ends[1]) / (2 * _STEP)


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


def _drift(shared: LinkedItems, slope: float, shift: float) -> Annotated[Array, axes("items")]:
    """Wald tests of each item's free parameters, moved to the base, against the base's own."""
    from scipy.special import gammaincc

    free = list(shared.base.likelihood.free)
    change = move_jacobian(shared.other, slope, shift)
    covariance = change @ shared.other.covariance @ change.transpose(0, 2, 1)
    covariance = covariance + shared.base.covariance
    gaps = (shared.base.values - shared.moved(slope, shift))[:, free]
    found = np.full(len(gaps), np.nan)
    for item, (gap, spread) in enumerate(zip(gaps, covariance, strict=True)):
        if np.isfinite(spread).all() and np.linalg.matrix_rank(spread) == len(spread):
            square = float(gap @ np.linalg.solve(spread, gap))
            found[item] = float(gammaincc(len(free) / 2, square / 2))
    return adjust(found)
