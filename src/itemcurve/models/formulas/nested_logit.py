"""The nested logit model (Suh and Bolt 2010): right or wrong, and which of the wrong options.

P(right) = σ(z),   z = aθ + e;   P(option k) = (1 − σ(z)) · exp(s_k θ + c_k)/Σ_j exp(s_j θ + c_j)

over the wrong options j. Whether an answer is right tells of ability as in the 2PL; which wrong one
was chosen tells more. The lowest wrong option that an item has is the one others are compared with:
s = c = 0.

Parameters stand in the order discrimination, intercept, slope_0 … slope_{K−1}, intercept_0 …
intercept_{K−1} by position among the codes, key (the code of the right option), used.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.categories import Categories
from itemcurve.models.formulas.linear_predictor import as_values, predictor, scale_of
from itemcurve.models.formulas.logistic import DISCRIMINATION, INTERCEPT
from itemcurve.models.formulas.nominal_response import CATEGORY_SLOPE
from itemcurve.models.formulas.used_categories import (
    NOTHING,
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

OPTION_SLOPE = replace(CATEGORY_SLOPE, name="slope_0", prior=Normal(0.0, 1.0), start=0.0)
OPTION_INTERCEPT = replace(INTERCEPT, name="intercept_0")
KEY = "key"


class Options(NamedTuple):
    """What a respondent meets at an item.

    Attributes
    ----------
    z : of the right option (items × abilities).
    lines : of every option, −∞ where it is the right one or is not there.
    shares : of each among the wrong ones.
    right : which option is the right one (items × 1 each).
    wrong : which options are wrong ones (items × 1 each).
    """

    z: shapes.Curve
    lines: list[shapes.Curve]
    shares: list[shapes.Curve]
    right: list[shapes.ItemColumn]
    wrong: list[shapes.ItemColumn]


@dataclass(frozen=True)
class NestedLogit(Categories):
    """Right or wrong, and which of the wrong options."""

    is_unordered: ClassVar[bool] = True
    has_common_gaps: ClassVar[bool] = False

    @property
    def latent(self) -> LatentScale:
        """Intercepts absorb the origin, slopes the unit."""
        return replace(scale_of(self.parameters[0], self.parameters[1]), is_unit_held=True)

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η_k = log P_k/P_0, P_0 that of the lowest code."""
        xp, at = engine.xp, self._options(engine, abilities, values)
        fails = -xp.logaddexp(0.0, at.z)
        total = _log_sum(engine, at.lines)
        weights = [
            xp.where(right > 0, at.z + fails, xp.maximum(fails + line - total, NOTHING))
            for right, line in zip(at.right, at.lines, strict=True)
        ]
        return [own - weights[0] for own in weights[1:]]

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives in the 2PL of the right option, or in the line of one option."""
        theta = abilities[..., 0]
        at, nothing = self._options(engine, abilities, values), engine.xp.zeros((1, 1))
        if index < 2:
            change = theta if index == 0 else 1.0
            return self._slopes(engine, at, change + nothing, [nothing] * self.categories)
        place = (index - 2) % self.categories
        own = theta if index - 2 < self.categories else 1.0
        lines = [nothing + (own if k == place else 0.0) for k in range(self.categories)]
        return self._slopes(engine, at, nothing, lines)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """Along the 2PL and all lines."""
        at = self._options(engine, abilities, values)
        lines = [values[:, 2 + k : 3 + k] for k in range(self.categories)]
        return self._slopes(engine, at, values[:, 0:1], lines)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Slopes grow with the unit of ability; intercepts move with its origin."""
        count = self.categories
        slopes = [values[:, 0], *(values[:, 2 + k] for k in range(count))]
        seconds = [values[:, 1], *(values[:, 2 + count + k] for k in range(count))]
        wide = [own * scale for own in slopes]
        moved = [own + s * location for own, s in zip(seconds, slopes, strict=True)]
        rest = [values[:, -2], values[:, -1]]
        columns = [wide[0], moved[0], *wide[1:], *moved[1:], *rest]
        return values.__array_namespace__().stack(columns, axis=1)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes of 1, intercepts from the share of right answers and of each wrong option."""
        items, count = len(summaries.means), self.categories
        shares = summaries.shares
        if shares is None:
            shares = np.full((items, count), 1 / count)
        shares = np.clip(shares, 0.005, 0.995)
        right = self._key(items)[:, None] == np.array(self.codes)
        share = np.where(right.any(axis=1), (shares * right).sum(axis=1), 0.5)
        logs = np.log(shares)
        wrong = used_by(self.parameters[-1].held(items), count) & ~right
        lowest = np.take_along_axis(logs, wrong.argmax(axis=1)[:, None], axis=1)
        slopes = [np.full(items, spec.start) for spec in self.parameters[2 : 2 + count]]
        ones = np.ones(items)
        columns = [ones, np.log(share / (1 - share)), *slopes, *(logs - lowest).T, ones, ones]
        return as_values(columns, self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty and intercept of the right option, then all lines."""
        count = self.categories
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            difficulty = -values[:, 1] / values[:, 0]
        return {
            "discrimination": values[:, 0],
            "difficulty": difficulty,
            "intercept": values[:, 1],
            **{f"slope_{k}": values[:, 2 + k] for k in range(count)},
            **{f"intercept_{k}": values[:, 2 + count + k] for k in range(count)},
        }

    @property
    def columns(self) -> Mapping[str, Role]:
        """What each of them is."""
        places = range(self.categories)
        return {
            "discrimination": Role.SLOPE,
            "difficulty": Role.LOCATION,
            "intercept": Role.INTERCEPT,
            **{f"slope_{k}": Role.SLOPE for k in places},
            **{f"intercept_{k}": Role.INTERCEPT for k in places},
        }

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """The 2PL of the right option as ever, lines of wrong options around zero."""
        count = self.categories
        slope, difficulty = np.exp(0.4 * rng.normal(size=items)), rng.normal(size=items)
        lines = [0.5 * rng.normal(size=(items, count)), 0.7 * rng.normal(size=(items, count))]
        columns = [slope, -slope * difficulty, *lines[0].T, *lines[1].T]
        known = self.completed(items)
        return as_values([*columns, np.zeros(items), np.zeros(items)], known.parameters)

    def with_categories(
        self,
        codes: Sequence[float],
        used: float | tuple[float, ...] | None = None,
        widths: Sequence[float] = (),
    ) -> Self:
        """The model of these options, which items have as `used` says (all where it is None)."""
        bits = all_used(len(codes)) if used is None else used
        known = {spec.name: spec for spec in self.parameters}
        specs = [
            replace(known[f"{kind}_0"], name=f"{kind}_{k}", fixed=None)
            for kind in ("slope", "intercept")
            for k in range(len(codes))
        ]
        found = (*self.parameters[:2], *specs, known[KEY], used_spec(bits))
        return replace(self, codes=tuple(map(float, codes)), parameters=found, is_open=False)

    def completed(self, items: int) -> Self:
        """The model with those lines held that are none: of the key, and of what it is measured by.

        Raises
        ------
        ModelError : the right option of an item is not known.
        """
        key, count = self._key(items), self.categories
        right = key[:, None] == np.array(self.codes)
        if not right.any(axis=1).all():
            known = ", ".join(f"{code:g}" for code in self.codes)
            raise ModelError(
                "nested-logit needs the right option of every item.",
                f"Got {self.parameters[-2].fixed!r}; the options are {known}.",
                "Give key=, one of these for each item, or one for all.",
            )
        wrong = used_by(self.parameters[-1].held(items), count) & ~right
        has = wrong & (np.cumsum(wrong, axis=1) > 1)
        lines = [
            replace(spec, fixed=tuple(None if own else 0.0 for own in has[:, place % count]))
            for place, spec in enumerate(self.parameters[2 : 2 + 2 * count])
        ]
        return replace(self, parameters=(*self.parameters[:2], *lines, *self.parameters[-2:]))

    def _key(self, items: int) -> shapes.PerItem:
        return self.parameters[-2].held(items)

    def _options(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Options:
        xp, count, theta = engine.xp, self.categories, abilities[..., 0]
        bits, key = column_bits(values)[:, None], values[:, -2:-1]
        right = [1.0 * (key == code) for code in self.codes]
        used = [xp.floor(bits / 2.0**k) % 2.0 for k in range(count)]
        wrong = [own * (1.0 - r) for own, r in zip(used, right, strict=True)]
        lines = [
            values[:, 2 + k : 3 + k] * theta + values[:, 2 + count + k : 3 + count + k]
            for k in range(count)
        ]
        lines = [xp.where(w > 0, own, NOTHING) for w, own in zip(wrong, lines, strict=True)]
        total = _log_sum(engine, lines)
        shares = [xp.exp(own - total) for own in lines]
        return Options(predictor("intercept", abilities, values), lines, shares, right, wrong)

    def _slopes(
        self, engine: Engine, at: Options, change: Array, lines: Sequence[Array]
    ) -> list[shapes.CurveSlope]:
        """Derivatives of η, given those of z and of the lines."""
        chance = engine.special.expit(at.z)
        typical = add_up(share * own for share, own in zip(at.shares, lines, strict=True))
        weights = [
            right * (1.0 - chance) * change + wrong * (own - typical - chance * change)
            for right, wrong, own in zip(at.right, at.wrong, lines, strict=True)
        ]
        return [engine.xp.broadcast_to(own - weights[0], at.z.shape) for own in weights[1:]]


def _log_sum(engine: Engine, lines: Sequence[shapes.Curve]) -> shapes.Curve:
    """Log Σ exp of the lines."""
    xp, top = engine.xp, lines[0]
    for own in lines[1:]:
        top = xp.maximum(top, own)
    return top + xp.log(add_up(xp.exp(own - top) for own in lines))


_CODES = (0.0, 1.0, 2.0, 3.0)
# No code: the right options are for the user to say.
_KEY = ParameterSpec(KEY, Role.PART, FREE, fixed=-1e6)
_SPECS = (DISCRIMINATION, INTERCEPT, OPTION_SLOPE, OPTION_INTERCEPT, _KEY, used_spec(1.0))
NESTED_LOGIT = replace(
    NestedLogit("nested-logit", _SPECS, _CODES[:1]).with_categories(_CODES), is_open=True
)
