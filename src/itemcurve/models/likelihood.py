"""The one seam between models and methods: data channels × item curves.

log f(y | θ, ω) = Σ_k C_k(y) · g_k(θ, ω) + h(y)

The channels C_k depend on the responses alone and are computed once; the curves g_k depend on
ability and item alone. A family and a model make both:  C = (T_1, …, T_K, weight) and
g = (η_1, …, η_K, −A(η)). A response censored at a bound takes one more channel (whether it lies
there) and one more curve (the log probability of that). Methods see nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from itemcurve.families.contract import HasCovarianceImage, Tail
from itemcurve.models.capabilities import item_jacobians, own_item_score
from itemcurve.models.cells import Cells, Observations, integers_of
from itemcurve.models.contract import ItemModel
from itemcurve.models.curve_algebra import (
    curve_slopes,
    image,
    products,
    projected,
    residuals_of,
    sandwich,
)
from itemcurve.models.free_coordinates import free_columns
from itemcurve.models.observed_tails import tails_where
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.shapes import (
    Abilities,
    AbilityPoints,
    Curve,
    CurveSlope,
    ItemCoordinates,
    ItemMatrices,
    ItemValues,
    RespondentsByItems,
    SameShape,
)


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of an exponential family under an item response model.

    Derivatives in item parameters are taken in the unbounded coordinates of the model's free
    parameters, in their order.
    """

    model: ItemModel

    @property
    def free(self) -> tuple[int, ...]:
        """Columns of `values` that are estimated."""
        return free_columns(self.model)

    @property
    def is_censored(self) -> bool:
        """Whether responses at a bound contribute the probability of lying there."""
        return self.model.family.is_continuous and self.model.boundary.kind == "censor"

    def channels(self, observations: Observations) -> list[RespondentsByItems | None]:
        """C_1 … C_K, the weight (None stands for ones), and the weight at each bound."""
        family, inside = self.model.family, partial(self.model.boundary.inside, self.model.family)
        inner = [observations.accumulate(inside(t)) for t in family.statistics]
        if not self.is_censored:
            return [*inner, observations.weight()]
        weights = (inside(np.ones_like), *self.model.boundary.indicators(family))
        return [*inner, *(observations.accumulate(transform) for transform in weights)]

    def log_base(self, observations: Observations) -> float:
        """Σ weight · h(y): what turns sums of channels × curves into log densities."""
        known = integers_of(observations)
        if known is not None and not self._base(known).any():
            return 0.0
        return float(self.cell_log_base(observations).sum())

    def cell_log_base(self, observations: Observations) -> RespondentsByItems:
        """Σ weight · h(y) per cell."""
        return observations.accumulate(self._base)

    def _base(self, values: SameShape) -> SameShape:
        return self.model.boundary.inside(self.model.family, self.model.family.log_base)(values)

    def total_weight(self, sums: Sequence[SameShape]) -> SameShape:
        """How many observations stand behind sums of channels."""
        first = len(self.model.family.statistics)
        return add_up(sums[first:]) if self.is_censored else sums[first]

    def natural(self, engine: Engine, abilities: Abilities, values: ItemValues) -> Sequence[Curve]:
        """Natural parameters η_k."""
        return self.model.natural(engine, as_points(abilities), values)

    def ability_jacobian(
        self, engine: Engine, abilities: Abilities, values: ItemValues, dimension: int = 0
    ) -> Sequence[CurveSlope]:
        """Derivatives of η_k in one of the abilities."""
        return self.model.ability_jacobian(engine, as_points(abilities), values, dimension)

    def curves(self, engine: Engine, abilities: Abilities, values: ItemValues) -> list[Curve]:
        """g_1 … g_K, −A, and the log probability beyond each bound."""
        eta = self.natural(engine, abilities, values)
        return self._curves(engine, eta, self.tails(engine, eta, order=0))

    def item_slopes(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> list[list[CurveSlope]]:
        """Derivatives of the curves in each free item parameter: parameters × curves."""
        eta = self.natural(engine, abilities, values)
        directions = self._directions(engine, eta, self.tails(engine, eta, 1))
        return [curve_slopes(directions, j) for j in self._jacobians(engine, abilities, values)]

    def item_gradient(
        self, engine: Engine, abilities: Abilities, values: ItemValues, sums: Sequence[Curve]
    ) -> ItemCoordinates:
        """Σ over abilities of sums × slopes: the score of each item."""
        eta = self.natural(engine, abilities, values)
        directions = self._directions(engine, eta, self.tails(engine, eta, 1))
        jacobians = self._jacobians(engine, abilities, values)
        return projected(engine, residuals_of(sums, directions), jacobians)

    def item_score(
        self, engine: Engine, abilities: Abilities, values: ItemValues, sums: Sequence[Curve]
    ) -> tuple[ItemCoordinates, ItemMatrices]:
        """The score of each item and its Fisher information at once.

        The information is Σ over abilities of weight × JᵀIJ.
        """
        if isinstance(self.model.family, HasCovarianceImage):
            found = self._plain_score(engine, as_points(abilities), values, sums)
            # The coordinate of a parameter is stretched alike at every ability.
            stretch = self._stretches(engine, values)
            return found[0] * stretch, found[1] * stretch[:, :, None] * stretch[:, None, :]
        eta = self.natural(engine, abilities, values)
        tails, weight = self.tails(engine, eta, 2), self.total_weight(sums)
        residuals = residuals_of(sums, self._directions(engine, eta, tails))
        jacobians = self._jacobians(engine, abilities, values)
        rows = self._information(engine, eta, tails)
        matrix = [[weight * entry for entry in row] for row in rows]
        images = [projected(engine, image(left, matrix), jacobians) for left in jacobians]
        return projected(engine, residuals, jacobians), engine.xp.stack(images, axis=1)

    def _plain_score(
        self, engine: Engine, points: AbilityPoints, values: ItemValues, sums: Sequence[Curve]
    ) -> tuple[ItemCoordinates, ItemMatrices]:
        """Score and information of categories in the plain parameters."""
        weight, size = self.total_weight(sums), len(self.model.family.statistics)
        counts = [weight - add_up(sums[:size]), *sums[:size]]
        found = own_item_score(self.model, engine, points, values, counts, self.free)
        if found is not None:
            return found
        family = self.model.family
        assert isinstance(family, HasCovarianceImage)
        eta = self.model.natural(engine, points, values)
        residuals = residuals_of(sums[: size + 1], self._directions(engine, eta, ()))
        jacobians = item_jacobians(self.model, engine, points, values, self.free)
        return products(engine, family, eta, jacobians, residuals, weight)

    def item_gradient_along(
        self, engine: Engine, abilities: Abilities, values: ItemValues, residuals: Sequence[Curve]
    ) -> ItemCoordinates:
        """Gradient of Σ residual · η in the items' coordinates."""
        return projected(engine, residuals, self._jacobians(engine, abilities, values))

    def ability_slopes(
        self, engine: Engine, abilities: Abilities, values: ItemValues, dimension: int = 0
    ) -> list[CurveSlope]:
        """Derivatives of the curves in one of the abilities."""
        eta = self.natural(engine, abilities, values)
        jacobian = self.ability_jacobian(engine, abilities, values, dimension)
        return curve_slopes(self._directions(engine, eta, self.tails(engine, eta, 1)), jacobian)

    def curves_and_slopes(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> tuple[list[Curve], list[CurveSlope]]:
        """The curves and their derivatives in ability, at little more than the cost of one."""
        eta = self.natural(engine, abilities, values)
        tails = self.tails(engine, eta, 1)
        jacobian = self.ability_jacobian(engine, abilities, values)
        slopes = curve_slopes(self._directions(engine, eta, tails), jacobian)
        return self._curves(engine, eta, tails), slopes

    def ability_score(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> tuple[list[CurveSlope], Curve]:
        """Derivatives of the curves in ability, and the Fisher information, at once."""
        eta = self.natural(engine, abilities, values)
        jacobian = self.ability_jacobian(engine, abilities, values)
        tails = self.tails(engine, eta, 2)
        slopes = curve_slopes(self._directions(engine, eta, tails), jacobian)
        return slopes, sandwich(jacobian, self._information(engine, eta, tails), jacobian)

    def ability_information(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> Curve:
        """Fisher information of one response about ability: JᵀIJ, exact, I = Cov[T] uncensored."""
        eta = self.natural(engine, abilities, values)
        jacobian = self.ability_jacobian(engine, abilities, values)
        matrix = self._information(engine, eta, self.tails(engine, eta, 2))
        return sandwich(jacobian, matrix, jacobian)

    def cells(
        self,
        engine: Engine,
        abilities: Abilities,
        values: ItemValues,
        channels: Sequence[Curve],
        order: int,
    ) -> Cells:
        """Give each cell's log-likelihood with `order` derivatives (1: scores, 2: information).

        Parameters
        ----------
        channels : C_k of the responses of these items by respondents of these abilities.
        """
        xp = engine.xp
        eta = self.natural(engine, abilities, values)
        if order < 2:
            # Without information, a tail matters only to the responses that lie there.
            tails = self.tails_of(engine, eta, channels[len(eta) + 1 :], 1)
        else:
            tails = self.tails(engine, eta, order)
        total, residuals = self.cell_residuals(engine, eta, tails, channels)
        jacobians = [
            self.ability_jacobian(engine, abilities, values),
            *self._jacobians(engine, abilities, values),
        ]
        scores = [
            xp.broadcast_to(add_up(r * j for r, j in zip(residuals, row, strict=True)), total.shape)
            for row in jacobians
        ]
        if order < 2:
            return Cells(total, scores, [])
        middle = self._information(engine, eta, tails)
        weight = self.total_weight(channels)
        size = range(len(jacobians))
        upper = {
            (i, j): weight * sandwich(jacobians[i], middle, jacobians[j])
            for i in size
            for j in size
            if i <= j
        }
        information = [[upper[min(i, j), max(i, j)] for j in size] for i in size]
        return Cells(total, scores, information)

    def bias_term(self, engine: Engine, abilities: Abilities, values: ItemValues) -> Curve:
        """I′ − E[l′l″] per item, the numerator of Warm's (1989) correction for bias.

        For an exponential family E[l′l″] = JᵀCov[T]J′, with J the derivative of η in ability.
        Derivatives of J and I are central differences of exact formulas. Of a censored response
        it is I′ alone, the correction by Jeffreys' prior, which agrees where η is linear in
        ability.
        """
        step = 1e-5
        above, below = abilities + step, abilities - step
        eta = self.natural(engine, abilities, values)
        covariance = self.model.family.covariance(engine, eta)
        jacobian = self.ability_jacobian(engine, abilities, values)
        rises = self.ability_jacobian(engine, above, values)
        falls = self.ability_jacobian(engine, below, values)
        bend = [(up - down) / (2 * step) for up, down in zip(rises, falls, strict=True)]
        growth = self.ability_information(engine, above, values) - self.ability_information(
            engine, below, values
        )
        if self.is_censored:
            return growth / (2 * step)
        return growth / (2 * step) - sandwich(jacobian, covariance, bend)

    def expected_response(self, engine: Engine, abilities: Abilities, values: ItemValues) -> Curve:
        """E[y]: the item characteristic curve."""
        return self.model.family.mean(engine, self.natural(engine, abilities, values))

    def response_moments(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> list[Curve]:
        """E[y] and Var[y]."""
        eta, family = self.natural(engine, abilities, values), self.model.family
        return [family.mean(engine, eta), family.variance(engine, eta)]

    def kl_information(
        self, engine: Engine, abilities: Abilities, others: Array, values: ItemValues
    ) -> Array:
        """Kullback-Leibler divergence of the response at `others` from that at `abilities`.

        Σ_k E[C_k] (g_k − g_k*), exact: A(η*) − A(η) − (η*−η)·E[T]; of a censored response over
        its three outcomes.
        """
        here, there = (self.curves(engine, t, values) for t in (abilities, others))
        expected = self.expected_channels(engine, abilities, values)
        return add_up(c * (g - h) for c, g, h in zip(expected, here, there, strict=True))

    def expected_channels(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> list[Curve]:
        """E[C_k] of one response, in the order of the curves."""
        eta = self.natural(engine, abilities, values)
        expected = list(self.model.family.mean_statistics(engine, eta))
        inside = engine.xp.ones_like(eta[0])
        moments, chances = expected, []
        for tail in self.tails(engine, eta, 1):
            chances.append(engine.xp.exp(tail.log_probability))
            inside = inside - chances[-1]
            # E[T; beyond] = P (∇log P + E[T]).
            moments = [
                m - chances[-1] * (s + e)
                for m, s, e in zip(moments, tail.slope, expected, strict=True)
            ]
        return [*moments, inside, *chances]

    def _curves(self, engine: Engine, eta: Sequence[Curve], tails: Sequence[Tail]) -> list[Curve]:
        beyond = [tail.log_probability for tail in tails]
        return [*eta, -self.model.family.log_partition(engine, eta), *beyond]

    def tails(self, engine: Engine, eta: Sequence[SameShape], order: int) -> Sequence[Tail]:
        """Probabilities beyond the bounds where responses are censored, else none."""
        if not self.is_censored:
            return ()
        family = self.model.family
        return family.tails(engine, eta, self.model.boundary.bounds(family), order)

    def tails_of(
        self, engine: Engine, eta: Sequence[Curve], indicators: Sequence[Curve], order: int
    ) -> Sequence[Tail]:
        """Tails with `order` derivatives where a response lies at a bound, zeros elsewhere."""
        return tails_where(engine, eta, indicators, order, partial(self.tails, engine))

    def _directions(
        self, engine: Engine, eta: Sequence[Curve], tails: Sequence[Tail]
    ) -> list[Sequence[Curve]]:
        """Derivatives in η of the curves after the first K: −E[T], then those of the tails."""
        means = self.model.family.mean_statistics(engine, eta)
        return [[-m for m in means], *(tail.slope for tail in tails)]

    def _information(
        self, engine: Engine, eta: Sequence[Curve], tails: Sequence[Tail]
    ) -> Sequence[Sequence[Curve]]:
        """Fisher information about η: Cov[T] inside the bounds, −∂²log P beyond them."""
        covariance = self.model.family.covariance(engine, eta)
        if not tails:
            return covariance
        chances = [engine.xp.exp(tail.log_probability) for tail in tails]
        inside = 1.0 - add_up(chances)
        pairs = list(zip(chances, tails, strict=True))
        size = range(len(eta))
        return [
            [
                inside * covariance[i][j] - add_up(p * t.curvature[i][j] for p, t in pairs)
                for j in size
            ]
            for i in size
        ]

    def _stretches(self, engine: Engine, values: ItemValues) -> ItemCoordinates:
        """How much each free parameter changes with its unbounded coordinate."""
        found = [self.model.parameters[k].transform.slope(engine, values[:, k]) for k in self.free]
        return engine.xp.stack(found, axis=1)

    def _jacobians(
        self, engine: Engine, abilities: Abilities, values: ItemValues
    ) -> list[list[CurveSlope]]:
        """∂η_k/∂x for each free coordinate x: parameters × natural parameters."""
        found = item_jacobians(self.model, engine, as_points(abilities), values, self.free)
        pairs = zip(self.free, found, strict=True)
        return [self._in_coordinates(engine, values, index, own) for index, own in pairs]

    def item_jacobian(
        self, engine: Engine, abilities: Abilities, values: ItemValues, index: int
    ) -> list[CurveSlope]:
        """Derivatives of η_k in the unbounded coordinate of an item parameter."""
        jacobian = self.model.item_jacobian(engine, as_points(abilities), values, index)
        return self._in_coordinates(engine, values, index, jacobian)

    def _in_coordinates(
        self, engine: Engine, values: ItemValues, index: int, jacobian: Sequence[CurveSlope]
    ) -> list[CurveSlope]:
        """Derivatives in a parameter as those in its unbounded coordinate."""
        slope = self.model.parameters[index].transform.slope(engine, values[:, index : index + 1])
        return [part * slope for part in jacobian]

    def cell_residuals(
        self,
        engine: Engine,
        eta: Sequence[Curve],
        tails: Sequence[Tail],
        channels: Sequence[Curve],
    ) -> tuple[Curve, list[Curve]]:
        """Each cell's log-likelihood, and what it asks of each natural parameter."""
        curves = self._curves(engine, eta, tails)
        total = add_up(c * g for c, g in zip(channels, curves, strict=True))
        return total, residuals_of(channels, self._directions(engine, eta, tails))


def as_points(abilities: Abilities) -> AbilityPoints:
    """Points × dimensions, from themselves or from a plain column of one dimension."""
    return abilities if abilities.ndim > 1 else abilities[:, None]
