"""A choice among classifiers that accuracy cannot tell apart, with its reasons in words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.confusion.confusion_matrix import Confusion
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Classifiers tied on accuracy with the most accurate one, the best supported first.

    Attributes
    ----------
    respondents : those tied, in order of preference.
    p_values : exact McNemar test against the most accurate one.
    well_formed_misses, malformed_hits : what decides: misses that count, hits that do not.
    sentences : one per respondent.
    """

    respondents: tuple[str, ...]
    accuracy: NDArray[np.float64]
    p_values: NDArray[np.float64]
    well_formed_misses: NDArray[np.int64]
    malformed_hits: NDArray[np.int64]
    total_score: NDArray[np.float64]
    sentences: tuple[str, ...]

    @property
    def choice(self) -> str:
        """The recommended classifier."""
        return self.respondents[0]

    def frame(self) -> "pandas.DataFrame":
        """One row per tied classifier, the recommended first."""
        right = {"accuracy": self.accuracy, "p_value": self.p_values}
        items = ("well_formed_misses", "malformed_hits", "total_score")
        table = tabulate(self, *items, respondent=self.respondents, **right)
        return table.assign(sentence=self.sentences)


def recommend(view: Confusion, *, significance: float = 0.05) -> Recommendation:
    """Choose among the classifiers that are statistically tied on accuracy.

    Tied is who does not differ from the most accurate classifier by an exact McNemar test. Among
    them the one with the fewest misses on well-formed items comes first, then the one with the
    fewest hits on malformed items, then the higher Total Score.

    Parameters
    ----------
    view : from `confusion`, with two classifiers or more.
    significance : of the McNemar tests.

    Examples
    --------
    >>> import numpy as np
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=100, items=30, seed=1)
    >>> y = np.arange(30) % 2
    >>> named = {"careful": y ^ (np.arange(30) < 4), "hasty": y ^ (np.arange(30) < 6)}
    >>> ic.recommend(ic.confusion(ic.fit(truth.responses, "2pl"), y, named)).choice
    'careful'
    """
    right = view.is_right
    accuracy = right.mean(axis=1)
    best = int(accuracy.argmax())
    p_values = np.array([_mcnemar(right[best], row) for row in right])
    tied = np.flatnonzero(p_values >= significance).tolist()
    misses = (~right & ~view.is_malformed).sum(axis=1)
    hits = (right & view.is_malformed).sum(axis=1)
    total = view.scores.total_score
    order = sorted(tied, key=lambda place: (misses[place], hits[place], -total[place]))
    return Recommendation(
        respondents=tuple(view.respondents[place] for place in order),
        accuracy=accuracy[order],
        p_values=p_values[order],
        well_formed_misses=misses[order],
        malformed_hits=hits[order],
        total_score=total[order],
        sentences=tuple(_sentence(view, place, best, float(p_values[place])) for place in order),
    )


def _mcnemar(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """Exact two-sided test on the items that only one of two classifiers hits."""
    from scipy.special import bdtr

    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    count = only_first + only_second
    return float(min(1.0, 2 * bdtr(min(only_first, only_second), count, 0.5))) if count else 1.0


def _sentence(view: Confusion, place: int, best: int, p_value: float) -> str:
    right, malformed = view.is_right[place], view.is_malformed
    well_formed = int((~malformed).sum())
    missed = int((~right & ~malformed).sum())
    count = int((~right).sum())
    total = f"(Total Score {view.scores.total_score[place]:.3f})."
    of_errors = (
        "no item"
        if not count
        else f"{count} items, all of them malformed"
        if not missed
        else f"{count} items, {missed} of them well-formed"
    )
    tie = (
        "is the most accurate"
        if place == best
        else f"is tied with {view.respondents[best]} (McNemar p = {p_value:.2f})"
    )
    told = f"{view.respondents[place]} {tie} at accuracy {right.mean():.3f}: it hits"
    if not malformed.any():
        return (
            f"{told} {int(right.sum())} of {right.size} items, none of which is malformed {total}"
        )
    return (
        f"{told} {well_formed - missed} of {well_formed} well-formed items, misses {of_errors}, "
        f"and {int((right & malformed).sum())} of its hits are on malformed items {total}"
    )
