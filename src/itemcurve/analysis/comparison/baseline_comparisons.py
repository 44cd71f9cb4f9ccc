"""Many respondents against one baseline, with the share of false findings held down."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.comparison.answer_pairs import Clusters
from itemcurve.analysis.comparison.respondent_comparison import (
    Missing,
    RespondentComparison,
    compare_respondents,
)
from itemcurve.analysis.respondents.paired_differences import adjust_p_values
from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class BaselineComparisons:
    """Comparisons with one baseline, in the order of the respondents.

    Attributes
    ----------
    adjusted : p-values for all of them together (Benjamini and Hochberg).
    rate : the share of the differences found that may be false.
    """

    baseline: str
    comparisons: tuple[RespondentComparison, ...]
    adjusted: NDArray[np.float64]
    rate: float

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, the best first; `is_found` marks differences beyond chance."""
        import pandas

        table = pandas.concat([found.frame() for found in self.comparisons], ignore_index=True)
        place = list(table.columns).index("p_value") + 1
        table.insert(place, "adjusted_p", self.adjusted)
        table.insert(place + 1, "is_found", self.adjusted <= self.rate)
        return table.sort_values("difference", ascending=False, kind="stable", ignore_index=True)

    def __repr__(self) -> str:
        count = int((self.adjusted <= self.rate).sum())
        return (
            f"BaselineComparisons({len(self.comparisons)} respondents against {self.baseline!r}, "
            f"{count} differ with a share of {self.rate:g} false; .frame() has the table)"
        )


def compare_to_baseline(
    responses: Responses,
    baseline: str,
    *,
    respondents: Iterable[str] | None = None,
    clusters: Clusters = None,
    level: float = 0.9,
    rate: float = 0.05,
    missing: Missing = "leave-out",
    is_higher_better: bool = True,
) -> BaselineComparisons:
    """Compare many respondents with one, each on the items it shares with that one.

    Parameters
    ----------
    respondents : whom to compare; all others when left out.
    rate : the share of false ones to allow among the differences found (Benjamini and Hochberg
        1995). Comparisons with one baseline go up and down together, for which the rate holds.

    Examples
    --------
    >>> import itemcurve as ic
    >>> responses = ic.simulate("2pl", respondents=5, items=300, seed=1).responses
    >>> ic.paired.compare_to_baseline(responses, responses.respondents[0]).frame().shape
    (4, 15)
    """
    names = responses.respondents if respondents is None else tuple(respondents)
    others = [name for name in names if name != baseline]
    if not others:
        raise ResponsesError(
            "A baseline is compared with one other respondent at least;",
            f"there is none beside {baseline!r}.",
            "Give responses of several.",
        )
    found = tuple(
        compare_respondents(
            responses,
            baseline,
            name,
            clusters=clusters,
            level=level,
            missing=missing,
            is_higher_better=is_higher_better,
        )
        for name in others
    )
    own = np.array([one.p_value for one in found])
    return BaselineComparisons(baseline, found, adjust_p_values(own, "false-discovery"), rate)
