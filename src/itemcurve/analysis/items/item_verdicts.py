"""One word per item, from the fit alone: what kind of item it is.

The verdicts of `judge_items`, and `suspect label` where better respondents clearly do worse (the
discrimination is negative with probability at least 0.95): look at its label or key first. An audit
knows more and takes its place where there is one.
"""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.items.audit_verdicts import (
    CONSTANT,
    SUSPECT,
    judge_items,
    probability_negative,
)
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

LABEL_ERROR = "label_error_probability"
_CERTAIN = 0.95


def item_verdicts(fit: FitResult, audit: "pandas.DataFrame | None" = None) -> "pandas.DataFrame":
    """Give a table of item, verdict and the probability that its discrimination is negative.

    Without a standard error the sign decides that probability.
    An audit's `label_error_probability` is taken over where it has one.

    Parameters
    ----------
    audit : a table with columns `item` and `verdict` that knows better.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=200, items=5, seed=1).responses)
    >>> list(ic.item_verdicts(fit).columns)
    ['item', 'verdict', 'probability_negative']
    """
    import pandas

    negative = probability_negative(fit)
    negative = np.where(np.isnan(negative), fit.slopes.values < 0, negative)
    words = _words(fit, negative)
    if audit is not None:
        if not {"item", "verdict"} <= set(audit.columns):
            raise ModelError(
                "An audit is a table with columns item and verdict.",
                f"Got the columns {', '.join(map(str, audit.columns))}.",
                "Leave it out to judge items by the fit alone.",
            )
        known = dict(zip(audit["item"].astype(str), audit["verdict"].astype(str), strict=True))
        words = [
            known.get(item, word) for item, word in zip(fit.responses.items, words, strict=True)
        ]
    table = pandas.DataFrame(
        {"item": fit.responses.items, "verdict": words, "probability_negative": negative}
    )
    if audit is not None and LABEL_ERROR in audit:
        chances = pandas.to_numeric(audit[LABEL_ERROR], errors="coerce")
        table[LABEL_ERROR] = table["item"].map(
            dict(zip(audit["item"].astype(str), chances, strict=True))
        )
    return table


def _words(fit: FitResult, negative: Array) -> list[str]:
    words = judge_items(fit)
    is_suspect = (negative >= _CERTAIN) & (words != CONSTANT)
    return [str(word) for word in np.where(is_suspect, SUSPECT, words)]
