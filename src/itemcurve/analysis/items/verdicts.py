"""One word per item: what it does for the respondents it was given to.

The one rule for all: reports and pictures (`item_verdicts`) and audits (`audit_items`) start from
`judge_items`, and differ only in how they come to suspect a label.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult

if TYPE_CHECKING:
    import pandas

SUSPECT = "suspect label"
EASY, HARD, UNINFORMATIVE, INFORMATIVE = "easy", "hard", "uninformative", "informative"
CONSTANT = "constant"
VERDICTS = (INFORMATIVE, EASY, HARD, UNINFORMATIVE, CONSTANT, SUSPECT)
LABEL_ERROR = "label_error_probability"

EASY_FROM = 0.9
HARD_UNTO = 0.5
FLAT_BELOW = 0.1
_CERTAIN = 0.95


def judge_items(fit: FitResult, error_level: float | None = None) -> NDArray[np.str_]:
    """Give each item's verdict from its expected response at the middle half of abilities.

    Constant: everybody answered alike, at an end of the range. Easy: at least 0.9 of the range
    throughout, from the lower to the upper quartile of abilities. Hard: at most 0.5 throughout.
    Uninformative: neither, and it changes by less than 0.1 between the quartiles, so that it hardly
    tells these respondents apart. Informative: the rest. Expected errors e from 0 are read as
    1 / (1 + e / c).

    Parameters
    ----------
    error_level : c of models of errors, from which an item counts as hard; when left out 1 for
        normalised errors (that of always predicting the mean), else twice the median error.
    """
    quartiles = np.quantile(fit.estimates.abilities, (0.25, 0.5, 0.75))
    expected = _as_share(fit, fit.expected_response(quartiles), error_level)
    lowest, highest = expected.min(axis=0), expected.max(axis=0)
    is_constant = fit.item_ends.is_end(fit.responses.means(axis=0))
    is_flat = np.abs(expected[2] - expected[0]) < FLAT_BELOW
    return np.select(
        [is_constant, lowest >= EASY_FROM, highest <= HARD_UNTO, is_flat],
        [CONSTANT, EASY, HARD, UNINFORMATIVE],
        default=INFORMATIVE,
    )


def probability_negative(fit: FitResult) -> NDArray[np.float64]:
    """P(discrimination < 0) of each item; NaN where the fit tells no standard error.

    From the posterior of the item where the fit has one, else by the normal approximation.
    """
    from scipy.special import ndtr

    estimates = fit.estimates
    if "probability_negative" in estimates.item_extras:
        return np.asarray(estimates.item_extras["probability_negative"])
    _, slope, error = fit.slopes
    found = np.full(slope.shape, np.nan)
    known = np.isfinite(error) & (error > 0)
    found[known] = ndtr(-slope[known] / error[known])
    return found


@takes_evaluations
def item_verdicts(fit: FitResult, audit: "pandas.DataFrame | None" = None) -> "pandas.DataFrame":
    """Give a table of item, verdict and the probability that its discrimination is negative.

    Without a standard error the sign decides that probability. Where it is at least 0.95, better
    respondents clearly do worse, and the verdict is `suspect label`. An audit knows more: its
    verdicts and its `label_error_probability` are taken over where it has them.

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

    if audit is not None:
        _check_audit(audit)
    negative = probability_negative(fit)
    negative = np.where(np.isnan(negative), fit.slopes.values < 0, negative)
    words = judge_items(fit)
    is_suspect = (negative >= _CERTAIN) & (words != CONSTANT)
    words = np.where(is_suspect, SUSPECT, words)
    table = pandas.DataFrame(
        {"item": fit.responses.items, "verdict": words, "probability_negative": negative}
    )
    if audit is not None:
        names = audit["item"].astype(str)
        known = dict(zip(names, audit["verdict"].astype(str), strict=True))
        table["verdict"] = table["item"].map(known).fillna(table["verdict"])
        if LABEL_ERROR in audit:
            chances = pandas.to_numeric(audit[LABEL_ERROR], errors="coerce")
            table[LABEL_ERROR] = table["item"].map(dict(zip(names, chances, strict=True)))
    return table


def _check_audit(audit: "pandas.DataFrame") -> None:
    if not {"item", "verdict"} <= set(audit.columns):
        raise ModelError(
            "An audit is a table with columns item and verdict.",
            f"Got the columns {', '.join(map(str, audit.columns))}.",
            "Leave it out to judge items by the fit alone.",
        )


def _as_share(
    fit: FitResult, expected: NDArray[np.float64], error_level: float | None
) -> NDArray[np.float64]:
    """Bring expected responses to [0, 1], 1 the best."""
    if fit.estimates.model.family.is_bounded:
        return np.asarray(fit.item_ends.as_share(expected))
    if error_level is None:
        # Of errors in an unknown unit the median is all there is to go by; at the median itself,
        # half of any items would be hard.
        is_normalised = getattr(fit.estimates.model, "is_normalised", False)
        error_level = 1.0 if is_normalised else 2 * np.median(fit.responses.observed_values())
    # No errors at all: every item is easy.
    return np.asarray(error_level / (error_level + expected)) if error_level else 1.0 - expected
