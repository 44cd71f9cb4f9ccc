"""Scores and information of models of steps, without curves of every parameter.

The steps z_k of an item are linear in ability, ∂z_k/∂ω = c_k + d_k θ with two numbers of the item.
With the score u_k and the information I_kl of the steps at each ability,

Σ_θ uᵀ∂z/∂ω = Σ_k c_k Σ_θ u_k + d_k Σ_θ u_k θ

and likewise with Σ I_kl, Σ I_kl θ, Σ I_kl θ²: curves are needed of each step, not of each step and
parameter, and for ten grades that is a tenth of the work.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import (
    AbilityPoints,
    Curve,
    ItemColumn,
    ItemCoordinates,
    ItemMatrices,
    axes,
)

Moments = Annotated[Array, axes("items powers steps steps")]
"""Σ I_kl θ^power over abilities, powers 0, 1 and 2."""
StepMoments = Annotated[Array, axes("items steps powers")]
ChangeMatrix = Annotated[Array, axes("items free steps")]


class StepProducts(NamedTuple):
    """What the data say of each step.

    Attributes
    ----------
    scores : of each step (items × abilities).
    information : summed over abilities.
    """

    scores: list[Curve]
    information: Moments


class Powers(NamedTuple):
    """1, θ and θ², by which curves of steps are summed over abilities (… × abilities × powers)."""

    engine: Engine
    columns: Annotated[Array, axes("lists points powers")]

    @classmethod
    def of(cls, engine: Engine, abilities: AbilityPoints) -> "Powers":
        """Of abilities that are the same for all items, or each item's own."""
        theta = abilities[..., 0].reshape(-1, abilities.shape[-2])
        return cls(engine, engine.xp.stack([0.0 * theta + 1.0, theta, theta * theta], axis=-1))

    def sums(self, curves: Sequence[Curve]) -> StepMoments:
        """Of each curve times each power."""
        return self.engine.xp.stack(list(curves), axis=1) @ self.columns

    def products(self, left: Sequence[Curve], right: Sequence[Curve]) -> Moments:
        """Σ left_k right_l θ^power."""
        xp = self.engine.xp
        first, second = xp.stack(list(left), axis=1), xp.stack(list(right), axis=-1)
        powers = range(self.columns.shape[-1])
        raised = [first * self.columns[:, None, :, power] for power in powers]
        return xp.stack([own @ second for own in raised], axis=1)


def on_diagonal(engine: Engine, sums: StepMoments) -> Moments:
    """Information of steps that tell nothing of one another."""
    return sums.swapaxes(1, 2)[:, :, :, None] * engine.xp.eye(sums.shape[1])


def beside_diagonal(
    engine: Engine, sums: StepMoments, before: Annotated[Array, axes("items|1 steps steps")]
) -> Moments:
    """What each step and the one before it tell of one another, both ways."""
    found = sums.swapaxes(1, 2)[:, :, :, None] * before[:, None]
    return found + found.swapaxes(2, 3)


def steps_before(
    engine: Engine, has: Sequence[ItemColumn] | None, size: int
) -> Annotated[Array, axes("items|1 steps steps")]:
    """Which step each step follows (0 or 1): the nearest below that the item has."""
    xp = engine.xp
    if has is None:
        return xp.eye(size, k=-1)[None]
    latest, rows = xp.zeros((has[0].shape[0], size)), []
    for step, own in enumerate(has):
        rows.append(own * latest)
        latest = xp.where(own > 0, xp.eye(size)[step], latest)
    return xp.stack(rows, axis=1)


def of_parameters(
    powers: Powers, found: StepProducts, origin: ChangeMatrix, rise: ChangeMatrix
) -> tuple[ItemCoordinates, ItemMatrices]:
    """Score and information of parameters by which steps change as c + dθ."""
    xp = powers.engine.xp
    scores, known = powers.sums(found.scores), found.information
    gradient = xp.matvec(origin, scores[:, :, 0]) + xp.matvec(rise, scores[:, :, 1])
    mixed = origin @ known[:, 1] @ rise.swapaxes(1, 2)
    same = origin @ known[:, 0] @ origin.swapaxes(1, 2) + rise @ known[:, 2] @ rise.swapaxes(1, 2)
    return gradient, same + mixed + mixed.swapaxes(1, 2)
