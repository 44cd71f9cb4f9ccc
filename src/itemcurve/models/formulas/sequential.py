"""The sequential model (Tutz 1990): steps that are tried one after the other until one fails.

P(y ≥ k | y ≥ k−1, θ) = σ(z_k):   log P_k = Σ_{j ≤ k} log σ(z_j) + log σ(−z_{k+1})

A step is tried only by those who have done all before it, so thresholds may come in any order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.models.formulas.logistic import DISCRIMINATION
from itemcurve.models.formulas.ordered_categories import MEAN_INTERCEPT, OrderedCategories
from itemcurve.models.formulas.partial_credit import GAP
from itemcurve.models.formulas.step_products import Powers, StepProducts, on_diagonal
from itemcurve.models.formulas.used_categories import Change, Position, all_used, used_spec
from itemcurve.models.parameters import ParameterSpec
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.shapes import axes


@dataclass(frozen=True)
class Sequential(OrderedCategories):
    """Steps that are tried one after the other."""

    @property
    def gap_spec(self) -> ParameterSpec:
        """Intercepts may rise or fall from step to step."""
        return GAP

    def log_weights(self, engine: Engine, at: Position) -> list[shapes.Curve]:
        """Log P_k."""
        falls = [-engine.xp.logaddexp(0.0, z) for z in at.z]
        done = [z + fall for z, fall in zip(at.z, falls, strict=True)]
        return _in_turn(engine, at, done, falls)

    def weight_slopes(
        self, engine: Engine, at: Position, change: Change, gap_change: Change
    ) -> list[shapes.CurveSlope]:
        """Σ (1 − σ(z_j)) ∂z_j − σ(z_{k+1}) ∂z_{k+1}."""
        chances = at.chances
        pairs = list(zip(chances, change, strict=True))
        return _in_turn(
            engine,
            at,
            [(1.0 - p) * moved for p, moved in pairs],
            [-p * moved for p, moved in pairs],
        )

    def step_products(
        self, engine: Engine, at: Position, counts: Sequence[shapes.Curve], powers: Powers
    ) -> StepProducts:
        """Of a step: done − tried · σ, and σ(1 − σ) times how many are expected to try it."""
        weight, above = add_up(counts), counts[-1] * 0.0
        done: list[Array] = []
        for own in reversed(counts[1:]):
            above = above + own
            done.append(above)
        scores, known, tried = [], [], weight
        rows = zip(at.chances, done[::-1], at.below(counts), strict=True)
        for step, (chance, own, below) in enumerate(rows):
            scores.append(at.where_has(step, own - chance * (own + below), 0.0))
            known.append(at.where_has(step, tried * chance * (1.0 - chance), 0.0))
            tried = at.where_has(step, tried * chance, tried)
        return StepProducts(scores, on_diagonal(engine, powers.sums(known)))

    def start_steps(self, shares: shapes.ItemCategories) -> Annotated[Array, axes("items steps")]:
        """Of those who came to a step, how many did it."""
        above = np.cumsum(shares[:, ::-1], axis=1)[:, ::-1]
        return np.log(above[:, 1:] / shares[:, :-1])


def _in_turn(
    engine: Engine, at: Position, done: list[shapes.Curve], failed: list[shapes.Curve]
) -> list[shapes.Curve]:
    """Sums over the steps done up to each category, and the next one failed."""
    xp = engine.xp
    sums = [0.0 * at.z[0]]
    for step, own in enumerate(done):
        has = at.has(step)
        sums.append(sums[-1] + (own if has is None else has * own))
    found, above = [sums[-1]], 0.0 * at.z[0]
    for step in reversed(range(len(done))):
        has = at.has(step)
        above = failed[step] if has is None else xp.where(has > 0, failed[step], above)
        found.append(sums[step] + above)
    return found[::-1]


_CODES = (0.0, 1.0, 2.0, 3.0, 4.0)
_TWO = Sequential(
    "sequential", (DISCRIMINATION, MEAN_INTERCEPT, used_spec(all_used(2))), _CODES[:2]
)
SEQUENTIAL = replace(_TWO.with_categories(_CODES), is_open=True)
