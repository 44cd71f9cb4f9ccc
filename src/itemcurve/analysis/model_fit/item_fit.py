"""How well the curve of each item describes its responses.

Outfit is the mean squared standardised residual, infit the same weighted by information (Wright
and Masters, 1982): near 1 when the model holds, above when responses are noisier than it says.
The test is S-X² (Orlando and Thissen, 2000) for complete right-or-wrong responses to at most 100
items; for longer or incomplete ones, where abilities are known more precisely, χ² over groups of
ability (Yen, 1981); for continuous responses, χ² of the probability integral transform, which is
uniform when the model holds. Shares of right answers under a logistic model have no test.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.model_fit.chi_squared_tests import (
    GROUPED,
    PIT,
    SCORE,
    grouped_test,
    pit_test,
)
from itemcurve.analysis.model_fit.part_fits import part_fits
from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.analysis.model_fit.s_x2 import can_group_by_score, score_test
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class ItemFit:
    """Fit statistics, one per item; NaN where the data are too few for the test.

    Attributes
    ----------
    test : name of the test.
    p_adjusted : by Benjamini and Hochberg, over the items.
    """

    items: tuple[str, ...]
    outfit: Array
    infit: Array
    test: str
    statistic: Array
    degrees_of_freedom: Array
    p_value: Array

    @property
    def p_adjusted(self) -> Array:
        """p-values adjusted for the number of items, controlling the false-discovery rate."""
        return adjust(self.p_value)

    def frame(self) -> "pandas.DataFrame":
        """One row per item."""
        tests = ("statistic", "degrees_of_freedom", "p_value", "p_adjusted")
        return tabulate(self, "outfit", "infit", *tests, item=self.items)


@takes_evaluations
def item_fit(fit: FitResult, *, seed: int = 0) -> ItemFit:
    """Give fit statistics of every item.

    Parameters
    ----------
    seed : censored responses are placed at random inside their tail; the same seed places them
        alike.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=500, items=10, seed=1).responses)
    >>> ic.item_fit(fit).test
    'S-X²'
    """
    outfit, infit = _mean_squares(fit)
    return ItemFit(fit.responses.items, outfit, infit, *_tested(fit, seed))


def _tested(fit: FitResult, seed: int) -> tuple[str, Array, Array, Array]:
    """Name of the test and what it found; of several models, each model's items by themselves."""
    if can_group_by_score(fit):
        return SCORE, *score_test(fit)
    names, columns = [], [np.full(len(fit.responses.items), np.nan) for _ in range(3)]
    for rows, part in part_fits(fit):
        if part.estimates.model.family.is_continuous:
            name, found = PIT, pit_test(part, np.random.default_rng(seed))
        elif can_group_by_score(part):
            name, found = SCORE, score_test(part)
        else:
            name, found = GROUPED, grouped_test(part)
        names.append(name)
        for column, own in zip(columns, found, strict=True):
            column[rows] = own
    statistic, degrees, p_value = columns
    return ", ".join(dict.fromkeys(names)), statistic, degrees.astype(int), p_value


def adjust(p_values: Array) -> Array:
    """Benjamini and Hochberg's (1995) adjusted p-values; NaN stay NaN and do not count."""
    from scipy.stats import false_discovery_control

    found = np.full(p_values.shape, np.nan)
    known = np.isfinite(p_values)
    if known.any():
        found[known] = false_discovery_control(p_values[known])
    return found


def _mean_squares(fit: FitResult) -> tuple[Array, Array]:
    outfit, infit = [], []
    for block in iterate_residuals(fit):
        count = (block.weight > 0).sum(axis=0)
        outfit.append((block.standardised**2).sum(axis=0) / count)
        infit.append((block.raw**2).sum(axis=0) / block.variance.sum(axis=0))
    return np.concatenate(outfit), np.concatenate(infit)
