"""Do metrics rank and value the same classifiers alike? Friedman's test and Nemenyi's post-hoc.

Friedman (1937) with average ranks and correction for ties; Nemenyi (1963) as in Demšar (2006):
q = √2 |R̄_i − R̄_j| / √(k(k+1)/(6n)), compared with the studentised range of k means, ∞ degrees of
freedom.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """Friedman's test over metrics, and Nemenyi's p-values of all pairs.

    Attributes
    ----------
    metrics : names, in the order of the arrays.
    statistic, p_value : Friedman's chi-square and its p-value.
    mean_ranks : over respondents; 1 is the metric with the smallest value.
    pairs : p-values, metrics × metrics, 1 on the diagonal.
    """

    metrics: tuple[str, ...]
    respondents: int
    statistic: float
    p_value: float
    mean_ranks: NDArray[np.float64]
    pairs: NDArray[np.float64]

    def frame(self) -> "pandas.DataFrame":
        """One row per pair of metrics: p-value and confidence that they differ, 1 − p."""
        import pandas

        first, second = np.triu_indices(len(self.metrics), 1)
        p_values = self.pairs[first, second]
        return pandas.DataFrame(
            {
                "metric": [self.metrics[i] for i in first],
                "other": [self.metrics[j] for j in second],
                "p_value": p_values,
                "confidence": 1.0 - p_values,
            }
        )

    def matrix(self) -> "pandas.DataFrame":
        """Nemenyi's p-values, metrics × metrics."""
        import pandas

        names = list(self.metrics)
        return pandas.DataFrame(self.pairs, index=names, columns=names)

    def separated(self, metric: str, significance: float = 0.05) -> tuple[str, ...]:
        """Name the metrics that differ from this one at this level."""
        row = self.pairs[self.metrics.index(metric)]
        return tuple(n for n, p in zip(self.metrics, row, strict=True) if p < significance)

    def __repr__(self) -> str:
        return (
            f"MetricComparison({len(self.metrics)} metrics of {self.respondents} respondents, "
            f"chi-square {self.statistic:.3f}, p {self.p_value:.3g})"
        )


def compare_metrics(table: "pandas.DataFrame") -> MetricComparison:
    """Test whether metrics differ in distribution over the same respondents.

    Values of different metrics are ranked against each other within each respondent, so a metric
    on another scale differs for that reason alone: read it as "differs", never as "better".

    Parameters
    ----------
    table : one row per respondent, one numeric column per metric; text columns are left out.

    Examples
    --------
    >>> import pandas
    >>> import itemcurve as ic
    >>> table = pandas.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.6, 0.7, 0.9], "c": [0.5, 0.8, 0.7]})
    >>> round(ic.metrics.compare_metrics(table).statistic, 3)
    4.667
    """
    numbers = table.select_dtypes("number")
    values = numbers.to_numpy(dtype=np.float64)
    count, width = values.shape
    if count < 2 or width < 2 or not np.isfinite(values).all():
        raise EvaluationError(
            "A comparison needs at least 2 respondents and 2 metrics, with no value missing;",
            f"given are {count} rows and {width} columns of numbers, "
            f"{int((~np.isfinite(values)).sum())} missing.",
            "Drop what is missing with `table.dropna()`.",
        )
    ranks = _rank_rows(values)
    mean_ranks = ranks.mean(axis=0)
    statistic = _friedman(ranks)
    return MetricComparison(
        metrics=tuple(map(str, numbers.columns)),
        respondents=count,
        statistic=statistic,
        p_value=_chi_square_tail(statistic, width - 1),
        mean_ranks=mean_ranks,
        pairs=_nemenyi(mean_ranks, count),
    )


def _rank_rows(values: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.stats import rankdata

    return np.asarray(rankdata(values, axis=1), dtype=np.float64)


def _friedman(ranks: NDArray[np.float64]) -> float:
    """Give the chi-square with correction for ties: between-column over total variance of ranks."""
    count, width = ranks.shape
    middle = (width + 1) / 2
    spread = ((ranks - middle) ** 2).sum()
    if spread == 0:
        return 0.0
    between = ((ranks.sum(axis=0) - count * middle) ** 2).sum()
    return float((width - 1) * between / spread)


def _chi_square_tail(statistic: float, freedom: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(freedom, statistic))


def _nemenyi(mean_ranks: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    from scipy.stats import studentized_range

    width = len(mean_ranks)
    distance = np.abs(mean_ranks[:, None] - mean_ranks)
    quantile = np.sqrt(2.0) * distance / np.sqrt(width * (width + 1) / (6.0 * count))
    pairs = np.ones((width, width))
    upper = np.triu_indices(width, 1)
    # One call per distinct distance: the integral behind it takes milliseconds.
    distinct, place = np.unique(quantile[upper], return_inverse=True)
    tails = np.clip(studentized_range.sf(distinct, width, np.inf), 0.0, 1.0)
    pairs[upper] = tails[place]
    return np.minimum(pairs, pairs.T)
