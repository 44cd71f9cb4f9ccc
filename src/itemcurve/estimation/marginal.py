"""Marginal maximum likelihood and marginal MAP, from either side of the data."""

from dataclasses import dataclass
from typing import Literal

from itemcurve.errors import ModelError
from itemcurve.estimation.climb import Report
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.marginal_over_items import fit_over_items
from itemcurve.estimation.marginal_over_respondents import fit_over_respondents
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Engine
from itemcurve.responses.matrix import Responses

Over = Literal["auto", "respondents", "items"]
StandardErrors = Literal["auto", "full", "blocks"]

# Below this many respondents (and fewer than items) the items are integrated out. Measured:
# docs/estimation.md has the table of coverage and error from both sides.
FEW_RESPONDENTS = 150


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
    """

    over: Over = "auto"
    tolerance: float = 1e-8
    max_iterations: int = 500
    standard_errors: StandardErrors = "auto"

    def estimate(
        self,
        responses: Responses,
        model: ItemModel,
        *,
        engine: Engine,
        report: Report | None = None,
    ) -> Estimates:
        """Fit the model to the responses."""
        if self.side(responses, model) == "items":
            return fit_over_items(self, responses, model, engine, report)
        return fit_over_respondents(self, responses, model, engine, report)

    def side(self, responses: Responses, model: ItemModel) -> str:
        """Which side is integrated out."""
        if self.over not in ("auto", "respondents", "items"):
            raise ModelError(
                "over must be 'auto', 'respondents' or 'items'.",
                f"Got {self.over!r}.",
                "Leave it out to let the shape of the data decide.",
            )
        if self.over != "auto":
            return self.over
        n_respondents, n_items = responses.shape
        free = [spec for spec in model.population_form().parameters if spec.is_free]
        held = [spec for spec in model.parameters if isinstance(spec.fixed, tuple)]
        can_integrate_items = (
            len(free) <= 3
            and not held
            and all(spec.prior is not None and spec.needs_few_nodes for spec in free)
        )
        is_plain = any(spec.prior is not None for spec in model.parameters if spec.is_free)
        few = n_respondents < min(n_items, FEW_RESPONDENTS)
        return "items" if few and can_integrate_items and is_plain else "respondents"
