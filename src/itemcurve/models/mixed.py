"""Several models over the same abilities: every item follows one of them.

A fit has parts, as a bank has. Their parameters stand side by side: those that are described alike
share a column, and where an item's own model has no such parameter it is held. One more column says
which model an item follows, so that whoever is handed some of the items knows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, cast

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.families.contract import Family
from itemcurve.families.support import Ranged, Support
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.contract import ItemModel, LatentScale
from itemcurve.models.free_coordinates import free_columns
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Prior
from itemcurve.models.transforms import FREE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine

PART = "part"


@dataclass(frozen=True)
class MixedFamily(Ranged):
    """The families of several models: what can be said of their responses together."""

    families: tuple[Family, ...]
    name: str = "mixed"

    @property
    def support(self) -> Support:
        """From the lowest possible response to the highest."""
        ends = [family.support for family in self.families]
        return Support(min(end.lower for end in ends), max(end.upper for end in ends))

    @property
    def is_continuous(self) -> bool:
        """Whether any response has a density."""
        return any(family.is_continuous for family in self.families)

    @property
    def is_quasi(self) -> bool:
        """Whether of any response only the mean is described."""
        return any(family.is_quasi for family in self.families)

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """Those of the family that has most."""
        return max((family.statistics for family in self.families), key=len)

    def check(self, values: shapes.ItemValues) -> None:
        """Nothing: which responses are sound depends on the item."""


@dataclass(frozen=True)
class MixedModel:
    """Items of several models.

    Attributes
    ----------
    parts : the models.
    membership : of every item, the place of its model among them.
    """

    parts: tuple[ItemModel, ...]
    membership: tuple[int, ...]
    name: str = "mixed"

    def __post_init__(self) -> None:
        """Refuse models that speak of different abilities."""
        for what, words in (
            ("dimensions", "as many abilities"),
            ("orientation", "responses that all rise, or all fall, with ability"),
        ):
            if len({getattr(part, what) for part in self.parts}) > 1:
                raise ModelError(
                    f"The models of one fit must have {words}.",
                    f"Got {', '.join(part.name for part in self.parts)}.",
                    "Fit them apart.",
                )

    @cached_property
    def codes(self) -> shapes.PerItem:
        """The part of every item."""
        return np.array(self.membership)

    @property
    def family(self) -> Family:
        """The families of all parts; of their distributions each part speaks for itself."""
        return cast(Family, MixedFamily(tuple(part.family for part in self.parts)))

    @cached_property
    def parameters(self) -> tuple[ParameterSpec, ...]:
        """Those of all parts, the alike ones once, then the part of every item."""
        specs = [self._merged(spec) for spec in self._kinds]
        codes = tuple(float(code) for code in self.membership)
        return (*specs, ParameterSpec(PART, Role.PART, FREE, fixed=codes))

    @cached_property
    def _kinds(self) -> list[ParameterSpec]:
        """Each kind of parameter once, as it would be described if it were free."""
        kinds = {_kind(spec): None for part in self.parts for spec in part.parameters}
        return list(kinds)

    def _merged(self, kind: ParameterSpec) -> ParameterSpec:
        fixed: list[float | None] = [kind.start] * len(self.membership)
        prior, is_given = None, False
        for place, part in enumerate(self.parts):
            for spec in part.parameters:
                if _kind(spec) == kind:
                    prior = spec.prior if spec.is_free else prior
                    is_given = is_given or (spec.is_free and spec.is_prior_given)
                    held = spec.held(len(self.membership))
                    for item in np.flatnonzero(self.codes == place):
                        fixed[item] = None if np.isnan(held[item]) else float(held[item])
        everywhere = all(value is None for value in fixed)
        known = None if everywhere else tuple(fixed)
        return replace(kind, prior=prior, is_prior_given=is_given, fixed=known)

    @cached_property
    def _places(self) -> list[tuple[Array, Array]]:
        """Of each part: its columns of `values`, and its coordinates among the free ones."""
        kinds, free, found = self._kinds, list(free_columns(self)), []
        for part in self.parts:
            columns = [kinds.index(_kind(spec)) for spec in part.parameters]
            own = [free.index(columns[index]) for index in free_columns(part)]
            found.append((np.array(columns), np.array(own)))
        return found

    def columns_of(self, place: int) -> shapes.PerParameter:
        """Columns of `values` that are the parameters of one part, in its order."""
        return self._places[place][0]

    def free_places(self, place: int) -> shapes.PerCoordinate:
        """Where the free coordinates of one part lie among those of all."""
        return self._places[place][1]

    @property
    def dimensions(self) -> int:
        """How many abilities a respondent has."""
        return self.parts[0].dimensions

    @property
    def latent(self) -> LatentScale:
        """What all items absorb; where only some do, the others fix it."""
        own = [part.latent for part in self.parts]
        shifts, stretches = [scale.shifts for scale in own], [scale.stretches for scale in own]
        return LatentScale(
            shifts=all(shifts),
            stretches=all(stretches),
            is_mean_free=any(s.is_mean_free for s in own) or (any(shifts) and not all(shifts)),
            is_sd_free=any(s.is_sd_free for s in own) or (any(stretches) and not all(stretches)),
            # Beside items of other kinds, logits of abilities in (0, 1) are read as they are.
            is_logit=all(scale.is_logit for scale in own),
            is_open=all(scale.is_open for scale in own),
        )

    @property
    def ability_prior(self) -> Prior:
        """That of the first part."""
        return self.parts[0].ability_prior

    @property
    def orientation(self) -> int:
        """That of all parts."""
        return self.parts[0].orientation

    @property
    def boundary(self) -> Boundary:
        """Each part has its own."""
        return UNTREATED

    def rows_of(self, values: shapes.ItemValues, place: int) -> shapes.PerItem:
        """Which of these items follow a part (items)."""
        return values[:, -1] == place

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """Not one kind of them."""
        raise self._refusal()

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Not one kind of them."""
        raise self._refusal()

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """Not one kind of them."""
        raise self._refusal()

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Item parameters for abilities measured as (θ − location)/scale."""
        moved = np.array(values, dtype=float)
        for place, part in enumerate(self.parts):
            cells = np.ix_(self.rows_of(values, place), self.columns_of(place))
            moved[cells] = part.rescale(values[cells], location, scale)
        return moved

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Starting values, each part's own."""
        found = self._held()
        for place in range(len(self.parts)):
            rows = self.codes == place
            own = ItemSummaries(summaries.means[rows], summaries.correlations[rows])
            if summaries.parts:
                own = summaries.parts[place]
            found[np.ix_(rows, self.columns_of(place))] = self.part_model(place).start(own)
        return found

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """The columns of all parts, NaN where an item has none."""
        found = {name: np.full(len(values), np.nan) for name in self.columns}
        for place, part in enumerate(self.parts):
            rows = self.rows_of(values, place)
            own = dict(part.report(values[np.ix_(rows, self.columns_of(place))]))
            if "difficulty_logit" in own and not self.latent.is_logit:
                # All difficulties of a table are on the scale of its abilities.
                own["difficulty"] = own.pop("difficulty_logit")
            for name, column in own.items():
                found[name][rows] = column
        return found

    @property
    def columns(self) -> Mapping[str, Role]:
        """Those of all parts."""
        found = {name: role for part in self.parts for name, role in part.columns.items()}
        if not self.latent.is_logit:
            found.pop("difficulty_logit", None)
        return found

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Where each item sits on the scale of ability."""
        found = np.empty(len(values))
        for place, part in enumerate(self.parts):
            rows = self.rows_of(values, place)
            found[rows] = part.location(values[np.ix_(rows, self.columns_of(place))])
        return found

    def population_form(self) -> Self:
        """None: items of several models are no sample of one population."""
        raise ModelError(
            "Integrating items out needs items of one model.",
            f"Got {', '.join(part.name for part in self.parts)}.",
            "Use over='respondents'.",
        )

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """Draw item parameters, each part's own."""
        found = self._held()
        for place in range(len(self.parts)):
            rows = self.codes == place
            drawn = self.part_model(place).draw(rng, int(rows.sum()))
            found[np.ix_(rows, self.columns_of(place))] = drawn
        return found

    def _held(self) -> shapes.ItemValues:
        """Values where parameters are held; of free ones whatever comes."""
        return np.column_stack([np.nan_to_num(s.held(len(self.codes))) for s in self.parameters])

    def part_model(self, place: int) -> ItemModel:
        """A part's model with what is held per item cut to the items that are its own."""
        part, rows = self.parts[place], np.flatnonzero(self.codes == place)
        specs = tuple(
            replace(spec, fixed=tuple(spec.fixed[row] for row in rows))
            if isinstance(spec.fixed, tuple)
            else spec
            for spec in part.parameters
        )
        return replace(part, parameters=specs)  # type: ignore[type-var]

    def _refusal(self) -> ModelError:
        return ModelError(
            "This reads items of one model.",
            f"The fit has items of {', '.join(part.name for part in self.parts)}.",
            "Read fit.bank, whose parts have one each, or fit these items apart.",
        )


def _kind(spec: ParameterSpec) -> ParameterSpec:
    """What makes two parameters alike: all but where they are held."""
    return replace(spec, fixed=None, prior=None, is_prior_given=False)
