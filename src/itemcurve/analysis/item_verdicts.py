"""One word per item, from the fit alone: what kind of item it is.

`constant` everybody answered alike; `suspect label` better respondents clearly do worse (the
discrimination is negative with probability at least 0.95): look at its label or key first;
`uninformative` its curve is flat within error; `hard` or `easy` beyond nine tenths of the
respondents; `informative` otherwise. An audit knows more and takes its place where there is one.
"""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

if TYPE_CHECKING:
    import pandas

VERDICTS = ("informative", "easy", "hard", "uninformative", "constant", "suspect label")
LABEL_ERROR = "label_error_probability"
_CERTAIN = 0.95
_RANGE = (0.1, 0.9)


def item_verdicts(fit: FitResult, audit: "pandas.DataFrame | None" = None) -> "pandas.DataFrame":
    """Give a table of item, verdict and the probability that its discrimination is negative.

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


def probability_negative(fit: FitResult) -> Array:
    """P(discrimination < 0) per item: the method's own, else by the normal approximation."""
    estimates = fit.estimates
    if "probability_negative" in estimates.item_extras:
        return np.asarray(estimates.item_extras["probability_negative"])
    from scipy.special import ndtr

    slope = estimates.item_columns["discrimination"]
    error = estimates.item_errors["discrimination"]
    is_known = np.isfinite(error) & (error > 0)
    chance = ndtr(-slope / np.where(is_known, error, 1.0))
    return np.where(is_known, chance, (slope < 0).astype(float))


def _words(fit: FitResult, negative: Array) -> list[str]:
    estimates = fit.estimates
    family_ends = estimates.model.family.support
    means = fit.responses.means(axis=0)
    slope = estimates.item_columns["discrimination"]
    error = np.nan_to_num(estimates.item_errors["discrimination"])
    difficulty = estimates.item_columns["difficulty"]
    abilities = estimates.abilities
    if estimates.model.latent.is_absolute:
        abilities = 1.0 / (1.0 + np.exp(-abilities))
    weak, strong = np.quantile(abilities, _RANGE)
    conditions = [
        (means <= family_ends[0]) | (means >= family_ends[1]),
        (negative >= _CERTAIN) & (slope < 0),
        (error > 0) & (np.abs(slope) < 2 * error),
        difficulty > strong,
        difficulty < weak,
    ]
    kinds = ["constant", "suspect label", "uninformative", "hard", "easy"]
    return [str(word) for word in np.select(conditions, kinds, default="informative")]
