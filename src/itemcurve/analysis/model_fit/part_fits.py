"""A fit of several models as one fit of each: what a test of one kind of responses can read."""

from dataclasses import replace

from itemcurve.estimation.result import FitResult
from itemcurve.models.mixed import MixedModel
from itemcurve.numerics.shapes import PerItem


def part_fits(fit: FitResult) -> list[tuple[PerItem, FitResult]]:
    """Positions of each model's items, with the fit of them alone: same abilities, same items."""
    model, estimates = fit.estimates.model, fit.estimates
    if not isinstance(model, MixedModel):
        return [(fit.bank.parts[0].positions, fit)]
    found = []
    for place, part in enumerate(fit.bank.parts):
        rows = part.positions
        own = replace(
            estimates,
            model=model.part_model(place),
            values=part.values,
            covariance=part.covariance,
            item_columns={name: column[rows] for name, column in estimates.item_columns.items()},
            item_errors={name: column[rows] for name, column in estimates.item_errors.items()},
            item_extras={name: column[rows] for name, column in estimates.item_extras.items()},
            at_bound=estimates.at_bound[rows],
        )
        found.append(
            (rows, replace(fit, responses=fit.responses.take(None, rows.tolist()), estimates=own))
        )
    return found
