"""Classical metrics with and without malformed items, with the ranks they give."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.confusion.confusion_matrix import Confusion
from itemcurve.analysis.metrics.usual_metrics import LABEL_METRICS, measure_labels
from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class FilteredMetrics:
    """Metrics on all items and on the well-formed ones.

    Attributes
    ----------
    on_all, on_well_formed : by metric, one value per respondent.
    kept, left_out : numbers of items with discrimination of 0 or more, and below.
    """

    respondents: tuple[str, ...]
    on_all: dict[str, NDArray[np.float64]]
    on_well_formed: dict[str, NDArray[np.float64]]
    kept: int
    left_out: int

    @property
    def caveat(self) -> str:
        """What must be said beside a metric without malformed items; empty when there are none."""
        if not self.left_out:
            return ""
        return (
            f"without {self.left_out} of {self.kept + self.left_out} items, to which the pool "
            "gives a negative discrimination: flatters whoever agrees with the pool"
        )

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent and metric: values and ranks (1 is best) on both sets of items.

        `caveat` says what `well_formed` must not be taken for.
        """
        import pandas

        parts = []
        for name in LABEL_METRICS:
            columns = {
                "respondent": self.respondents,
                "metric": name,
                "all": self.on_all[name],
                "well_formed": self.on_well_formed[name],
                "rank_all": rank_values(self.on_all[name]),
                "rank_well_formed": rank_values(self.on_well_formed[name]),
                "caveat": self.caveat,
            }
            parts.append(pandas.DataFrame(columns))
        return pandas.concat(parts, ignore_index=True)

    def table(self, *, well_formed: bool = False) -> "pandas.DataFrame":
        """One row per respondent, one column per metric; of well-formed items with the caveat."""
        import pandas

        if well_formed:
            columns = {"respondent": self.respondents, **self.on_well_formed}
            return pandas.DataFrame({**columns, "caveat": self.caveat})
        return pandas.DataFrame({"respondent": self.respondents, **self.on_all})

    def mean_ranks(self) -> "pandas.DataFrame":
        """Mean and standard deviation of each respondent's rank over the metrics but MCC."""
        import pandas

        names = [name for name in LABEL_METRICS if name != "mcc"]
        before, after = (
            np.stack([rank_values(values[name]) for name in names])
            for values in (self.on_all, self.on_well_formed)
        )
        return pandas.DataFrame(
            {
                "respondent": self.respondents,
                "mean_rank": before.mean(axis=0),
                "rank_sd": before.std(axis=0, ddof=1),
                "mean_rank_well_formed": after.mean(axis=0),
                "rank_sd_well_formed": after.std(axis=0, ddof=1),
            }
        )


def filter_metrics(view: Confusion) -> FilteredMetrics:
    """Give the classical metrics on all items and without the negatively discriminating ones.

    Leaving items out by a fit to other classifiers' answers is no label cleaning: what remains is
    what the pool as a whole finds sensible, so this flatters whoever agrees with the pool.

    Parameters
    ----------
    view : from `confusion`.

    Examples
    --------
    >>> import numpy as np
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=100, items=30, seed=1)
    >>> y_true = np.arange(30) % 2
    >>> view = ic.confusion(ic.fit(truth.responses, "2pl"), y_true, y_true ^ (np.arange(30) < 6))
    >>> ic.metrics.filter_metrics(view).on_all["accuracy"].tolist()
    [0.8]
    """
    kept = ~view.is_malformed
    if not kept.any():
        raise EvaluationError(
            "At least one item must discriminate positively;",
            f"all {kept.size} are negative.",
            "Check the coding of the responses: 1 must mean right.",
        )
    parts = [
        measure_labels(view.y_true[mask], view.y_pred[:, mask], len(view.classes), view.positive)
        for mask in (np.ones(kept.size, dtype=bool), kept)
    ]
    return FilteredMetrics(
        view.respondents, parts[0], parts[1], int(kept.sum()), int((~kept).sum())
    )


def rank_values(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank 1 for the largest; equals share the best rank, as in published tables."""
    rounded = np.round(values, 12)
    return np.asarray([(rounded > value).sum() + 1 for value in rounded], dtype=np.int64)
