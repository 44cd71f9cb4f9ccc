"""Findings about the model as a whole, and about respondents that it does not describe."""

import numpy as np

from itemcurve.analysis.findings.data_findings import count, verb
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.model_fit.item_margins import has_margins
from itemcurve.analysis.model_fit.overall_fit import model_fit
from itemcurve.analysis.respondents.person_fit import has_answers, person_fit
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories

# A test of 40 items takes a tenth of a second; what is wrong with a model shows there too.
_MOST_ITEMS = 40
_LEAST_RESPONDENTS = 200
_LEVEL, _MISFIT = 0.001, 0.05
_OF_RIGHT_AND_WRONG = "right", "wrong", "right that it should miss", "wrong that it should know"
_OF_GRADES = "good", "bad", "far better than its others foretell", "far worse"
# Beyond, all cells as one array may not fit into memory.
_MOST_CELLS = 2**22


def find_poor_model_fit(fit: FitResult) -> Finding | None:
    """A model that misses how pairs of items go together, beyond doubt and not by a little."""
    if fit.responses.shape[0] < _LEAST_RESPONDENTS or not has_margins(fit):
        return None
    try:
        found = model_fit(fit, most_items=_MOST_ITEMS)
    except ModelError:
        # Too few items for their parameters.
        return None
    if found.p_value > _LEVEL or found.rmsea_lower < _MISFIT:
        return None
    return Finding(
        "IRT020",
        "warning" if found.verdict == "poor" else "note",
        f"The model as a whole misses how items go together ({found.test}: RMSEA "
        f"{found.rmsea:.3f}, 90 % {found.rmsea_lower:.3f} to {found.rmsea_upper:.3f}; "
        f"SRMSR {found.srmsr:.3f}).",
        "Look at itemcurve.local_dependence; try a model with free slopes, or several abilities.",
    )


def find_odd_respondents(fit: FitResult) -> Finding | None:
    """Respondents that are right where it is hard and wrong where it is easy."""
    n_respondents, n_items = fit.responses.shape
    if n_respondents * n_items > _MOST_CELLS or not has_answers(fit):
        return None
    found = person_fit(fit)
    odd = np.flatnonzero(found.flagged)
    if not odd.size:
        return None
    is_graded = any(isinstance(part.model, HasCategories) for part in fit.bank.parts)
    good, bad, better, worse = _OF_GRADES if is_graded else _OF_RIGHT_AND_WRONG
    order = odd[np.argsort(found.p_value[odd], kind="stable")]
    worst = int(order[0])
    return Finding(
        "IRT021",
        "note",
        f"{count(odd.size, 'respondent')} of {n_respondents:,} {verb(odd.size)} {good} where items "
        f"are hard and {bad} where they are easy, beyond chance. {found.respondents[worst]} has "
        f"{count(int(found.better[worst]), 'answer')} {better} and "
        f"{int(found.worse[worst])} {worse}.",
        "Look for items that leaked to them, answers cut off or read wrongly, another prompt; "
        "their abilities say little.",
        tuple(found.respondents[place] for place in order),
    )
