"""Models of ordered categories: what graded response, partial credit and sequential share.

Between neighbouring categories lie steps, k = 1 … K−1, each with an intercept of its own:

z_k = aθ + e_k,   e_k = ē + c_k,   Σ c_k = 0,   e_k − e_{k+1} = g_{k+1}
z_k = a(θ − b) + c_k                              difficulty form, b = −ē/a

A threshold is where z_k = 0, b_k = −e_k/a; their mean is the item's difficulty b. Slope and mean
intercept are those of the 2PL, so items of both kinds are one population; gaps g between intercepts
stay as they are when the origin or the unit of ability changes. A model of this kind says how the
z_k give the logarithm of each category's weight, and nothing else. Of an item that has not all
categories, steps beyond its ends are there in thought, so that difficulties are comparable: an item
whose ratings are all 8 or 9 of 10 is easy, however hard it is to get the 9.

Parameters stand in the order discrimination, intercept (or difficulty), gap_2 … gap_{K−1}, used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

import numpy as np

from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.categories import Categories
from itemcurve.models.formulas.linear_predictor import (
    Form,
    as_values,
    predictor,
    predictor_slope,
    rescale,
    scale_of,
)
from itemcurve.models.formulas.logistic import DISCRIMINATION, INTERCEPT, with_difficulty
from itemcurve.models.formulas.step_products import Powers, StepProducts, of_parameters
from itemcurve.models.formulas.used_categories import (
    Change,
    Position,
    Steps,
    all_used,
    column_bits,
    gaps_between,
    held_gap,
    items_with_gap,
    restricted,
    used_by,
    used_spec,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.shapes import axes


@dataclass(frozen=True)
class OrderedCategories(Categories):
    """A model of ordered categories; subclasses give the weights of the categories.

    Attributes
    ----------
    has_common_gaps : gaps between steps that are the same for all items.
    is_slope_common : one slope for all items, estimated as the standard deviation of abilities.
    """

    is_slope_common: bool = False
    has_common_gaps: bool = False
    form: Form = "intercept"
    is_unordered: ClassVar[bool] = False

    @property
    def latent(self) -> LatentScale:
        """Intercepts absorb the origin; slopes, free or common, absorb the unit."""
        slope, second, *_ = self.parameters
        return scale_of(slope, second, self.is_slope_common and slope.fixed == 1.0)

    def log_weights(self, engine: Engine, at: Position) -> list[shapes.Curve]:
        """Logarithm of each category's weight, up to what they have in common."""
        raise NotImplementedError

    def weight_slopes(
        self, engine: Engine, at: Position, change: Change, gap_change: Change
    ) -> list[shapes.CurveSlope]:
        """Derivatives of `log_weights`, given those of all z_k and gaps."""
        raise NotImplementedError

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η_k = log P_k/P_0."""
        at = self._position(engine, abilities, values)
        weights = restricted(engine, at.steps, self.log_weights(engine, at))
        return [own - weights[0] for own in weights[1:]]

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives in the slope, the intercept (or difficulty), or a gap."""
        return self.item_jacobians(engine, abilities, values, (index,))[0]

    def item_jacobians(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        indices: Sequence[int],
    ) -> list[Sequence[shapes.CurveSlope]]:
        """The same of several parameters, which share most of the work."""
        at = self._position(engine, abilities, values)
        changes = [self._changes(at, abilities, values, index) for index in indices]
        return [self._slopes(engine, at, *own) for own in changes]

    def item_score(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        counts: Sequence[shapes.Curve],
        indices: Sequence[int],
    ) -> tuple[shapes.ItemCoordinates, shapes.ItemMatrices]:
        """Score and information, by way of the steps."""
        xp, powers = engine.xp, Powers.of(engine, abilities)
        at = self._position(engine, abilities, values)
        found = self.step_products(engine, at, counts, powers)
        # Steps are linear in ability: two abilities tell how they change.
        ends = xp.asarray([[0.0], [1.0]])
        there, shape = self._position(engine, ends, values), (values.shape[0], 2)
        changes = [self._changes(there, ends, values, index)[0] for index in indices]
        told = [
            xp.stack([xp.broadcast_to(xp.asarray(part), shape) for part in own], axis=1)
            for own in changes
        ]
        origin, above = (xp.stack([own[:, :, end] for own in told], axis=1) for end in (0, 1))
        return of_parameters(powers, found, origin, above - origin)

    def step_products(
        self, engine: Engine, at: Position, counts: Sequence[shapes.Curve], powers: Powers
    ) -> StepProducts:
        """What responses, so many in each category at each ability, say of each step."""
        raise NotImplementedError

    def _changes(
        self, at: Position, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> tuple[Change, Change]:
        """What a parameter does to every z_k and to the gaps."""
        if index < 2:
            slope = predictor_slope(self.form, abilities, values, index)
            return self.predictor_changes(at, values, slope, index)
        return self.gap_changes(at, values, index - 1)

    def predictor_changes(
        self, at: Position, values: shapes.ItemValues, slope: shapes.CurveSlope, index: int
    ) -> tuple[Change, Change]:
        """What slope or intercept (or difficulty) do to every z_k and to the gaps."""
        count = len(at.z)
        return (slope,) * count, (0.0,) * count

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """Every z_k rises by a."""
        at = self._position(engine, abilities, values)
        count = len(at.z)
        return self._slopes(engine, at, (values[:, 0:1],) * count, (0.0,) * count)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """A slope grows with the unit of ability; an intercept moves with its origin."""
        return rescale(self.form, values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations, intercepts and gaps from shares of categories."""
        correlation = np.clip(summaries.correlations, -0.75, 0.75)
        slope = 1.2 * correlation / np.sqrt(1 - correlation**2)
        if not self.parameters[0].is_free or self.parameters[0].transform is POSITIVE:
            slope = np.clip(np.abs(slope), 0.3, None)
        shares = summaries.shares
        if shares is None:
            shares = np.full((len(slope), self.categories), 1 / self.categories)
        has = self._has(len(slope))
        steps = np.where(has, self.start_steps(np.clip(shares, 0.005, None)), np.nan)
        # A logit averaged over abilities is flatter than the logit at average ability.
        steps = steps * np.sqrt(1 + 0.35 * slope**2)[:, None]
        return self._values(slope, steps)

    def start_steps(self, shares: shapes.ItemCategories) -> Annotated[Array, axes("items steps")]:
        """Intercepts of the steps at average ability, from shares of categories: of grades."""
        above = np.cumsum(shares[:, ::-1], axis=1)[:, ::-1][:, 1:]
        total = shares.sum(axis=1, keepdims=True)
        return np.log(above / (total - above))

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty (the mean threshold), thresholds and the mean intercept."""
        xp = values.__array_namespace__()
        slope, second = values[:, 0], values[:, 1]
        is_located = self.form == "difficulty"
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            difficulty = second if is_located else -second / slope
            offsets, steps = self._offsets_with_steps(values)
            thresholds = [difficulty - own[:, 0] / slope for own in offsets]
        if steps is not None:
            pairs = zip(thresholds, steps.has, strict=True)
            thresholds = [xp.where(has[:, 0] > 0, own, xp.nan) for own, has in pairs]
        return {
            "discrimination": slope,
            "difficulty": difficulty,
            **{f"threshold_{k}": own for k, own in enumerate(thresholds, start=1)},
            "intercept": -slope * second if is_located else second,
        }

    @property
    def columns(self) -> Mapping[str, Role]:
        """What each of them is."""
        return {
            "discrimination": Role.SLOPE,
            "difficulty": Role.LOCATION,
            **{f"threshold_{k}": Role.THRESHOLD for k in range(1, self.categories)},
            "intercept": Role.INTERCEPT,
        }

    def population_form(self) -> Self:
        """Items described by difficulty: where a population of items has a centre and a spread."""
        return replace(self, form="difficulty", parameters=with_difficulty(self.parameters))

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """B ~ N(0, 1), log a ~ N(0, 0.3²), thresholds 0.8 apart, give or take a third."""
        slope = (
            np.exp(0.3 * rng.normal(size=items)) if self.parameters[0].is_free else np.ones(items)
        )
        rows = 1 if self._is_common else items
        apart = 0.8 * np.exp(0.3 * rng.normal(size=(rows, self.categories - 2)))
        places = np.cumsum(np.column_stack([np.zeros(rows), apart]), axis=1)
        places = places - places.mean(axis=1, keepdims=True) + rng.normal(size=(items, 1))
        return self._values(slope, np.where(self._has(items), -slope[:, None] * places, np.nan))

    def with_categories(
        self,
        codes: Sequence[float],
        used: float | tuple[float, ...] | None = None,
        widths: Sequence[float] = (),
    ) -> Self:
        """The model of these categories, which items have as `used` says (all where it is None).

        Parameters
        ----------
        widths : how far the steps around each category lie apart, by category. What an item has not
            at the ends of the scale counts for its difficulty as if it were as wide as that.
        """
        bits = all_used(len(codes)) if used is None else used
        known = {spec.name: spec for spec in self.parameters}
        pattern = self.gap_spec
        if self.categories > 2:
            # Priors and the like that were set of all gaps hold of all gaps.
            pattern = replace(known["gap_2"], fixed=None)
        follows = items_with_gap(bits, len(codes))
        gaps = [
            replace(
                pattern,
                name=f"gap_{k}",
                # A gap that is common to all is that of those who have it.
                fixed=None
                if pattern.is_common
                else held_gap(widths[k - 1] if widths else pattern.start, follows, k - 1),
            )
            for k in range(2, len(codes))
        ]
        specs = (*self.parameters[:2], *gaps, used_spec(bits))
        return replace(self, codes=tuple(map(float, codes)), parameters=specs, is_open=False)

    def gaps_of(self, values: shapes.ItemValues) -> list[shapes.ItemColumn]:
        """Gaps between intercepts (items × 1 each)."""
        return [values[:, k : k + 1] for k in range(2, self.categories)]

    def gaps_from(
        self, slope: shapes.PerItem, gaps: Annotated[Array, axes("items gaps")]
    ) -> Annotated[Array, axes("items gaps")]:
        """Values of the parameters that give these gaps between intercepts."""
        return gaps

    @property
    def gap_spec(self) -> ParameterSpec:
        """What is said of every gap."""
        raise NotImplementedError

    @property
    def _is_common(self) -> bool:
        return self.categories > 2 and self.parameters[2].is_common

    def _position(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Position:
        base = predictor(self.form, abilities, values)
        offsets, steps = self._offsets_with_steps(values)
        gaps = [0.0 * values[:, 0:1], *self.gaps_of(values)]
        return Position(engine, [base + own for own in offsets], gaps, steps)

    def _offsets_with_steps(
        self, values: shapes.ItemValues
    ) -> tuple[list[shapes.ItemColumn], Steps | None]:
        """c_k of each step (items × 1), and which steps items have, where not all have all."""
        sums = [0.0 * values[:, 0:1]]
        gaps = self.gaps_of(values)
        if self._is_full:
            for gap in gaps:
                sums.append(sums[-1] + gap)
            mean = add_up(sums) / len(sums)
            return [mean - own for own in sums], None
        steps = Steps.of(column_bits(values), self.categories)
        for gap, skipped in zip(gaps, steps.skipped()[1:], strict=True):
            sums.append(sums[-1] + (1.0 - skipped) * gap)
        mean = add_up(sums) / len(sums)
        return [mean - own for own in sums], steps

    def gap_changes(
        self, at: Position, values: shapes.ItemValues, step: int
    ) -> tuple[Change, Change]:
        """What a gap before a step (from 0) does to every z_k and to the gaps."""
        count = len(at.z)
        share = (count - step) / count
        if at.steps is None:
            moved = tuple(share - float(k >= step) for k in range(count))
            return moved, tuple(float(k == step) for k in range(count))
        follows = at.steps.follows[step]
        turned = tuple(follows * (share - float(k >= step)) for k in range(count))
        return turned, tuple(follows * float(k == step) for k in range(count))

    def _slopes(
        self, engine: Engine, at: Position, change: Change, gap_change: Change
    ) -> list[shapes.CurveSlope]:
        own = self.weight_slopes(engine, at, change, gap_change)
        if at.steps is not None:
            own = [used * part for used, part in zip(at.steps.used, own, strict=True)]
        return [engine.xp.broadcast_to(part - own[0], at.z[0].shape) for part in own[1:]]

    def _has(self, items: int) -> Annotated[Array, axes("items steps")]:
        """Which items have which steps."""
        used = used_by(self.parameters[-1].held(items), self.categories)
        return used[:, 1:] & (np.cumsum(used, axis=1)[:, :-1] > 0)

    def _values(
        self, slope: shapes.PerItem, steps: Annotated[Array, axes("items steps")]
    ) -> shapes.ItemValues:
        """Parameters from the intercepts of the steps, NaN for those that an item has not."""
        gaps = self.gaps_from(slope, gaps_between(steps, self.gap_spec))
        if self._is_common and len(gaps):
            gaps = np.broadcast_to(np.median(gaps, axis=0), gaps.shape)
        mean = self._completed_mean(slope, steps, gaps)
        # Of a flat item the threshold may lie anywhere: it starts where a steeper one would.
        steep = np.where(slope < 0, -1.0, 1.0) * np.maximum(np.abs(slope), 0.2)
        second = mean if self.form == "intercept" else -mean / steep
        return as_values([slope, second, *gaps.T, np.zeros_like(slope)], self.parameters)

    def _completed_mean(
        self,
        slope: shapes.PerItem,
        steps: Annotated[Array, axes("items steps")],
        gaps: Annotated[Array, axes("items gaps")],
    ) -> shapes.PerItem:
        """Mean intercept of all steps, from those that an item has and where the others are."""
        bits = self.parameters[-1].held(len(steps))
        held = [spec.held(len(steps)) for spec in self.parameters[2:-1]]
        known = [np.where(np.isnan(h), own, h) for h, own in zip(held, gaps.T, strict=True)]
        values = np.stack([slope, np.zeros(len(steps)), *known, bits], axis=1)
        offsets = np.concatenate(self._offsets_with_steps(values)[0], axis=1)
        return np.nanmean(steps - offsets, axis=1)


UNIT_SLOPE = replace(DISCRIMINATION, prior=None, fixed=1.0)
# Its prior is taken as it is. In a population of items, estimated beside them, places on the scale
# are drawn together: over 60 × 200 answers thresholds rise by 0.92 for each 1 of the truth, and by
# 0.98 this way. Slopes and gaps, which say how a threshold follows from intercepts, are drawn.
MEAN_INTERCEPT = replace(INTERCEPT, is_prior_given=True)
