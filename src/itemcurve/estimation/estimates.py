"""What every method hands over: estimates with their uncertainty, as plain arrays."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from itemcurve.bank.item_bank import BankPart
from itemcurve.errors import ModelError
from itemcurve.estimation.posterior_draws import Draws
from itemcurve.estimation.status import FitStatus
from itemcurve.models.contract import ItemModel, column_of
from itemcurve.models.mixed import MixedModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.shapes import (
    ItemMatrices,
    ItemValues,
    PerItem,
    PerRespondent,
    RespondentPoints,
)

# What a method may integrate out: a side of the data, nothing (points only), or both sides.
SIDES = ("respondents", "items", "nothing", "everything")


class ReportedColumn(NamedTuple):
    """A column of what tables show, with its standard errors (items each)."""

    name: str
    values: PerItem
    errors: PerItem


@dataclass(frozen=True)
class Estimates:
    """Estimates on the reported scale.

    Attributes
    ----------
    model : the model in the form its `values` are in.
    values : item parameters (items × parameters).
    covariance : of the free item parameters, in reported units (items × free × free).
    item_columns, item_errors : what tables show, and their standard errors, by name (items each).
    item_extras, respondent_extras : further columns a method can tell (posterior quantiles,
        probabilities, R-hat).
    ability_points, ability_point_errors : respondents × dimensions; `abilities` and
        `ability_errors` are the plain columns of one dimension.
    over : what was integrated out, one of `SIDES`.
    objective : what was maximised, in words; `objective_value` at the estimates.
    population : estimated locations and spreads, by name.
    standard_errors : where they come from, in words.
    at_bound : items with a parameter at the edge of its range.
    diagnostics : what the method says of its own work, by name.
    draws : from the posterior, where it was sampled.
    """

    model: ItemModel
    values: ItemValues
    covariance: ItemMatrices
    item_columns: dict[str, PerItem]
    item_errors: dict[str, PerItem]
    ability_points: RespondentPoints
    ability_point_errors: RespondentPoints
    log_likelihood: float
    objective: str
    objective_value: float
    n_parameters: int
    status: FitStatus
    iterations: int
    over: str
    standard_errors: str
    population: dict[str, float]
    at_bound: PerItem
    item_extras: dict[str, PerItem] = field(default_factory=dict)
    respondent_extras: dict[str, PerRespondent] = field(default_factory=dict)
    diagnostics: dict[str, float] = field(default_factory=dict)
    draws: Draws | None = None

    @property
    def abilities(self) -> PerRespondent:
        """The one ability of each respondent."""
        return _plain_column(self.ability_points)

    @property
    def ability_errors(self) -> PerRespondent:
        """Its standard error."""
        return _plain_column(self.ability_point_errors)

    def column(self, role: Role) -> ReportedColumn | None:
        """Give the first reported column of a role, None where the model has none."""
        name = column_of(self.model, role)
        if name is None:
            return None
        return ReportedColumn(name, self.item_columns[name], self.item_errors[name])


def _plain_column(points: RespondentPoints) -> PerRespondent:
    if points.shape[1] != 1:
        raise ModelError(
            "This reads one ability per respondent.",
            f"The fit has {points.shape[1]}.",
            "Read estimates.ability_points, or fit a model of one ability.",
        )
    return points[:, 0]


def bank_parts(estimates: Estimates) -> tuple[BankPart, ...]:
    """The calibrated items, those of each model apart."""
    model, values, covariance = estimates.model, estimates.values, estimates.covariance
    if not isinstance(model, MixedModel):
        return (BankPart(model, np.arange(len(values)), values, covariance),)
    found = []
    for place, part in enumerate(model.parts):
        rows, free = np.flatnonzero(model.codes == place), model.free_places(place)
        own = values[np.ix_(rows, model.columns_of(place))]
        found.append(BankPart(part, rows, own, covariance[np.ix_(rows, free, free)]))
    return tuple(found)
