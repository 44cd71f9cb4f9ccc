"""Answers that a model of all respondents did not expect of one: what to look at in each."""

from dataclasses import dataclass

import numpy as np

from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.estimation.result import FitResult
from itemcurve.models.mixed import MixedModel

# A page lists so many of each kind, of so many respondents, and looks at so many cells for it.
_SHOWN = 5
_MOST_RESPONDENTS = 500
_MOST_CELLS = 20_000_000
# In standard deviations of a response; less does not surprise.
_LEAST = 1.5


@dataclass(frozen=True)
class Surprises:
    """By respondent, items answered better and worse than expected, the most surprising first."""

    better: dict[str, list[str]]
    worse: dict[str, list[str]]


def find_surprises(fit: FitResult) -> Surprises | None:
    """Find them; None where there are too many respondents to show, or items of several models."""
    rows, columns = fit.responses.shape
    is_large = rows > _MOST_RESPONDENTS or rows * columns > _MOST_CELLS
    if is_large or isinstance(fit.estimates.model, MixedModel):
        return None
    blocks = [block.standardised for block in iterate_residuals(fit)]
    residuals = fit.estimates.model.orientation * np.concatenate(blocks, axis=1)
    names, items = fit.responses.respondents, fit.responses.items
    better, worse = {}, {}
    for name, row in zip(names, residuals, strict=True):
        order = np.argsort(row, kind="stable")
        worse[name] = [items[at] for at in order[:_SHOWN] if row[at] < -_LEAST]
        better[name] = [items[at] for at in order[::-1][:_SHOWN] if row[at] > _LEAST]
    return Surprises(better, worse)
