"""Log-likelihoods of single cells with exact derivatives along chosen coordinates alone.

∂²l/∂u∂v = Σ_kl ∂η_k/∂u · ∂²l/∂η_k∂η_l · ∂η_l/∂v + Σ_k ∂l/∂η_k · ∂²η_k/∂u∂v

Special functions enter by the derivatives in η, which are exact; those of η itself in u and v are
differences of exact first ones, which take exponential functions only.
"""

from collections.abc import Sequence
from typing import NamedTuple

from itemcurve.families.contract import Tail
from itemcurve.models.curve_algebra import sandwich
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Engine, add_up
from itemcurve.numerics.shapes import Abilities, Curve, CurveSlope, ItemValues

_STEP = 1e-5

Coordinate = int | None
"""A free item parameter by its column, or None for ability."""


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
    jacobians = [_jacobian(likelihood, engine, abilities, values, u) for u in along]
    slopes = [add_up(r * j for r, j in zip(residuals, own, strict=True)) for own in jacobians]
    if not pairs:
        return CellDerivatives(total, slopes, [])
    curvature = _curvature(likelihood, engine, eta, tails, channels)
    bends = []
    for one, other in pairs:
        changes = _change(likelihood, engine, abilities, values, along[one], along[other])
        turned = add_up(r * c for r, c in zip(residuals, changes, strict=True))
        bends.append(turned + sandwich(jacobians[one], curvature, jacobians[other]))
    return CellDerivatives(total, slopes, bends)


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


def _change(
    likelihood: Likelihood,
    engine: Engine,
    abilities: Abilities,
    values: ItemValues,
    one: Coordinate,
    other: Coordinate,
) -> list[CurveSlope]:
    """∂²η_k/∂u∂v, by central differences of ∂η_k/∂u."""
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
        found.append(_jacobian(likelihood, engine, *moved, one))
    return [(up - down) / (2 * _STEP) for up, down in zip(*found, strict=True)]
