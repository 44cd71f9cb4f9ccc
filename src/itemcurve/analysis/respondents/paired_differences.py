"""Differences between respondents who answered the same items, with their errors."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.respondents.shared_items import pair_shared

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairedDifferences:
    """Differences of mean scores between all pairs of respondents.

    Attributes
    ----------
    means : mean score of each respondent.
    errors : standard error of the difference of each pair (respondents × respondents).
    n_items : how many items the means are over.
    own_errors : standard error of each mean itself.
    degrees : degrees of freedom of every error, where that is not one less than the items.
    on_shared : differences on the items that both of a pair answered, where not all did.
    """

    means: Floats
    errors: Floats
    n_items: int
    own_errors: Floats
    degrees: Floats | float | None = None
    on_shared: Floats | None = None

    @cached_property
    def differences(self) -> Floats:
        """Mean of the row's respondent less that of the column's, on the items they share."""
        if self.on_shared is not None:
            return self.on_shared
        return np.asarray(self.means[:, np.newaxis] - self.means)

    @property
    def freedom(self) -> Floats | float:
        """Degrees of freedom of the errors."""
        return max(self.n_items - 1, 1) if self.degrees is None else self.degrees

    @cached_property
    def p_values(self) -> Floats:
        """Two-sided, of no difference, by Student's t over the items; 1 where nothing differs."""
        from scipy.special import stdtr

        ratio = np.divide(
            np.abs(self.differences),
            self.errors,
            out=np.zeros_like(self.errors),
            where=self.errors > 0,
        )
        return np.asarray(2 * stdtr(self.freedom, -ratio))

    def no_surer_than(self, other: "PairedDifferences") -> "PairedDifferences":
        """Give the same differences, no error smaller than that of `other`."""
        return replace(
            self,
            errors=np.maximum(self.errors, other.errors),
            own_errors=np.maximum(self.own_errors, other.own_errors),
        )

    def take(self, rows: NDArray[np.integer]) -> "PairedDifferences":
        """Give the differences among some respondents."""
        some = np.ix_(rows, rows)
        degrees = self.degrees[some] if isinstance(self.degrees, np.ndarray) else self.degrees
        shared = None if self.on_shared is None else self.on_shared[some]
        return PairedDifferences(
            self.means[rows],
            self.errors[some],
            self.n_items,
            self.own_errors[rows],
            degrees,
            shared,
        )

    def reach(self, level: float) -> Floats | float:
        """Half-width of an interval at this level, in standard errors."""
        from scipy.special import stdtrit

        found = np.asarray(stdtrit(self.freedom, 0.5 + level / 2), dtype=np.float64)
        return found if found.ndim else float(found)

    def adjusted_p_values(self) -> Floats:
        """Holm's: the family is all pairs, so that one false distinction has the p-value's odds."""
        count = len(self.means)
        first, second = np.triu_indices(count, 1)
        found = np.ones((count, count))
        adjusted = adjust_p_values(self.p_values[first, second], "holm")
        found[first, second] = found[second, first] = adjusted
        return found


