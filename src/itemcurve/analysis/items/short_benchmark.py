"""A short benchmark: the few items that keep the ranking of respondents."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.bank.ability_estimation import score
from itemcurve.errors import EvaluationError
from itemcurve.estimation.refitting import fit_again
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_RANDOM_DRAWS = 50
_FOLDS, _FEWEST_RESPONDENTS = 5, 4


@dataclass(frozen=True, eq=False)
class ShortBenchmark:
    """Items chosen from a benchmark, and how well they rank respondents that chose none of them.

    Attributes
    ----------
    items : chosen, in the order of choice; the first k of them are the choice of k items.
    difficulty, discrimination, information : of these; information is the mean over respondents.
    kendall_tau : between abilities from the short benchmark and mean responses to the whole one,
        over respondents that were left out when items were calibrated and chosen.
    random_tau : the same for the mean response to as many random items, mean of 50 draws.
    share_of_information : what the chosen items tell of what all tell, mean over respondents.
    """

    items: tuple[str, ...]
    difficulty: NDArray[np.float64]
    discrimination: NDArray[np.float64]
    information: NDArray[np.float64]
    kendall_tau: float
    random_tau: float
    share_of_information: float
    folds: int

    def __repr__(self) -> str:
        return (
            f"ShortBenchmark({len(self.items)} items, Kendall's tau {self.kendall_tau:.2f}, of as "
            f"many random ones {self.random_tau:.2f})"
        )

    def frame(self) -> "pandas.DataFrame":
        """One row per chosen item, in the order of choice."""
        return tabulate(self, "difficulty", "discrimination", "information", item=self.items)


@takes_evaluations
def shorten_benchmark(
    result: FitResult, k: int, *, folds: int | None = None, seed: int = 0
) -> ShortBenchmark:
    """Choose k items that keep the ranking of respondents.

    Items are added one at a time, each time the one that raises Σᵢ log(1 + Iᵢ) most, Iᵢ being the
    Fisher information of the chosen items at respondent i's ability: hard items for the able, easy
    ones for the weak, discriminating ones for all. Items with negative discrimination are not
    chosen.

    Parameters
    ----------
    k : how many items.
    folds : parts of the respondents; each in turn is left out to measure what is kept. 5, or as
        many as leave two respondents in each, when None.
    seed : of the parts and of the random choices to compare with.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=100, items=60, seed=1)
    >>> len(shorten_benchmark(ic.fit(truth.responses), 10).items)
    10
    """
    n_respondents, n_items = result.responses.shape
    folds = _check_sizes(k, n_items, folds, n_respondents)
    chosen = choose_items(result, k)
    kept, by_chance = _measure_held_out(result, k, folds, seed)
    information = result.information(result.estimates.abilities)
    return ShortBenchmark(
        items=tuple(result.responses.items[place] for place in chosen),
        difficulty=result.locations.values[chosen],
        discrimination=result.slopes.values[chosen],
        information=information[:, chosen].mean(axis=0),
        kendall_tau=kept,
        random_tau=by_chance,
        share_of_information=float(
            (information[:, chosen].sum(axis=1) / information.sum(axis=1)).mean()
        ),
        folds=folds,
    )


def _check_sizes(k: int, n_items: int, folds: int | None, n_respondents: int) -> int:
    """Give the number of folds; raise where the choice or its test is not possible."""
    if not 1 <= k < n_items:
        raise EvaluationError(
            f"k must be between 1 and {n_items - 1};",
            f"given is {k}.",
            "A short benchmark has fewer items than the whole.",
        )
    if n_respondents < _FEWEST_RESPONDENTS:
        raise EvaluationError(
            f"A short benchmark is tested on respondents left out, {_FEWEST_RESPONDENTS} or more;",
            f"there are {n_respondents}.",
            "Add respondents.",
        )
    most = n_respondents // 2
    if folds is None:
        return min(_FOLDS, most)
    if not 2 <= folds <= most:
        raise EvaluationError(
            f"folds must be between 2 and {most};",
            f"given is {folds}.",
            "Each fold has two respondents or more; leave it out if unsure.",
        )
    return folds


def choose_items(result: FitResult, k: int) -> NDArray[np.intp]:
    """Give the positions of k items by the greedy rule of `shorten_benchmark`."""
    upright = np.flatnonzero(result.slopes.values > 0)
    if len(upright) < k:
        raise EvaluationError(
            "A short benchmark is chosen from items with positive discrimination;",
            f"{len(upright)} of {result.responses.shape[1]} have it, {k} are wanted.",
            "Choose a smaller k.",
        )
    gains = result.information(result.estimates.abilities)[:, upright]
    known = np.ones(len(gains))
    chosen: list[int] = []
    for _ in range(k):
        worth = np.log(known[:, np.newaxis] + gains).sum(axis=0)
        worth[chosen] = -np.inf
        best = int(np.argmax(worth))
        chosen.append(best)
        known += gains[:, best]
    return upright[chosen]


def _measure_held_out(result: FitResult, k: int, folds: int, seed: int) -> tuple[float, float]:
    """Rank left-out respondents by the short benchmark; compare with all their responses."""
    responses = result.responses
    rng = np.random.default_rng(seed)
    order = rng.permutation(responses.shape[0])
    parts = np.array_split(order, folds)
    orientation = result.estimates.model.orientation
    truth = responses.means(axis=1) * orientation
    short = np.empty(len(truth))
    chance = np.empty((_RANDOM_DRAWS, len(truth)))
    for part in parts:
        inside = np.setdiff1d(order, part)
        known = fit_again(result, responses.take(rows=inside.tolist()).drop_empty())
        items = [known.responses.items[place] for place in choose_items(known, k)]
        new = responses.take(rows=part.tolist())
        short[part] = score(known.bank, new.select(items=items), method="eap").ability
        for row in chance:
            row[part] = _mean_of_random(new, k, rng) * orientation
    return _tau(short, truth), float(np.mean([_tau(row, truth) for row in chance]))


def _mean_of_random(responses: Responses, k: int, rng: np.random.Generator) -> NDArray[np.float64]:
    columns = rng.choice(responses.shape[1], k, replace=False)
    return np.nan_to_num(responses.take(columns=columns.tolist()).means(axis=1))


def _tau(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    from scipy.stats import kendalltau

    return float(np.nan_to_num(kendalltau(first, second).statistic))
