"""Findings about forecasts of numbers: errors that one item makes."""

import numpy as np

from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.predictions import Forecasts

# Of the whole error of a respondent, on this many items or more.
_MOST_OF_IT = 0.5
_LEAST_ITEMS = 20
_NAMED = 3


def find_deciding_item(forecasts: Forecasts) -> Finding | None:
    """One item that makes more than half of the whole error of some respondent.

    Such an item hides what the respondent does on all others, and makes its interval so wide that
    it is told from nobody. Mostly its features are far outside those of the others: a slip of the
    decimal point, another unit, a code for missing values.
    """
    if len(forecasts.items) < _LEAST_ITEMS:
        return None
    own = np.flatnonzero(~forecasts.is_reference)
    errors = np.abs(forecasts.values[own] - forecasts.targets)
    totals, worst = errors.sum(axis=1), errors.argmax(axis=1)
    shares = np.divide(errors.max(axis=1), totals, out=np.zeros(len(own)), where=totals > 0)
    decided = np.flatnonzero(shares > _MOST_OF_IT)
    if not len(decided):
        return None
    decided = decided[np.argsort(-shares[decided], kind="stable")]
    items = list(dict.fromkeys(forecasts.items[worst[row]] for row in decided))
    names = [forecasts.respondents[own[row]] for row in decided]
    usual = forecasts.usual_error or 1.0
    left = 1 - (totals - errors.max(axis=1))[decided] / (len(forecasts.items) - 1) / usual
    low, high = round(float(left.min()), 2), round(float(left.max()), 2)
    skill = f"{low:.2f}" if low == high else f"{low:.2f} to {high:.2f}"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Finding(
        "IRT019",
        "warning",
        f"One item ({', '.join(items[:_NAMED])}) makes most of the whole error of "
        f"{', '.join(names[:_NAMED])}{more} ({shares[decided[0]]:.0%} of it at most). Without it "
        f"{'its' if len(names) == 1 else 'their'} skill would be {skill}.",
        f"Look at the values of {items[0]}: a slip of the decimal point, another unit or a code "
        "for missing values would explain it. Correct it or leave it out, and evaluate again.",
        (*items, *names),
    )
