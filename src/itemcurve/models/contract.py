"""What every item response model gives.

A model says how ability θ and the parameters of an item give the natural parameters of the
response. It holds no estimates and knows no method.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.models.boundary import Boundary
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Prior
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine


@dataclass(frozen=True)
class LatentScale:
    """The scale of ability that a model assumes: what items can absorb, and what is estimated.

    Attributes
    ----------
    shifts, stretches : whether another origin or unit of ability can be undone by the items, so
        that abilities are reported with mean 0 and standard deviation 1.
    is_mean_free, is_sd_free : whether the population's mean and standard deviation are estimated.
    is_logit : whether abilities are logits of values in (0, 1), and people read the latter too.
    is_open : whether the responses leave origin and unit of an absolute scale to the priors.
    is_unit_held : whether priors of the slopes, centred at zero, say nothing of their unit, so that
        it is that of the abilities' standard deviation with priors too.
    """

    shifts: bool = True
    stretches: bool = True
    is_mean_free: bool = False
    is_sd_free: bool = False
    is_logit: bool = False
    is_open: bool = False
    is_unit_held: bool = False

    @property
    def is_absolute(self) -> bool:
        """Whether abilities have an origin and unit of their own."""
        return self.is_mean_free and not (self.shifts or self.stretches)


class ItemModel(Protocol):
    """An item response model, as a frozen dataclass with a field `parameters`.

    `values` are item parameters as reported. What only some models can do is in `capabilities`.
    """

    @property
    def name(self) -> str:
        """Its name in the catalogue."""

    @property
    def family(self) -> Family:
        """The distribution of its responses."""

    @property
    def parameters(self) -> tuple[ParameterSpec, ...]:
        """Its item parameters, in the order of the columns of `values`."""

    @property
    def dimensions(self) -> int:
        """How many abilities a respondent has."""

    @property
    def latent(self) -> LatentScale:
        """Its assumptions on abilities."""

    @property
    def ability_prior(self) -> Prior:
        """Weak prior of an ability that is itself a parameter (fits over items)."""

    @property
    def orientation(self) -> int:
        """+1 when the expected response rises with ability, −1 when it falls (errors)."""

    @property
    def boundary(self) -> Boundary:
        """What becomes of continuous responses at the ends of their range."""

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """Natural parameters η_k, K arrays."""

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of η_k in the item parameter at `index`, K arrays."""

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """Derivatives of η_k in one of the abilities, K arrays."""

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """Item parameters for abilities measured as (θ − location)/scale: same responses."""

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Starting values from what responses to each item are like."""

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """The columns people read, in their order."""

    @property
    def columns(self) -> Mapping[str, Role]:
        """What each reported column is, in their order."""

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Where each item sits on the scale of ability."""

    def population_form(self) -> Self:
        """The same model in the coordinates in which a population of items is described.

        What takes up the origin of ability must be a location there: of an intercept a population
        has no centre that a scale could be fixed by.
        """

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """Draw item parameters for a simulation."""


def slope_of(model: ItemModel) -> ParameterSpec | None:
    """The slope of a model of one ability, None where it has none."""
    return next((spec for spec in model.parameters if spec.role is Role.SLOPE), None)


def has_free_slope(model: ItemModel) -> bool:
    """Whether slopes take up the unit of ability: estimated, of every item."""
    slope = slope_of(model)
    return slope is not None and slope.is_free_everywhere and not model.latent.is_unit_held


def column_of(model: ItemModel, role: Role) -> str | None:
    """The first reported column of a role, None where there is none."""
    return next((name for name, own in model.columns.items() if own is role), None)
