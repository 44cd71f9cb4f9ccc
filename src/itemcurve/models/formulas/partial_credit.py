"""Partial credit (Masters 1982), generalised (Muraki 1992), and the rating scale (Andrich 1978).

log P_k/P_{k−1} = z_k = aθ + e_k: each step against the one before it, in any order of thresholds.

Slopes are free in the generalised model and one for all items in the other two; in the rating scale
model so are the gaps between the steps: items differ by difficulty alone. Weights of categories are
sums of steps, log w_k = z_1 + … + z_k = kaθ + e_1 + … + e_k, so η is linear in ability.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.models.formulas.logistic import DISCRIMINATION
from itemcurve.models.formulas.ordered_categories import (
    MEAN_INTERCEPT,
    UNIT_SLOPE,
    OrderedCategories,
)
from itemcurve.models.formulas.step_products import Powers, StepProducts
from itemcurve.models.formulas.used_categories import (
    Change,
    Position,
    all_used,
    restricted,
    used_spec,
)
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal
from itemcurve.models.transforms import FREE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.shapes import axes

GAP = ParameterSpec("gap_2", Role.THRESHOLD, FREE, Normal(0.5, 2.0), start=0.5)


@dataclass(frozen=True)
class PartialCredit(OrderedCategories):
    """Credit for steps done one after the other."""

    @property
    def gap_spec(self) -> ParameterSpec:
        """Intercepts may rise or fall from step to step."""
        # What all items tell of together needs no prior.
        return replace(GAP, is_common=True, prior=None) if self.has_common_gaps else GAP

    def log_weights(self, engine: Engine, at: Position) -> list[shapes.Curve]:
        """Sums of the steps up to each category."""
        return _summed(at, tuple(at.z), 0.0 * at.z[0])

    def weight_slopes(
        self, engine: Engine, at: Position, change: Change, gap_change: Change
    ) -> list[shapes.CurveSlope]:
        """Sums of their derivatives."""
        return _summed(at, change, engine.xp.zeros((1, 1)))

    def step_products(
        self, engine: Engine, at: Position, counts: Sequence[shapes.Curve], powers: Powers
    ) -> StepProducts:
        """Of a step: how many did it less P(done), and Cov[done, done'] of two steps."""
        xp, weight = engine.xp, add_up(counts)
        weights = restricted(engine, at.steps, self.log_weights(engine, at))
        eta = [own - weights[0] for own in weights[1:]]
        expected = self.family.mean_statistics(engine, eta)
        done, chance = 0.0 * weight, 0.0 * weight
        scores: list[Array] = []
        chances: list[Array] = []
        for step in reversed(range(len(at.z))):
            done, chance = done + counts[step + 1], chance + expected[step]
            scores.append(at.where_has(step, done - weight * chance, 0.0))
            chances.append(at.where_has(step, chance, 0.0))
        chances = chances[::-1]
        weighted = [weight * own for own in chances]
        # Who did the later of two steps has done both.
        places = np.arange(len(chances))
        both = powers.sums(weighted)[:, np.maximum(places[:, None], places)]
        if at.steps is not None:
            has = xp.concatenate(at.steps.has, axis=1)
            both = both * (has[:, :, None] * has[:, None, :])[..., None]
        information = xp.moveaxis(both, 3, 1) - powers.products(weighted, chances)
        return StepProducts(scores[::-1], information)

    def start_steps(self, shares: shapes.ItemCategories) -> Annotated[Array, axes("items steps")]:
        """Each category against the one before."""
        logs = np.log(shares)
        return logs[:, 1:] - logs[:, :-1]

    def basis(
        self, engine: Engine, abilities: shapes.AbilityPoints
    ) -> shapes.BasisFunctions | None:
        """1 and θ."""
        return engine.xp.stack([engine.xp.ones_like(abilities[..., 0]), abilities[..., 0]])

    def basis_weights(self, engine: Engine, values: shapes.ItemValues) -> list[shapes.BasisWeights]:
        """e_1 + … + e_k and ka."""
        origin = self.natural(engine, engine.xp.zeros((1, 1)), values)
        rises = self.ability_jacobian(engine, engine.xp.zeros((1, 1)), values)
        pairs = zip(origin, rises, strict=True)
        return [engine.xp.concatenate([own, rise], axis=1) for own, rise in pairs]


def _summed(at: Position, parts: Change, nothing: Array) -> list[Array]:
    """Sums of what belongs to each step, over the steps that an item has up to each category."""
    found = [nothing]
    for step, part in enumerate(parts):
        has = at.has(step)
        found.append(found[-1] + (part if has is None else has * part))
    return found


def _model(name: str, slope: ParameterSpec, has_common_gaps: bool = False) -> PartialCredit:
    codes = (0.0, 1.0, 2.0, 3.0, 4.0)
    start = PartialCredit(
        name,
        (slope, MEAN_INTERCEPT, used_spec(all_used(2))),
        codes[:2],
        is_slope_common=slope is UNIT_SLOPE,
        has_common_gaps=has_common_gaps,
    )
    return replace(start.with_categories(codes), is_open=True)


GENERALISED_PARTIAL_CREDIT = _model("gpcm", DISCRIMINATION)
PARTIAL_CREDIT = _model("pcm", UNIT_SLOPE)
RATING_SCALE = _model("rsm", UNIT_SLOPE, has_common_gaps=True)
