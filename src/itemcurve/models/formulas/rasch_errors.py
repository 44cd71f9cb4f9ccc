"""Rasch's model of errors: how often a respondent errs times how much an item makes err.

E[e | θ] = exp(b − θ)

Rasch (1960), chapter 2, for misreadings. With all items answered, abilities are minus the logs of
the mean errors and nothing else, whatever the items are like: each error counts for what it is, as
in the mean absolute error. Errors need not be counts (`QuasiPoisson`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.families.quasi_poisson import QuasiPoisson
from itemcurve.models.boundary import UNTREATED, Boundary
from itemcurve.models.contract import LatentScale
from itemcurve.models.formulas.linear_predictor import (
    COLUMNS,
    Form,
    as_values,
    location,
    predictor,
    predictor_slope,
    report,
    rescale,
    scale_of,
)
from itemcurve.models.formulas.logistic import DIFFICULTY, DISCRIMINATION, INTERCEPT
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal, Prior
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Array, Engine

_SMALLEST_MEAN = 1e-3


@dataclass(frozen=True)
class RaschErrors:
    """Errors with mean e^−z, z = a(θ − b) or aθ + e, a held at 1 unless asked otherwise."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    form: Form = "intercept"
    orientation: int = -1
    dimensions: ClassVar[int] = 1
    family: ClassVar[Family] = QuasiPoisson()
    ability_prior: ClassVar[Prior] = Normal(0.0, 3.0)
    """N(0, 3²): errors from a twentieth to twenty times the usual."""
    boundary: ClassVar[Boundary] = UNTREATED
    columns: ClassVar[Mapping[str, Role]] = COLUMNS

    @property
    def latent(self) -> LatentScale:
        """Difficulties absorb the origin; the unit is that of log errors."""
        return scale_of(self.parameters[0], self.parameters[1])

    def natural(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues
    ) -> Sequence[shapes.Curve]:
        """η = −z, the log of the mean error."""
        return (-predictor(self.form, abilities, values),)

    def item_jacobian(
        self, engine: Engine, abilities: shapes.AbilityPoints, values: shapes.ItemValues, index: int
    ) -> Sequence[shapes.CurveSlope]:
        """Derivative of η in a, e (or b)."""
        slope = predictor_slope(self.form, abilities, values, index)
        return (-slope + 0.0 * predictor(self.form, abilities, values),)

    def ability_jacobian(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        dimension: int = 0,
    ) -> Sequence[shapes.CurveSlope]:
        """∂η/∂θ = −a."""
        return (-values[:, 0:1] + 0.0 * predictor(self.form, abilities, values),)

    def rescale(
        self, values: shapes.ItemValues, location: shapes.PerItemOrOne, scale: shapes.PerItemOrOne
    ) -> shapes.ItemValues:
        """A slope grows with the unit of ability; an intercept moves with its origin."""
        return rescale(self.form, values, location, scale)

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Difficulties are the logs of mean errors."""
        logs = np.log(np.maximum(summaries.means, _SMALLEST_MEAN))
        return as_values([np.ones_like(logs), self._second(logs)], self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty and intercept."""
        return report(self.form, values)

    def location(self, values: shapes.ItemValues) -> shapes.PerItem:
        """Difficulty, on the scale of ability."""
        return location(self.form, values)

    def population_form(self) -> Self:
        """Items described by difficulty."""
        second = self.parameters[1]
        difficulty = replace(DIFFICULTY, prior=None if second.prior is None else DIFFICULTY.prior)
        return replace(self, form="difficulty", parameters=(self.parameters[0], difficulty))

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """Draw b ~ N(0, 1)."""
        columns = [np.ones(items), self._second(rng.normal(size=items))]
        return as_values(columns, self.parameters)

    def _second(self, difficulty: Array) -> Array:
        """Difficulties with slope 1 in the form the values are in."""
        return difficulty if self.form == "difficulty" else -difficulty


RASCH_ERRORS = RaschErrors(
    "rasch-errors", (replace(DISCRIMINATION, prior=None, fixed=1.0), INTERCEPT)
)
