"""Γ: errors from 0 upwards, with ability and difficulty in (0, 1).

e ~ Gamma(α, β),  α = c(δ/θ)^a,  β = ((1−δ)/(1−θ))^a  (shape, rate)

Moraes, Reinaldo, Prudêncio and Silva Filho (Γ-IRT). c is an item's own size of errors, known and
held fixed. An error divided by c has c times the rate, Gamma(α, cβ), and the expected value
(odds δ / odds θ)^a; the paper's equation 8 leaves that c out of the rate. `gamma` is the model of
raw errors as printed, `gamma-normalised` that of errors already divided by c.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.families.gamma import Gamma
from itemcurve.models.boundary import CENSORED, Boundary
from itemcurve.models.formulas.linear_predictor import as_values, away_from_zero
from itemcurve.models.formulas.unit_ability import (
    DIFFICULTY,
    DISCRIMINATION,
    PowersOfOdds,
)
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Beta
from itemcurve.models.transforms import POSITIVE
from itemcurve.numerics import shapes
from itemcurve.numerics.engine import Engine

ERROR_SIZE = ParameterSpec("error_size", Role.SPREAD, POSITIVE, None, fixed=1.0, start=1.0)


@dataclass(frozen=True)
class GammaErrors(PowersOfOdds):
    """Errors of respondents; abilities are logits of the paper's θ, and errors fall with them."""

    name: str
    parameters: tuple[ParameterSpec, ...]
    is_normalised: bool = False
    orientation: int = -1
    family: ClassVar[Family] = Gamma()
    columns: ClassVar[Mapping[str, Role]] = {
        **PowersOfOdds.columns,
        "error_size": Role.SPREAD,
    }
    boundary: Boundary = CENSORED

    def sizes(self, values: shapes.ItemValues) -> tuple[shapes.ItemColumn | float, ...]:
        """Shapes are c times a power; rates, which η₂ is minus, where errors are divided by c."""
        size = values[:, 2:3]
        return size, -size if self.is_normalised else -1.0

    def log_slopes(
        self,
        engine: Engine,
        abilities: shapes.AbilityPoints,
        values: shapes.ItemValues,
        index: int | None,
    ) -> Sequence[shapes.CurveSlope]:
        """∂ log|η_k| in c as well."""
        if index != 2:
            return super().log_slopes(engine, abilities, values, index)
        size = values[:, 2:3]
        return 1 / size, float(self.is_normalised) / size

    def start(self, summaries: ItemSummaries) -> shapes.ItemValues:
        """Slopes from item-rest correlations; δ where an able-by-half respondent has the mean."""
        slope = away_from_zero(1.5 * summaries.correlations, self.parameters[0])
        held = self.parameters[2].held(len(slope))
        size = np.where(np.isnan(held) | self.is_normalised, 1.0, held)
        share = summaries.means / size
        logit = np.clip(np.log(np.clip(share, 1e-3, 1e3)) / slope, -3.0, 3.0)
        columns = [slope, 1 / (1 + np.exp(-logit)), np.ones_like(slope)]
        return as_values(columns, self.parameters)

    def report(self, values: shapes.ItemValues) -> Mapping[str, shapes.PerItem]:
        """Discrimination, difficulty in (0, 1) and on the logit scale, size of errors."""
        return {**super().report(values), "error_size": values[:, 2]}

    def draw(self, rng: np.random.Generator, items: int) -> shapes.ItemValues:
        """δ ~ U(0, 1), a ~ |N(0, 1)|: the paper's simulation."""
        slope, difficulty = np.abs(rng.normal(size=items)), rng.random(items)
        columns = [slope, np.clip(difficulty, 1e-4, 1 - 1e-4), np.ones(items)]
        return as_values(columns, self.parameters)


# The scale of Γ hangs on the data by a thread: a density of logit δ would pull all difficulties
# inwards and the scale with them (slope 0.76 instead of 0.93 over 200 respondents × 40 items).
_DIFFICULTY = replace(DIFFICULTY, prior=Beta(1.0, 1.0))
GAMMA = GammaErrors("gamma", (DISCRIMINATION, _DIFFICULTY, ERROR_SIZE))
GAMMA_NORMALISED = replace(GAMMA, name="gamma-normalised", is_normalised=True)
