"""The nominal response model (Bock 1972): categories in no order, each with a line of its own.

P_k ∝ exp(s_k θ + c_k),   s_0 = c_0 = 0 of the lowest category that an item has

Discrimination and difficulty are read off the lowest and the highest category: (s_K − s_0)/(K − 1),
which is the slope of partial credit where slopes lie evenly, and where both are equally likely.

Parameters stand in the order slope_1 … slope_{K−1}, intercept_1 … intercept_{K−1}, used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.categories import Categories
from itemcurve.models.formulas.linear_predictor import as_values, scale_of
from itemcurve.models.formulas.logistic import INTERCEPT
from itemcurve.models.formulas.used_categories import (
    NOTHING,
    Steps,
    all_used,
    column_bits,
    used_by,
    used_spec,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal
from itemcurve.models.transforms import FREE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine, add_up

# A category may be for the able as well as for the others.
CATEGORY_SLOPE = ParameterSpec(
    "slope_1", Role.SLOPE, FREE, Normal(0.0, 2.0), start=1.0, limits=(-30.0, 30.0)
)
CATEGORY_INTERCEPT = replace(INTERCEPT, name="intercept_1")


@dataclass(frozen=True)
class NominalResponse(Categories):
    """Categories in no order."""

    is_unordered: ClassVar[bool] = True
    has_common_gaps: ClassVar[bool] = False

    @property
    def latent(self) -> LatentScale:
        """Intercepts absorb the origin, slopes the unit."""
        if all(spec.is_free for spec in self.parameters[:-1]):
            # Where an item lacks a category, its other lines still absorb both.
            return LatentScale(is_unit_held=True)
        return scale_of(self.parameters[0], self.parameters[self.categories - 1])

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η_k = s_k θ + c_k, less the line of the lowest code."""
        theta, count = abilities[..., 0], self.categories - 1
        lines = [
            values[:, k : k + 1] * theta + values[:, count + k : count + k + 1]
            for k in range(count)
        ]
        if self._is_full:
            return lines
        used = Steps.of(column_bits(values), self.categories).used
        base = engine.xp.where(used[0] > 0, 0.0, NOTHING)
        pairs = zip(used[1:], lines, strict=True)
        return [engine.xp.where(own > 0, line, NOTHING) - base for own, line in pairs]

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """θ in a slope and 1 in an intercept, of its own category alone."""
        count, theta = self.categories - 1, abilities[..., 0]
        one = engine.xp.ones((values.shape[0], abilities.shape[-2]))
        own = one * theta if index < count else one
        place, nothing = index % count, engine.xp.zeros_like(one)
        return [own * self._mask(values, k) if k == place else nothing for k in range(count)]

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """The slopes."""
        one = engine.xp.ones((1, abilities.shape[-2]))
        slopes = (values[:, k : k + 1] for k in range(self.categories - 1))
        return [own * self._mask(values, k) * one for k, own in enumerate(slopes)]

    def basis(
        self, engine: Engine, abilities: shapes.AbilityPoints
    ) -> shapes.BasisFunctions | None:
        """1 and θ."""
        return engine.xp.stack([engine.xp.ones_like(abilities[..., 0]), abilities[..., 0]])

    def basis_weights(self, engine: Engine, values: shapes.ItemValues) -> list[shapes.BasisWeights]:
        """Intercepts and slopes."""
        origin = engine.xp.zeros((1, 1))
        at, rises = (f(engine, origin, values) for f in (self.natural, self.ability_jacobian))
        return [engine.xp.concatenate(pair, axis=1) for pair in zip(at, rises, strict=True)]

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Slopes grow with the unit of ability; intercepts move with its origin."""
        count = self.categories - 1
        slopes = [values[:, k] for k in range(count)]
        moved = [values[:, count + k] + own * location for k, own in enumerate(slopes)]
        stretched = [own * scale for own in slopes]
        return values.__array_namespace__().stack([*stretched, *moved, values[:, -1]], axis=1)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from the mean scores of those in each category, intercepts from shares."""
        items, count = len(summaries.means), self.categories
        shares = summaries.shares
        if shares is None:
            shares = np.full((items, count), 1 / count)
        heights = summaries.heights
        if heights is None:
            evenly = np.linspace(-1.0, 1.0, count)
            heights = np.clip(2 * summaries.correlations, -1.5, 1.5)[:, None] * evenly
        first = used_by(self.parameters[-1].held(items), count).argmax(axis=1)[:, None]
        logs = np.log(np.clip(shares, 0.005, None))
        lines = [part - np.take_along_axis(part, first, axis=1) for part in (heights, logs)]
        columns = [*lines[0][:, 1:].T, *lines[1][:, 1:].T, np.zeros(items)]
        return as_values(columns, self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination and difficulty of the lowest against the highest, then all lines."""
        count = self.categories - 1
        slopes = {f"slope_{k + 1}": values[:, k] for k in range(count)}
        intercepts = {f"intercept_{k + 1}": values[:, count + k] for k in range(count)}
        slope, intercept, steps = self._highest(values)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            found = {"discrimination": slope / steps, "difficulty": -intercept / slope}
        return {**found, **slopes, **intercepts}

    @property
    def columns(self) -> Mapping[str, Role]:
        """What each of them is."""
        steps = range(1, self.categories)
        return {
            "discrimination": Role.SLOPE,
            "difficulty": Role.LOCATION,
            **{f"slope_{k}": Role.SLOPE for k in steps},
            **{f"intercept_{k}": Role.INTERCEPT for k in steps},
        }

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """Slopes that rise from category to category by about one, intercepts of about one."""
        count = self.categories - 1
        steps = 0.8 * np.exp(0.3 * rng.normal(size=(items, count)))
        slopes, intercepts = np.cumsum(steps, axis=1), rng.normal(size=(items, count))
        return as_values([*slopes.T, *intercepts.T, np.zeros(items)], self.parameters)

    def with_categories(
        self,
        codes: Sequence[float],
        used: float | tuple[float, ...] | None = None,
        widths: Sequence[float] = (),
    ) -> Self:
        """The model of these categories, which items have as `used` says (all where it is None)."""
        bits = all_used(len(codes)) if used is None else used
        known = {spec.name: spec for spec in self.parameters}
        has = _has_line(bits, len(codes))
        specs = [
            replace(known[f"{kind}_1"], name=f"{kind}_{k}", fixed=_held(has, k))
            for kind in ("slope", "intercept")
            for k in range(1, len(codes))
        ]
        found = (*specs, used_spec(bits))
        return replace(self, codes=tuple(map(float, codes)), parameters=found, is_open=False)

    def _mask(self, values: shapes.ItemValues, place: int) -> shapes.ItemColumn | float:
        """Whether an item has the category of a line."""
        if self._is_full:
            return 1.0
        return Steps.of(column_bits(values), self.categories).used[place + 1]

    def _highest(
        self, values: shapes.ItemValues
    ) -> tuple[shapes.PerItem, shapes.PerItem, shapes.PerItem]:
        """Slope and intercept of the highest category that an item has, and its number of steps."""
        xp, count = values.__array_namespace__(), self.categories - 1
        slope, intercept = values[:, 0], values[:, count]
        used = Steps.of(column_bits(values), self.categories).used
        for k in range(1, count):
            has = used[k + 1][:, 0] > 0
            slope = xp.where(has, values[:, k], slope)
            intercept = xp.where(has, values[:, count + k], intercept)
        return slope, intercept, add_up(own[:, 0] for own in used) - 1.0


def _has_line(bits: float | tuple[float, ...], categories: int) -> Array | None:
    """Which items have which categories above their lowest; None where all have all."""
    if isinstance(bits, float):
        return None
    return np.concatenate(Steps.of(np.array(bits), categories).has, axis=1) > 0


def _held(has: Array | None, place: int) -> float | tuple[float | None, ...] | None:
    """Where a line is held at zero."""
    if has is None or has[:, place - 1].all():
        return None
    return tuple(None if own else 0.0 for own in has[:, place - 1])


_CODES = (0.0, 1.0, 2.0, 3.0)
_TWO = NominalResponse("nrm", (CATEGORY_SLOPE, CATEGORY_INTERCEPT, used_spec(3.0)), _CODES[:2])
NOMINAL_RESPONSE = replace(_TWO.with_categories(_CODES), is_open=True)
