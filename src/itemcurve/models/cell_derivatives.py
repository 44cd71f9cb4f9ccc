"""Log-likelihoods of single cells with exact derivatives along chosen coordinates alone.

∂²l/∂u∂v = Σ_kl ∂η_k/∂u · ∂²l/∂η_k∂η_l · ∂η_l/∂v + Σ_k ∂l/∂η_k · ∂²η_k/∂u∂v

Special functions enter by the derivatives in η, which are exact; those of η itself in u and v are
differences of exact first ones, or where η are exponentials of first ones of their exponents.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from itemcurve.families.contract import Tail
from itemcurve.models.capabilities import HasLogSlopes, exponential_form
from itemcurve.models.curve_algebra import sandwich
from itemcurve.models.likelihood import Likelihood, as_points
from itemcurve.numerics.engine import Engine, add_up
from itemcurve.numerics.shapes import Abilities, Curve, CurveSlope, ItemValues

_STEP = 1e-5

Coordinate = int | None
"""A free item parameter by its column, or None for ability."""

_Slopes = Callable[[Abilities, ItemValues, Coordinate], Sequence[CurveSlope]]
"""Derivatives of each η_k, or of its exponent, along a coordinate."""


class CellDerivatives(NamedTuple):
    """What is known of each cell (items × respondents each).

    Attributes
    ----------
    total : log-likelihoods.
    slopes : derivatives along each coordinate.
    bends : second derivatives along each pair of them.
    """

    total: Curve
    slopes: list[Curve]
    bends: list[Curve]


def cell_derivatives(
    likelihood: Likelihood,
    engine: Engine,
    abilities: Abilities,
    values: ItemValues,
    channels: Sequence[Curve],
    along: Sequence[Coordinate],
    pairs: Sequence[tuple[int, int]] = (),
) -> CellDerivatives:
    """Give each cell's log-likelihood with derivatives along some coordinates.

    Parameters
    ----------
    channels : C_k of the responses of these items by respondents of these abilities.
    along : the coordinates.
    pairs : places in `along`, of the second derivatives that are wanted.
    """
    eta = likelihood.natural(engine, abilities, values)
    tails = likelihood.tails_of(engine, eta, channels[len(eta) + 1 :], order=2 if pairs else 1)
    total, residuals = likelihood.cell_residuals(engine, eta, tails, channels)
    jacobians, changes = _curve_derivatives(
        likelihood, engine, abilities, values, eta, along, pairs
    )
    slopes = [_summed(residuals, own) for own in jacobians]
    if not pairs:
        return CellDerivatives(total, slopes, [])
    curvature = _curvature(likelihood, engine, eta, tails, channels)
    bends = [
        _summed(residuals, change) + sandwich(jacobians[one], curvature, jacobians[other])
        for (one, other), change in zip(pairs, changes, strict=True)
    ]
    return CellDerivatives(total, slopes, bends)


def _summed(weights: Sequence[Curve], parts: Sequence[CurveSlope]) -> Curve:
    return add_up(weight * part for weight, part in zip(weights, parts, strict=True))


def _curvature(
    likelihood: Likelihood,
    engine: Engine,
    eta: Sequence[Curve],
    tails: Sequence[Tail],
    channels: Sequence[Curve],
) -> list[list[Curve]]:
    """Second derivatives of each cell's log-likelihood in η: −w·Cov[T], and those of its tail."""
    covariance, size = likelihood.model.family.covariance(engine, eta), range(len(eta))
    weight, indicators = channels[len(eta)], channels[len(eta) + 1 :]
    pairs = list(zip(indicators, tails, strict=True))

    def entry(i: int, j: int) -> Curve:
        beyond = [indicator * tail.curvature[i][j] for indicator, tail in pairs]
        return add_up([-weight * covariance[i][j], *beyond])

    return [[entry(i, j) for j in size] for i in size]


def _curve_derivatives(
    likelihood: Likelihood,
    engine: Engine,
    abilities: Abilities,
    values: ItemValues,
    eta: Sequence[Curve],
    along: Sequence[Coordinate],
    pairs: Sequence[tuple[int, int]],
) -> tuple[list[Sequence[CurveSlope]], list[Sequence[CurveSlope]]]:
    """∂η_k/∂u along each coordinate, and ∂²η_k/∂u∂v along each pair of them."""
    form = exponential_form(likelihood.model)
    slopes_at: _Slopes = (
        partial(_jacobian, likelihood, engine)
        if form is None
        else partial(_exponent_slopes, form, likelihood, engine)
    )
    slopes = [slopes_at(abilities, values, u) for u in along]
    bends = [
        _differences(likelihood, engine, slopes_at, abilities, values, along[one], along[other])
        for one, other in pairs
    ]
    if form is None:
        return slopes, bends
    # η = exp E: η′ = η E′ and η″ = η (E′E′ + E″).
    growing = form.growing(engine, as_points(abilities), values, eta)
    raised: list[Sequence[CurveSlope]] = [
        [a * b + bend for a, b, bend in zip(slopes[one], slopes[other], own, strict=True)]
        for (one, other), own in zip(pairs, bends, strict=True)
    ]
    return [_times(growing, own) for own in slopes], [_times(growing, own) for own in raised]


def _times(curves: Sequence[Curve], factors: Sequence[CurveSlope]) -> Sequence[CurveSlope]:
    return [curve * factor for curve, factor in zip(curves, factors, strict=True)]


def _jacobian(
    likelihood: Likelihood,
    engine: Engine,
    abilities: Abilities,
    values: ItemValues,
    coordinate: Coordinate,
) -> Sequence[CurveSlope]:
    if coordinate is None:
        return likelihood.ability_jacobian(engine, abilities, values)
    return likelihood.item_jacobian(engine, abilities, values, coordinate)


def _exponent_slopes(
    form: HasLogSlopes,
    likelihood: Likelihood,
    engine: Engine,
    abilities: Abilities,
    values: ItemValues,
    coordinate: Coordinate,
) -> Sequence[CurveSlope]:
    found = form.log_slopes(engine, as_points(abilities), values, coordinate)
    if coordinate is None:
        return found
    transform = likelihood.model.parameters[coordinate].transform
    stretch = transform.slope(engine, values[:, coordinate : coordinate + 1])
    return [part * stretch for part in found]


def _differences(
    likelihood: Likelihood,
    engine: Engine,
    slopes_at: _Slopes,
    abilities: Abilities,
    values: ItemValues,
    one: Coordinate,
    other: Coordinate,
) -> Sequence[CurveSlope]:
    """How derivatives along one coordinate change along the other, by central differences."""
    found = []
    for step in (_STEP, -_STEP):
        if other is None:
            moved = abilities + step, values
        else:
            transform = likelihood.model.parameters[other].transform
            column = transform.coordinate(engine, values[:, other]) + step
            beyond = engine.xp.array(values)
            beyond[:, other] = transform.value(engine, column)
            moved = abilities, beyond
        found.append(slopes_at(*moved, one))
    return [(up - down) / (2 * _STEP) for up, down in zip(*found, strict=True)]