def adjust_p_values(p_values: Floats, kind: Literal["holm", "false-discovery"]) -> Floats:
    """Adjust p-values of one family.

    Parameters
    ----------
    kind : `holm`, so that one false finding or more among all has at most the odds asked for; or
        `false-discovery`, so that at most that share of what is found is expected to be false
        (Benjamini and Hochberg 1995).

    Examples
    --------
    >>> adjust_p_values(np.array([0.01, 0.04, 0.03]), "holm").round(3).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust_p_values(np.array([0.01, 0.04, 0.03]), "false-discovery").round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    count = len(p_values)
    adjusted = np.empty(count)
    order = np.argsort(p_values, kind="stable")
    if kind == "holm":
        steps = np.maximum.accumulate(p_values[order] * np.arange(count, 0, -1))
    else:
        shares = p_values[order] * count / np.arange(1, count + 1)
        steps = np.minimum.accumulate(shares[::-1])[::-1]
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def pair_scores(scores: Floats, clusters: NDArray[np.integer] | None = None) -> PairedDifferences:
    """Compare mean scores (respondents × items), every item counting alike.

    Items of one cluster (questions on one passage) may go together; what is independent are
    the clusters. Errors are then sandwich errors, corrected for few clusters (CR2, and the degrees
    of freedom of Bell and McCaffrey 2002): with n_g of n items in cluster g and S_g the sum of
    deviations there,

        se² = Σ_g S_g² / (1 − n_g / n) / n².

    With one item in each this is the usual error, with n − 1 degrees of freedom.

    Parameters
    ----------
    scores : NaN where not observed; a pair is then compared on the items that both answered.
    clusters : a number for the cluster of each item, two clusters at least; each item by itself
        when left out.
    """
    if np.isnan(scores).any():
        return PairedDifferences(*pair_shared(scores, clusters))
    n_items = scores.shape[1]
    means = scores.mean(axis=1)
    centred = scores - means[:, np.newaxis]
    if clusters is None:
        return _compare(means, centred @ centred.T / n_items, n_items, 0.0)
    sums, freedom = _cluster_sums(centred, clusters)
    return _compare_clusters(means, sums @ sums.T / n_items**2, n_items, freedom, 0.0)


def _cluster_sums(centred: Floats, clusters: NDArray[np.integer]) -> tuple[Floats, float]:
    """Sums of deviations by cluster, corrected for few of them, and their degrees of freedom."""
    codes = np.unique(clusters, return_inverse=True)[1]
    sizes = np.bincount(codes).astype(np.float64)
    by_cluster = np.stack([np.bincount(codes, weights=row) for row in centred])
    sums = by_cluster / np.sqrt(1 - sizes / centred.shape[1])
    return sums, float(cluster_freedom(sizes[:, None])[0])


def cluster_freedom(sizes: Floats) -> Floats:
    """Degrees of freedom of a mean over clusters of these sizes (clusters × means).

    Bell and McCaffrey (2002): those of a chi-square with the mean and the variance that se² would
    have, were all items independent. Clusters of one size have their number less one.

    Examples
    --------
    >>> float(cluster_freedom(np.full((20, 1), 5.0))[0])
    19.0
    """
    totals = sizes.sum(axis=0)
    weights = sizes**2 / (1 - sizes / totals)
    cross = (weights.sum(axis=0) ** 2 - (weights**2).sum(axis=0)) / totals**2
    return np.asarray(totals**2 / ((sizes**2).sum(axis=0) + cross))


def pair_choices(
    choices: Floats, soft_labels: Floats, clusters: NDArray[np.integer] | None = None
) -> PairedDifferences:
    """Compare shares of right choices when true labels are known with some probability only.

    With c_ri(k) = 1 where respondent r chooses class k for item i, and Q the soft labels,
    d = A_r − A_s has

        se² = [mean_i Σ_k Q_ik (c_ri(k) − c_si(k))² − d²] / (n − 1) + 1 / n²

    so that both who is asked what and what is true count as chance. The last term keeps two
    respondents who never differed from being told apart for certain. With clusters, expected
    scores go together as in `pair_scores`; what is true of one label says nothing of the next.

    Parameters
    ----------
    choices : respondents × items × classes; equals share one choice.
    soft_labels : items × classes, rows sum to 1.
    clusters : a number for the cluster of each item, two clusters at least; each item by itself
        when left out.
    """
    n_respondents, n_items, _ = choices.shape
    means = np.einsum("rik,ik->r", choices, soft_labels) / n_items
    roots = (choices * np.sqrt(soft_labels)).reshape(n_respondents, -1)
    if clusters is None:
        products = roots @ roots.T / n_items - np.outer(means, means)
        return _compare(means, products, n_items, 1 / n_items**2)
    expected = np.einsum("rik,ik->ri", choices, soft_labels)
    sums, freedom = _cluster_sums(expected - means[:, np.newaxis], clusters)
    products = (sums @ sums.T + roots @ roots.T - expected @ expected.T) / n_items**2
    return _compare_clusters(means, products, n_items, freedom, 1 / n_items**2)


def _compare(means: Floats, products: Floats, n_items: int, least: float) -> PairedDifferences:
    """From mean products of centred scores (respondents × respondents)."""
    own = np.diag(products)
    spread = np.maximum(own[:, np.newaxis] + own - 2 * products, 0.0)
    freedom = max(n_items - 1, 1)
    errors = np.sqrt(spread / freedom + least)
    np.fill_diagonal(errors, 0.0)
    return PairedDifferences(means, errors, n_items, np.sqrt(own / freedom + least))


def _compare_clusters(
    means: Floats, variances: Floats, n_items: int, freedom: float, least: float
) -> PairedDifferences:
    """From variances and covariances of the means themselves (respondents × respondents)."""
    found = _compare(means, variances, 2, least)
    return PairedDifferences(means, found.errors, n_items, found.own_errors, freedom)
