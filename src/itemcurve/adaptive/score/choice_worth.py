"""What chosen items are worth: why each was taken, and how far they stand for all of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.prediction.complete_responses import complete
from itemcurve.adaptive.prediction.linear import Asked, ScoreProblem
from itemcurve.adaptive.prediction.score_predictor import train_predictor
from itemcurve.adaptive.score.item_choice import ItemChoice
from itemcurve.adaptive.score.short_form import ShortForm, make_short_form
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

# Random choices that the items chosen are set beside.
_DRAWS, _RANK_DRAWS = 10, 100


@dataclass(frozen=True, eq=False)
class ChoiceWorth:
    """How far items that were chosen stand for all, beside as many at random.

    Attributes
    ----------
    form : what turns answers to them into a score.
    size : how many items there are in all.
    means : of the items chosen, over the calibration's respondents.
    places : how hard each is, 1 for the hardest of all.
    agreement : rank correlation of each item with the mean of all others over respondents.
    error : of the score of a calibration respondent left out, predicted from answers to them (root
        mean square; items that were chosen are chosen again without it).
    random_error : the same from as many random items, median of ten draws.
    unasked_error : the same from nothing: the mean of the other respondents.
    rank, random_rank : rank correlation of the plain mean of the items with that of the others, and
        its median over random choices of as many; NaN where there are no others.
    """

    choice: ItemChoice
    form: ShortForm
    size: int
    means: Array
    places: Array
    agreement: Array
    error: float
    random_error: float
    unasked_error: float
    rank: float
    random_rank: float

    def frame(self) -> "pandas.DataFrame":
        """One row per item: how it was found, its mean, its place from the hardest, agreement."""
        return self.choice.frame().assign(
            mean_response=self.means, place=self.places, agreement=self.agreement
        )


def weigh_choice(calibration: FitResult | Responses, choice: ItemChoice) -> ChoiceWorth:
    """Say what items chosen by `choose_items` are worth.

    Examples
    --------
    >>> import itemcurve as ic
    >>> known = ic.simulate("2pl", respondents=40, items=60, seed=1).responses
    >>> worth = weigh_choice(known, ic.choose_items(known, 12))
    >>> bool(worth.error < worth.unasked_error)
    True
    """
    known = complete(calibration)
    array, chosen = known.array, known.positions(choice.items)
    count, size = array.shape
    rng = np.random.default_rng(choice.seed)
    form = make_short_form(calibration, choice)
    problem = ScoreProblem(array, choice.weights)
    draws = [rng.choice(size, len(chosen), replace=False) for _ in range(_RANK_DRAWS)]
    errors = [train_predictor(problem, Asked.at_random(own)).error for own in draws[:_DRAWS]]
    return ChoiceWorth(
        choice=choice,
        form=form,
        size=size,
        means=array[:, chosen].mean(axis=0),
        places=array.mean(axis=0).argsort(kind="stable").argsort(kind="stable")[chosen] + 1,
        agreement=np.array([_rank_with_rest(array, np.array([own])) for own in chosen]),
        error=form.error,
        random_error=float(np.median(errors)),
        # Each from the mean of the others.
        unasked_error=float(problem.scores.std() * count / (count - 1)),
        rank=_rank_with_rest(array, chosen),
        random_rank=float(np.median([_rank_with_rest(array, own) for own in draws])),
    )


def _rank_with_rest(responses: Array, own: Array) -> float:
    """Rank correlation of the mean over some items with that over the others."""
    from scipy.stats import rankdata

    rest = np.ones(responses.shape[1], dtype=bool)
    rest[own] = False
    if not rest.any():
        return float("nan")
    one, other = (rankdata(responses[:, kept].mean(axis=1)) for kept in (~rest, rest))
    differs = np.ptp(one) > 0 and np.ptp(other) > 0
    return float(np.corrcoef(one, other)[0, 1]) if differs else float("nan")
