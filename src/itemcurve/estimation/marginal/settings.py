"""Marginal maximum likelihood and marginal MAP, from either side of the data."""

from dataclasses import dataclass
from typing import Literal

from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.integrated_side import choose_side
from itemcurve.estimation.marginal.over_items.fit_over_items import fit_over_items
from itemcurve.estimation.marginal.over_respondents.fit_over_respondents import fit_over_respondents
from itemcurve.estimation.method import FitTask
from itemcurve.estimation.settings_checks import check_choice, check_tolerance, check_whole
from itemcurve.models.contract import ItemModel
from itemcurve.responses.matrix import Responses

Over = Literal["auto", "respondents", "items"]
StandardErrors = Literal["auto", "full", "blocks"]
AbilityErrors = Literal["given items", "total"]
ItemPriors = Literal["estimated", "fixed"]


@dataclass(frozen=True)
class Marginal:
    """Integrate one side of the data out and maximise over the other.

    Parameters
    ----------
    over : `"respondents"` integrates abilities out (classical marginal likelihood), `"items"`
        integrates item parameters out, `"auto"` chooses by the shape of the data.
    tolerance : squared distance to the maximum, in standard errors, averaged over parameters.
    max_iterations : passes over the data.
    standard_errors : `"full"` observed information of all parameters together, `"blocks"` one
        item at a time, `"auto"` full where it is affordable.
    ability_errors : over respondents, `"given items"` takes items and population as known;
        `"total"` adds their uncertainty, by the full information. It is much the same for
        neighbours, so differences between respondents are surer than total errors make them look.
    item_priors : over respondents, `"estimated"` takes the default normal priors for a population
        whose mean and spread the items tell; `"fixed"` takes them as they are. A prior that you
        choose is always taken as it is.
    """

    over: Over = "auto"
    tolerance: float = 1e-7
    max_iterations: int = 500
    standard_errors: StandardErrors = "auto"
    ability_errors: AbilityErrors = "given items"
    item_priors: ItemPriors = "estimated"

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        advice = "Leave it out to let the data decide."
        check_choice("over", self.over, ("auto", "respondents", "items"), advice)
        check_choice("standard_errors", self.standard_errors, ("auto", "full", "blocks"), advice)
        check_choice("ability_errors", self.ability_errors, ("given items", "total"), advice)
        check_choice("item_priors", self.item_priors, ("estimated", "fixed"), advice)
        check_whole("max_iterations", self.max_iterations, 1)
        check_tolerance(self.tolerance)

    def estimate(self, task: FitTask) -> Estimates:
        """Fit the model to the responses."""
        responses, model = task.responses, task.model
        if self.side(responses, model) == "items":
            return fit_over_items(self, responses, model, task.engine, task.watch)
        return fit_over_respondents(self, responses, model, task.engine, task.watch)

    def side(self, responses: Responses, model: ItemModel) -> str:
        """Which side is integrated out."""
        if self.over != "auto":
            return self.over
        return choose_side(responses, model)
