"""Differences between respondents who answered the same items, with their errors."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
    """

    means: Floats
    errors: Floats
    n_items: int
    own_errors: Floats

    @cached_property
    def differences(self) -> Floats:
        """Mean of the row's respondent less that of the column's."""
        return np.asarray(self.means[:, np.newaxis] - self.means)

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
        return np.asarray(2 * stdtr(max(self.n_items - 1, 1), -ratio))

    def take(self, rows: NDArray[np.integer]) -> "PairedDifferences":
        """Give the differences among some respondents."""
        errors = self.errors[np.ix_(rows, rows)]
        return PairedDifferences(self.means[rows], errors, self.n_items, self.own_errors[rows])

    def reach(self, level: float) -> float:
        """Half-width of an interval at this level, in standard errors."""
        from scipy.special import stdtrit

        return float(stdtrit(max(self.n_items - 1, 1), 0.5 + level / 2))

    def adjusted_p_values(self) -> Floats:
        """Holm's: the family is all pairs, so that one false distinction has the p-value's odds."""
        count = len(self.means)
        first, second = np.triu_indices(count, 1)
        own = self.p_values[first, second]
        order = np.argsort(own, kind="stable")
        steps = own[order] * np.arange(len(own), 0, -1)
        adjusted = np.empty_like(own)
        adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(own) else steps
        found = np.ones((count, count))
        found[first, second] = found[second, first] = adjusted
        return found


def pair_scores(scores: Floats) -> PairedDifferences:
    """Compare mean scores (respondents × items), every item counting alike."""
    n_items = scores.shape[1]
    means = scores.mean(axis=1)
    centred = scores - means[:, np.newaxis]
    return _compare(means, centred @ centred.T / n_items, n_items, 0.0)


def pair_choices(choices: Floats, soft_labels: Floats) -> PairedDifferences:
    """Compare shares of right choices when true labels are known with some probability only.

    With c_ri(k) = 1 where respondent r chooses class k for item i, and Q the soft labels,
    d = A_r − A_s has

        se² = [mean_i Σ_k Q_ik (c_ri(k) − c_si(k))² − d²] / (n − 1) + 1 / n²

    so that both who is asked what and what is true count as chance. The last term keeps two
    respondents who never differed from being told apart for certain.

    Parameters
    ----------
    choices : respondents × items × classes; equals share one choice.
    soft_labels : items × classes, rows sum to 1.
    """
    n_respondents, n_items, _ = choices.shape
    means = np.einsum("rik,ik->r", choices, soft_labels) / n_items
    roots = (choices * np.sqrt(soft_labels)).reshape(n_respondents, -1)
    products = roots @ roots.T / n_items - np.outer(means, means)
    return _compare(means, products, n_items, 1 / n_items**2)


def _compare(means: Floats, products: Floats, n_items: int, least: float) -> PairedDifferences:
    """From mean products of centred scores (respondents × respondents)."""
    own = np.diag(products)
    spread = np.maximum(own[:, np.newaxis] + own - 2 * products, 0.0)
    freedom = max(n_items - 1, 1)
    errors = np.sqrt(spread / freedom + least)
    np.fill_diagonal(errors, 0.0)
    return PairedDifferences(means, errors, n_items, np.sqrt(own / freedom + least))
