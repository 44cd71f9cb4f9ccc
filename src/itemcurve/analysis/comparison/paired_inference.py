"""From answers side by side to an estimated difference: which test and interval they call for."""

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs, Floats
from itemcurve.analysis.comparison.mcnemar_test import mcnemar
from itemcurve.analysis.comparison.paired_estimates import (
    MeanEstimate,
    PairedEstimate,
    ScoreEstimate,
)
from itemcurve.analysis.respondents.paired_differences import pair_scores
from itemcurve.errors import ResponsesError


def estimate_difference(pairs: AnswerPairs) -> tuple[PairedEstimate, float, str]:
    """Give the difference, the p-value of none, and how they were found.

    Parameters
    ----------
    pairs : answered by both throughout.
    """
    _check(pairs)
    error, freedom = _sandwich(pairs)
    if not pairs.is_binary:
        return _compare_means(pairs, error, freedom)
    gap = pairs.gap
    gained, lost, n_items = int((gap > 0).sum()), int((gap < 0).sum()), len(gap)
    if pairs.clusters is None:
        score = ScoreEstimate(gained, lost, n_items, error or _floor(pairs))
        return score, mcnemar(gained, lost), "McNemar's mid-p test, Tango's score interval"
    plain = float(gap.std(ddof=1)) / np.sqrt(n_items)
    # Clusters are never taken to say more than as many items by themselves.
    effect = max((error / plain) ** 2, 1.0) if plain > 0 else 1.0
    clustered = ScoreEstimate(gained, lost, n_items, error or _floor(pairs), freedom, effect)
    p_value = min(2 * min(clustered.upper_tail(0.0), clustered.lower_tail(0.0)), 1.0)
    return clustered, p_value, f"score test and interval, {_say_clusters(pairs)}"


def _compare_means(
    pairs: AnswerPairs, error: float, freedom: float
) -> tuple[PairedEstimate, float, str]:
    value = float(pairs.gap.mean())
    mean = MeanEstimate(value, error or _floor(pairs), freedom)
    p_value = min(2 * min(mean.upper_tail(0.0), mean.lower_tail(0.0)), 1.0)
    repeats = ", means of repeats" if (pairs.tries > 1).any() else ""
    how = "paired t test and interval" + repeats
    return mean, p_value, how if pairs.clusters is None else f"{how}, {_say_clusters(pairs)}"


def _sandwich(pairs: AnswerPairs) -> tuple[float, float]:
    """Standard error of the mean difference, and its degrees of freedom."""
    gap = pairs.gap
    found = pair_scores(np.stack([gap, np.zeros_like(gap)]), pairs.clusters)
    # Equal differences leave the last digit of their mean behind.
    is_constant = bool((gap == gap[0]).all())
    return 0.0 if is_constant else float(found.errors[0, 1]), float(found.freedom)


def _floor(pairs: AnswerPairs) -> float:
    """Standard error where all differences are equal: as if one more item could have differed."""
    values: Floats = np.concatenate([pairs.first, pairs.second])
    tries = float(pairs.tries.max())
    reach = 1 / tries if tries > 1 else float(values.max() - values.min()) or 1.0
    return reach / len(pairs.items)


def _say_clusters(pairs: AnswerPairs) -> str:
    return f"errors by {pairs.n_clusters:,} clusters"


def _check(pairs: AnswerPairs) -> None:
    a, b = pairs.names
    if len(pairs.items) < 2:
        raise ResponsesError(
            "Two respondents are compared on 2 items at least that both answered;",
            f"{a!r} and {b!r} share {len(pairs.items)}.",
            "Evaluate both on the same items.",
        )
    if not np.isfinite(pairs.first).all() or not np.isfinite(pairs.second).all():
        raise ResponsesError(
            "Scores to compare must be finite numbers;",
            f"those of {a!r} and {b!r} hold infinite ones.",
            "Remove or cap them.",
        )
    if pairs.clusters is not None and pairs.n_clusters < 2:
        raise ResponsesError(
            "Errors by clusters need 2 clusters at least, and 10 to mean much;",
            "all items that both answered are in one.",
            "Leave the clusters out, or give smaller ones.",
        )
