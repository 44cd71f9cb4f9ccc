"""The one seam between models and methods: data channels × item curves.

log f(y | θ, ω) = Σ_k C_k(y) · g_k(θ, ω) + h(y)

The channels C_k depend on the responses alone and are computed once; the curves g_k depend on
ability and item alone. A family and a model make both:  C = (T_1, …, T_K, weight) and
g = (η_1, …, η_K, −A(η)). Methods see nothing else, so a likelihood with further terms of this
form (a response censored at a bound, say) needs no change to any of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array, Engine


class Observations(Protocol):
    """What a likelihood needs from responses: sums of a statistic over each cell's observations."""

    def accumulate(self, transform: Callable[[Array], Array]) -> Array:
        """Σ weight · transform(value) per cell (respondents × items)."""

    def weight(self) -> Array | None:
        """Total weight per cell; None when every cell was observed exactly once."""


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of an exponential family under an item response model.

    Arrays are items × abilities; derivatives in item parameters are taken in the unbounded
    coordinates of the model's free parameters, in their order.
    """

    model: ItemModel

    @property
    def free(self) -> tuple[int, ...]:
        """Columns of `values` that are estimated."""
        return tuple(i for i, spec in enumerate(self.model.parameters) if spec.is_free)

    def channels(self, observations: Observations) -> list[Array | None]:
        """C_1 … C_K and the weight (None stands for ones)."""
        statistics = self.model.family.statistics
        return [*(observations.accumulate(t) for t in statistics), observations.weight()]

    def total_weight(self, sums: Sequence[Array]) -> Array:
        """How many observations stand behind sums of channels."""
        return sums[-1]

    def curves(self, engine: Engine, abilities: Array, values: Array) -> list[Array]:
        """g_1 … g_K and −A."""
        eta = self.model.natural(engine, abilities, values)
        return [*eta, -self.model.family.log_partition(engine, eta)]

    def item_slopes(self, engine: Engine, abilities: Array, values: Array) -> list[list[Array]]:
        """Derivatives of the curves in each free item parameter: parameters × curves.

        One that is the same for all items may have an item axis of length one.
        """
        eta = self.model.natural(engine, abilities, values)
        means = self.model.family.mean_statistics(engine, eta)
        return [_curve_slopes(means, j) for j in self._jacobians(engine, abilities, values)]

    def item_gradient(
        self, engine: Engine, abilities: Array, values: Array, sums: Sequence[Array]
    ) -> Array:
        """Σ over abilities of sums × slopes: the score of each item (items × free)."""
        eta = self.model.natural(engine, abilities, values)
        means = self.model.family.mean_statistics(engine, eta)
        residuals = [t - sums[-1] * m for t, m in zip(sums[:-1], means, strict=True)]
        return engine.xp.stack(
            [
                sum(engine.xp.vecdot(r, j) for r, j in zip(residuals, jacobian, strict=True))
                for jacobian in self._jacobians(engine, abilities, values)
            ],
            axis=1,
        )

    def item_information(
        self, engine: Engine, abilities: Array, values: Array, sums: Sequence[Array]
    ) -> Array:
        """Σ over abilities of weight × JᵀCov[T]J: Fisher information (items × free × free)."""
        xp = engine.xp
        eta = self.model.natural(engine, abilities, values)
        covariance = self.model.family.covariance(engine, eta)
        weighted = [[sums[-1] * entry for entry in row] for row in covariance]
        jacobians = self._jacobians(engine, abilities, values)
        halves = [
            [
                sum(j * w for j, w in zip(left, column, strict=True))
                for column in zip(*weighted, strict=True)
            ]
            for left in jacobians
        ]
        rows = [
            xp.stack(
                [
                    sum(xp.vecdot(h, j) for h, j in zip(half, right, strict=True))
                    for right in jacobians
                ],
                axis=1,
            )
            for half in halves
        ]
        return xp.stack(rows, axis=1)

    def ability_slopes(self, engine: Engine, abilities: Array, values: Array) -> list[Array]:
        """Derivatives of the curves in ability."""
        eta = self.model.natural(engine, abilities, values)
        means = self.model.family.mean_statistics(engine, eta)
        return _curve_slopes(means, self.model.ability_jacobian(engine, abilities, values))

    def ability_information(self, engine: Engine, abilities: Array, values: Array) -> Array:
        """Fisher information of one response about ability: JᵀCov[T]J, exact."""
        eta = self.model.natural(engine, abilities, values)
        jacobian = self.model.ability_jacobian(engine, abilities, values)
        return _sandwich(jacobian, self.model.family.covariance(engine, eta), jacobian)

    def bias_term(self, engine: Engine, abilities: Array, values: Array) -> Array:
        """I′ − E[l′l″] per item, the numerator of Warm's (1989) correction for bias.

        For an exponential family E[l′l″] = JᵀCov[T]J′, with J the derivative of η in ability.
        Derivatives of J and I are central differences of exact formulas.
        """
        step = 1e-5
        above, below = abilities + step, abilities - step
        eta = self.model.natural(engine, abilities, values)
        covariance = self.model.family.covariance(engine, eta)
        jacobian = self.model.ability_jacobian(engine, abilities, values)
        rises = self.model.ability_jacobian(engine, above, values)
        falls = self.model.ability_jacobian(engine, below, values)
        bend = [(up - down) / (2 * step) for up, down in zip(rises, falls, strict=True)]
        growth = self.ability_information(engine, above, values) - self.ability_information(
            engine, below, values
        )
        return growth / (2 * step) - _sandwich(jacobian, covariance, bend)

    def expected_response(self, engine: Engine, abilities: Array, values: Array) -> Array:
        """E[y]: the item characteristic curve."""
        return self.model.family.mean(engine, self.model.natural(engine, abilities, values))

    def _jacobians(self, engine: Engine, abilities: Array, values: Array) -> list[list[Array]]:
        """∂η_k/∂x for each free coordinate x: parameters × natural parameters.

        A derivative that is the same for all items may have an item axis of length one.
        """
        found = []
        for index in self.free:
            chain = self.model.parameters[index].transform.slope(
                engine, values[:, index : index + 1]
            )
            jacobian = self.model.item_jacobian(engine, abilities, values, index)
            found.append([part * chain for part in jacobian])
        return found


def _curve_slopes(means: Sequence[Array], jacobian: Sequence[Array]) -> list[Array]:
    """(J_1 … J_K, −Σ E[T_k] J_k), because ∇A = E[T]."""
    return [*jacobian, -sum(m * j for m, j in zip(means, jacobian, strict=True))]


def _sandwich(
    left: Sequence[Array], middle: Sequence[Sequence[Array]], right: Sequence[Array]
) -> Array:
    return sum(
        left[i] * middle[i][j] * right[j] for i in range(len(left)) for j in range(len(right))
    )
