"""The graded response model (Samejima 1969): at least this good, or not.

P(y ≥ k | θ) = σ(z_k),   z_k = aθ + e_k,   e_1 > e_2 > … > e_{K−1}

P_k = σ(z_k) − σ(z_{k+1}) loses its digits far out, where both are 1 or both 0. Written as a product
it keeps them, and the gap g = z_k − z_{k+1} does not depend on ability:

log P_k = log σ(z_k) + log σ(−z_{k+1}) + log(1 − e^−g)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from itemcurve.models.formulas.logistic import DISCRIMINATION
from itemcurve.models.formulas.ordered_categories import MEAN_INTERCEPT, OrderedCategories
from itemcurve.models.formulas.step_products import (
    Powers,
    StepProducts,
    beside_diagonal,
    on_diagonal,
    steps_before,
)
from itemcurve.models.formulas.used_categories import Change, Position, all_used, used_spec
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import LogNormal
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine, add_up

# Gaps of intercepts that lie 0.4 to 3 apart, as those of ratings on five grades do.
GAP = ParameterSpec("gap_2", Role.THRESHOLD, POSITIVE, LogNormal(0.1, 1.0), start=1.0)


@dataclass(frozen=True)
class GradedResponse(OrderedCategories):
    """Grades: each step is a 2PL of all grades above against all below."""

    @property
    def gap_spec(self) -> ParameterSpec:
        """Intercepts fall from step to step."""
        return GAP

    def log_weights(self, engine: Engine, at: Position) -> list[shapes.Curve]:
        """Log P_k."""
        xp = engine.xp
        falls = [-_softplus(engine, z) for z in at.z]
        found: list[Array] = []
        above: Array = 0.0 * at.z[0]
        for step in reversed(range(len(at.z))):
            has = at.has(step)
            own = at.z[step] + falls[step]
            found.append((own if has is None else has * own) + above)
            beyond = falls[step] + _log_share(engine, at, step) if step else falls[step]
            above = beyond if has is None else xp.where(has > 0, beyond, above)
        return [above, *reversed(found)]

    def weight_slopes(
        self, engine: Engine, at: Position, change: Change, gap_change: Change
    ) -> list[shapes.CurveSlope]:
        """(1 − σ(z_k)) ∂z_k − σ(z_{k+1}) ∂z_{k+1} + ∂g/(eᵍ − 1)."""
        xp = engine.xp
        chances = at.chances
        found: list[Array] = []
        above: Array = 0.0 * at.z[0]
        for step in reversed(range(len(at.z))):
            has = at.has(step)
            own = (1.0 - chances[step]) * change[step]
            found.append((own if has is None else has * own) + above)
            beyond = -chances[step] * change[step]
            if step and not _is_nothing(gap_change[step]):
                beyond = beyond + gap_change[step] / xp.expm1(at.gaps[step])
            above = beyond if has is None else xp.where(has > 0, beyond, above)
        return [above, *reversed(found)]

    def step_products(
        self, engine: Engine, at: Position, counts: Sequence[shapes.Curve], powers: Powers
    ) -> StepProducts:
        """Of a step between P_l and P_k: v (y_k/P_k − y_l/P_l) and v² (1/P_k + 1/P_l), v = σ(1−σ).

        Ratios v/P are written as products that keep their digits, as the probabilities are.
        """
        size, weight = len(at.z), add_up(counts)
        lower, upper, beside = self._ratios(engine, at)
        pairs = zip(upper, counts[1:], lower, at.below(counts), strict=True)
        scores = [up * own - down * other for up, own, down, other in pairs]
        spread = [
            weight * chance * (1.0 - chance) * (up + down)
            for chance, up, down in zip(at.chances, upper, lower, strict=True)
        ]
        has = None if at.steps is None else at.steps.has
        information = on_diagonal(engine, powers.sums(spread)) - beside_diagonal(
            engine, powers.sums([weight * own for own in beside]), steps_before(engine, has, size)
        )
        return StepProducts(scores, information)

    def _ratios(
        self, engine: Engine, at: Position
    ) -> tuple[list[shapes.Curve], list[shapes.Curve], list[shapes.Curve]]:
        """Of each step v/P_l and v/P_k, and vv'/P_l with the step before it; 0 where it is none."""
        xp, size, one = engine.xp, len(at.z), 1.0 + 0.0 * at.z[0]
        shares = [xp.maximum(-xp.expm1(-gap), _LEAST) for gap in at.gaps]
        lower, beside, reached = [], [], one
        for step, chance in enumerate(at.chances):
            share = shares[step] if step else 1.0
            first = at.where_follows(step, xp.maximum(reached * share, _LEAST), one)
            lower.append(at.where_has(step, chance / first, 0.0))
            beside.append(at.where_follows(step, (1.0 - reached) * chance / share, 0.0 * one))
            reached = at.where_has(step, chance, reached)
        upper, missed = [], one
        for step in reversed(range(size)):
            # 1 − σ(z) has no digits left beyond z = 37, where ratios of two still count.
            fails = engine.special.expit(-at.z[step])
            upper.append(at.where_has(step, fails / xp.maximum(missed, _LEAST), 0.0))
            share = at.where_follows(step, shares[step], 0.0 * shares[step] + 1.0)
            missed = at.where_has(step, fails * share, missed)
        return lower, upper[::-1], beside


def _log_share(engine: Engine, at: Position, step: int) -> shapes.ItemColumn:
    """Log(1 − e^−g) of the gap before a step; zero where an item has no such gap."""
    found = engine.xp.log(-engine.xp.expm1(-at.gaps[step]))
    return found if at.steps is None else at.steps.follows[step] * found


def _softplus(engine: Engine, z: shapes.SameShape) -> shapes.SameShape:
    xp = engine.xp
    return xp.maximum(z, 0.0) + xp.log1p(xp.exp(-xp.abs(z)))


def _is_nothing(change: shapes.CurveSlope | float) -> bool:
    return isinstance(change, float) and change == 0.0


# Below every probability that counts, and its square is still a number.
_LEAST = 1e-100
_CODES = (0.0, 1.0, 2.0, 3.0, 4.0)
_TWO = GradedResponse("grm", (DISCRIMINATION, MEAN_INTERCEPT, used_spec(all_used(2))), _CODES[:2])
GRADED_RESPONSE = replace(_TWO.with_categories(_CODES), is_open=True)
