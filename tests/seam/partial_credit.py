"""A model that the package does not know: generalised partial credit (Muraki 1992).

P(y = k) ∝ exp(Σ_{j ≤ k} a(θ − b_j)), k = 0 … K−1, estimated as η_k = kaθ + e_k. It stands for what
people will write themselves: a family and a model that meet the contracts, and nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, Self

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.families.contract import Tail
from itemcurve.families.support import Ranged, Support
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal, Prior
from itemcurve.models.transforms import FREE
from itemcurve.numerics.engine import NUMPY, Array, Engine


def _is_category(category: int, values: Array) -> Array:
    return (np.asarray(values) == category).astype(float)


@dataclass(frozen=True)
class Categorical(Ranged):
    """y ∈ {0, …, K−1}; T_k = [y = k], A = log(1 + Σ e^η_k)."""

    categories: int
    name: str = "categorical"
    is_continuous: ClassVar[bool] = False
    is_quasi: ClassVar[bool] = False

    @property
    def support(self) -> Support:
        return Support(0.0, float(self.categories - 1))

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        return [partial(_is_category, k) for k in range(1, self.categories)]

    def log_base(self, values: Array) -> Array:
        return np.zeros(np.shape(values))

    def check(self, values: Array) -> None:
        if not np.isin(values, np.arange(self.categories)).all():
            raise ResponsesError("Responses must be categories.", "Some are not.", "Recode them.")

    def log_partition(self, engine: Engine, eta: Sequence[Array]) -> Array:
        total = engine.xp.zeros_like(eta[0])
        for part in eta:
            total = engine.xp.logaddexp(total, part)
        return total

    def mean_statistics(self, engine: Engine, eta: Sequence[Array]) -> list[Array]:
        total = self.log_partition(engine, eta)
        return [engine.xp.exp(part - total) for part in eta]

    def covariance(self, engine: Engine, eta: Sequence[Array]) -> list[list[Array]]:
        p = self.mean_statistics(engine, eta)
        size = range(len(p))
        return [[p[i] * (i == j) - p[i] * p[j] for j in size] for i in size]

    def mean(self, engine: Engine, eta: Sequence[Array]) -> Array:
        return sum(k * p for k, p in enumerate(self.mean_statistics(engine, eta), start=1))

    def variance(self, engine: Engine, eta: Sequence[Array]) -> Array:
        squares = sum(k**2 * p for k, p in enumerate(self.mean_statistics(engine, eta), start=1))
        return squares - self.mean(engine, eta) ** 2

    def cumulative(self, eta: Sequence[Array], values: Array) -> Array:
        chances = self._chances(eta)
        return sum(p * (np.asarray(values) >= k) for k, p in enumerate(chances))

    def quantile(self, eta: Sequence[Array], share: float) -> Array:
        below = np.cumsum(self._chances(eta), axis=0)
        return (below < share).sum(axis=0).astype(float)

    def tails(
        self, engine: Engine, eta: Sequence[Array], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        return ()

    def sample(self, rng: np.random.Generator, eta: Sequence[Array]) -> Array:
        below = np.cumsum(self._chances(eta), axis=0)
        return (rng.random(np.shape(eta[0])) > below[:-1]).sum(axis=0).astype(float)

    def _chances(self, eta: Sequence[Array]) -> Array:
        p = self.mean_statistics(NUMPY, eta)
        return np.stack([1 - sum(p), *p])


@dataclass(frozen=True)
class PartialCredit:
    """K ordered categories; in the form of locations τ_j are deviations of the first thresholds."""

    categories: int
    parameters: tuple[ParameterSpec, ...]
    form: Literal["intercepts", "locations"] = "intercepts"
    name: str = "partial-credit"
    orientation: int = 1
    dimensions: ClassVar[int] = 1

    @property
    def family(self) -> Categorical:
        return Categorical(self.categories)

    @property
    def latent(self) -> LatentScale:
        return LatentScale()

    @property
    def ability_prior(self) -> Prior:
        return Normal(0.0, 3.0)

    @property
    def boundary(self) -> Boundary:
        return UNTREATED

    @property
    def steps(self) -> range:
        return range(1, self.categories)

    def natural(self, engine: Engine, abilities: Array, values: Array) -> Sequence[Array]:
        slope, theta = values[:, :1], abilities[..., 0]
        if self.form == "intercepts":
            return [k * slope * theta + values[:, k : k + 1] for k in self.steps]
        taus = self._summed_deviations(values)
        return [slope * (k * (theta - values[:, 1:2]) - taus[k]) for k in self.steps]

    def item_jacobian(
        self, engine: Engine, abilities: Array, values: Array, index: int
    ) -> Sequence[Array]:
        theta, slope = abilities[..., 0], values[:, :1]
        one = engine.xp.ones_like(theta) + 0.0 * slope
        if self.form == "intercepts":
            if index == 0:
                return [k * theta * one for k in self.steps]
            return [one * (k == index) for k in self.steps]
        if index == 0:
            taus = self._summed_deviations(values)
            return [one * (k * (theta - values[:, 1:2]) - taus[k]) for k in self.steps]
        if index == 1:
            return [-k * slope * one for k in self.steps]
        # τ_j counts from category j on, and less by as much in the last.
        place = index - 1
        last = self.categories - 1
        return [-slope * one * ((k >= place) - (k >= last)) for k in self.steps]

    def ability_jacobian(
        self, engine: Engine, abilities: Array, values: Array, dimension: int = 0
    ) -> Sequence[Array]:
        one = engine.xp.ones_like(abilities[..., 0])
        return [k * values[:, :1] * one for k in self.steps]

    def basis(self, engine: Engine, abilities: Array) -> Array:
        theta = abilities[..., 0]
        return engine.xp.stack([engine.xp.ones_like(theta), theta])

    def basis_weights(self, engine: Engine, values: Array) -> list[Array]:
        slope = values[:, 0]
        if self.form == "intercepts":
            constants = [values[:, k] for k in self.steps]
        else:
            taus = self._summed_deviations(values)
            constants = [-slope * (k * values[:, 1] + taus[k][:, 0]) for k in self.steps]
        pairs = zip(self.steps, constants, strict=True)
        return [engine.xp.stack([own, k * slope], axis=1) for k, own in pairs]

    def rescale(self, values: Array, location: Array, scale: Array) -> Array:
        slope = values[:, 0]
        if self.form == "intercepts":
            others = [values[:, k] + k * slope * location for k in self.steps]
        else:
            others = [(values[:, 1] - location) / scale, *(values[:, 2:] / scale).T]
        return values.__array_namespace__().stack([slope * scale, *others], axis=1)

    def start(self, summaries: ItemSummaries) -> Array:
        size = np.clip(2 * np.abs(summaries.correlations), 0.3, 1.5)
        slope = np.where(summaries.correlations < 0, -size, size)
        means = summaries.means / (self.categories - 1)
        shares = summaries.shares
        if shares is None:
            shares = np.repeat(means[:, None], self.categories, axis=1)
        logs = np.log(np.clip(shares, 0.02, 1.0))
        intercepts = logs[:, 1:] - logs[:, :1]
        values = np.column_stack([slope, intercepts])
        return values if self.form == "intercepts" else self._located(values)

    def report(self, values: Array) -> Mapping[str, Array]:
        slope, thresholds = values[:, 0], self._thresholds(values)
        found = {"steepness": slope, "place": thresholds.mean(axis=1)}
        return {**found, **{f"threshold_{k}": thresholds[:, k - 1] for k in self.steps}}

    @property
    def columns(self) -> Mapping[str, Role]:
        found = {"steepness": Role.SLOPE, "place": Role.LOCATION}
        return {**found, **{f"threshold_{k}": Role.THRESHOLD for k in self.steps}}

    def location(self, values: Array) -> Array:
        return self._thresholds(values).mean(axis=1)

    def population_form(self) -> Self:
        if self.form == "locations":
            return self
        slope = self.parameters[0]
        place = ParameterSpec("place", Role.LOCATION, FREE, Normal(0.0, 1.0))
        taus = [
            ParameterSpec(f"deviation_{k}", Role.THRESHOLD, FREE, Normal(-0.5, 1.0))
            for k in range(1, self.categories - 1)
        ]
        return replace(self, form="locations", parameters=(slope, place, *taus))

    def draw(self, rng: np.random.Generator, items: int) -> Array:
        slope = rng.lognormal(0, 0.3, items)
        steps = np.linspace(-1, 1, self.categories - 1)
        thresholds = rng.normal(size=(items, 1)) + steps
        values = np.column_stack([slope, -np.cumsum(slope[:, None] * thresholds, axis=1)])
        return values if self.form == "intercepts" else self._located(values)

    def _summed_deviations(self, values: Array) -> dict[int, Array]:
        """Σ_{j ≤ k} τ_j by category, 0 for the last."""
        found, total = {}, 0.0 * values[:, :1]
        for k in self.steps:
            if k < self.categories - 1:
                total = total + values[:, k + 1 : k + 2]
            found[k] = total if k < self.categories - 1 else 0.0 * total
        return found

    def _thresholds(self, values: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.form == "intercepts":
                return -np.diff(values[:, 1:], axis=1, prepend=0.0) / values[:, :1]
            taus = np.column_stack([values[:, 2:], -values[:, 2:].sum(axis=1)])
            return values[:, 1:2] + taus

    def _located(self, values: Array) -> Array:
        thresholds = self._thresholds(values) if self.form == "intercepts" else None
        if thresholds is None:
            thresholds = -np.diff(values[:, 1:], axis=1, prepend=0.0) / values[:, :1]
        place = thresholds.mean(axis=1)
        return np.column_stack([values[:, 0], place, (thresholds - place[:, None])[:, :-1]])


def partial_credit(categories: int) -> PartialCredit:
    """The model for so many categories."""
    slope = ParameterSpec("steepness", Role.SLOPE, FREE, Normal(1.0, 1.0), start=1.0)
    steps = [
        ParameterSpec(f"intercept_{k}", Role.INTERCEPT, FREE, Normal(0.0, 3.0))
        for k in range(1, categories)
    ]
    return PartialCredit(categories, (slope, *steps))
