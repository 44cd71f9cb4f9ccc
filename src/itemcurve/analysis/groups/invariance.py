"""The ladder of invariance: in how much do items agree between groups?

Configural: everything differs. Metric: slopes are the same, so that differences between respondents
mean the same in each group. Scalar: intercepts too, so that groups can be compared. Each step is
tested against the one before by the likelihood ratio (Meredith 1993).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from itemcurve.analysis.groups.item_differences import read_data
from itemcurve.estimation.groups.fit_groups import fit_groups, one_population
from itemcurve.estimation.thread_limit import few_threads
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_STEPS = {
    "configural": (),
    "metric": ("slopes",),
    "scalar": ("slopes", "intercepts"),
    "same population": ("slopes", "intercepts", "means", "variances"),
}
_MEANING = {
    "configural": "items differ in all that they ask; groups cannot be compared",
    "metric": "items separate respondents alike, but some are easier for one group",
    "scalar": "items are the same for all; groups can be compared",
    "same population": "items are the same, and so are the groups' abilities",
}

PerStep = Annotated[Array, axes("steps")]


@dataclass(frozen=True, eq=False)
class InvarianceLadder:
    """Fits that hold more and more equal between groups.

    Attributes
    ----------
    steps : their names, the freest first.
    log_likelihood, n_parameters, aic, bic : of each.
    statistic, degrees_of_freedom, p_value : of each against the one before; NaN for the first, and
        where a step takes nothing away.
    level : of the tests.
    """

    steps: tuple[str, ...]
    log_likelihood: PerStep
    n_parameters: PerStep
    aic: PerStep
    bic: PerStep
    statistic: PerStep
    degrees_of_freedom: PerStep
    p_value: PerStep
    level: float

    @property
    def holds(self) -> str:
        """The highest step that no test on the way to it rejects."""
        for place in range(1, len(self.steps)):
            if self.p_value[place] < self.level:
                return self.steps[place - 1]
        return self.steps[-1]

    def frame(self) -> "pandas.DataFrame":
        """One row per step."""
        numbers = ("log_likelihood", "n_parameters", "aic", "bic")
        tests = ("statistic", "degrees_of_freedom", "p_value")
        return tabulate(self, *numbers, *tests, step=self.steps)

    def __str__(self) -> str:
        return f"{self.holds.capitalize()}: {_MEANING[self.holds]} (level {self.level:.0%})."


def invariance(
    responses: Responses,
    groups: Any,
    model: str | ItemModel = "2pl",
    *,
    level: float = 0.05,
) -> InvarianceLadder:
    """Test in how much items agree between groups, by maximum likelihood without priors.

    Where scalar invariance fails, `itemcurve.dif` names the items.

    Parameters
    ----------
    groups : a label for each respondent, in order or by id, or `itemcurve.groups.Groups`.
    level : of each test.

    Examples
    --------
    >>> import itemcurve as ic
    >>> from itemcurve.groups import invariance
    >>> truth = ic.simulate("2pl", respondents=400, items=8, seed=1)
    >>> invariance(truth.responses, ["old", "new"] * 200).holds
    'same population'
    """
    data = read_data(responses, groups, model)
    nobody = np.zeros(responses.shape[1], dtype=bool)
    with few_threads(responses):
        start = one_population(data)
        found = [fit_groups(data, equal, nobody, start) for equal in _STEPS.values()]
    base = sum(found[0].problem.likelihood.log_base(block) for block in responses.blocks())
    gains = np.array([own.point.expectation.log_likelihood + base for own in found])
    counts = np.array([own.n_parameters for own in found])
    return _tested(tuple(_STEPS), gains, counts, responses.shape[0], level)


def _tested(
    steps: tuple[str, ...], log_likelihood: Array, counts: Array, respondents: int, level: float
) -> InvarianceLadder:
    from scipy.stats import chi2

    lost = np.concatenate([[np.nan], -2 * np.diff(log_likelihood)])
    degrees = np.concatenate([[0], -np.diff(counts)])
    lost = np.where(degrees > 0, np.maximum(lost, 0.0), np.nan)
    return InvarianceLadder(
        steps,
        log_likelihood,
        counts,
        2 * counts - 2 * log_likelihood,
        counts * np.log(respondents) - 2 * log_likelihood,
        lost,
        degrees,
        np.where(degrees > 0, chi2.sf(lost, np.maximum(degrees, 1)), np.nan),
        level,
    )
