"""What is left to gain: how much of a benchmark its best respondents still fail.

A benchmark may tell all respondents apart and yet be over for the best of them. Cohorts are the
best 5, the best 25 and all.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]

COHORTS = (5, 25)


@dataclass(frozen=True)
class Cohort:
    """One cohort of respondents.

    Attributes
    ----------
    name, respondents : as "best 5"; how many they are.
    score, best_score : mean of the cohort, and of its best member.
    solved, unsolved : share of items that all of them have right, that none has.
    spread : standard deviation of their scores.
    chance_spread : what it would be if they were equally able: answers permuted within items.
    """

    name: str
    respondents: int
    score: float
    best_score: float
    solved: float
    unsolved: float
    spread: float
    chance_spread: float

    @property
    def headroom(self) -> float:
        """What the cohort lacks to a full score."""
        return 1 - self.score

    @property
    def is_told_apart(self) -> bool:
        """Whether its members differ by more than equally able ones would."""
        return self.spread > 1.5 * self.chance_spread


def measure_headroom(
    values: Floats, *, seed: int = 0, cohorts: tuple[int, ...] = COHORTS
) -> tuple[Cohort, ...]:
    """Measure what is left to gain for the best respondents, and for all.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    """
    random = np.random.default_rng(seed)
    count = len(values)
    scores = np.nan_to_num(_means(values, axis=1), nan=-1.0)
    order = np.argsort(-scores, kind="stable")
    sizes = [size for size in cohorts if 1 < size < count]
    found = [_measure(f"best {size}", values[order[:size]], random) for size in sizes]
    return (*found, _measure(f"all {count}", values, random))


def headroom_frame(cohorts: tuple[Cohort, ...]) -> "pandas.DataFrame":
    """One row per cohort."""
    import pandas

    names = ("name", "respondents", "score", "best_score", "headroom", "solved", "unsolved")
    more = ("spread", "chance_spread", "is_told_apart")
    rows = [[getattr(cohort, name) for name in (*names, *more)] for cohort in cohorts]
    return pandas.DataFrame(rows, columns=["cohort", *names[1:], *more])


def _measure(name: str, values: Floats, random: np.random.Generator) -> Cohort:
    scores, items = _means(values, axis=1), _means(values, axis=0)
    known = items[~np.isnan(items)]
    return Cohort(
        name,
        len(values),
        float(np.nanmean(scores)),
        float(np.nanmax(scores)),
        float(np.mean(known == 1)) if known.size else np.nan,
        float(np.mean(known == 0)) if known.size else np.nan,
        float(np.nanstd(scores)),
        _spread_by_chance(values, random),
    )


def _spread_by_chance(values: Floats, random: np.random.Generator, draws: int = 5) -> float:
    """Root mean variance of scores when answers change hands within items."""
    variances = []
    for _ in range(draws):
        order = np.argsort(np.where(np.isnan(values), 2.0, random.random(values.shape)), axis=0)
        # Those who answered an item swap among themselves; who did not, still did not.
        seen = np.argsort(np.isnan(values), axis=0, kind="stable")
        drawn = np.empty_like(values)
        np.put_along_axis(drawn, seen, np.take_along_axis(values, order, axis=0), axis=0)
        variances.append(np.nanvar(_means(drawn, axis=1)))
    return float(np.sqrt(np.mean(variances)))


def _means(values: Floats, axis: int) -> Floats:
    """Mean of what is there; NaN, without a warning, where nothing is."""
    seen = ~np.isnan(values)
    count = seen.sum(axis=axis)
    total = np.where(seen, values, 0.0).sum(axis=axis)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
