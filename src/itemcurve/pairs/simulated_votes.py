"""Votes with known truth, to try things on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.pairs.model.davidson import NEVER, log_probabilities
from itemcurve.pairs.votes.vote_data import OUTCOMES, Codes, Floats

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class SimulatedVotes:
    """Votes, and the truth behind them.

    Attributes
    ----------
    strengths : of the respondents, mean 0.
    discriminations : of the judges.
    """

    respondents: tuple[str, ...]
    strengths: Floats
    judges: tuple[str, ...]
    discriminations: Floats
    first: Codes
    second: Codes
    judge: Codes
    item: Codes
    lengths: Floats
    outcomes: Codes

    @property
    def best(self) -> str:
        """Name of the strongest."""
        return self.respondents[int(np.argmax(self.strengths))]

    def frame(self) -> "pandas.DataFrame":
        """One row per vote, as `fit_pairs` takes them."""
        import pandas

        names, judges = np.array(self.respondents, object), np.array(self.judges, object)
        table = {
            "respondent_a": names[self.first],
            "respondent_b": names[self.second],
            "winner": np.array(OUTCOMES, object)[self.outcomes],
            "judge": judges[self.judge],
            "item": [f"prompt_{code:04d}" for code in self.item],
            "length_a": self.lengths[:, 0],
            "length_b": self.lengths[:, 1],
        }
        return pandas.DataFrame(table)


def simulate_votes(
    respondents: int = 10,
    votes: int = 5000,
    *,
    spread: float = 1.0,
    ties: float = 0.2,
    order: float = 0.0,
    length: float = 0.0,
    judges: int = 1,
    random_judges: int = 0,
    items: int | None = None,
    seed: int = 0,
) -> SimulatedVotes:
    """Draw votes among respondents whose strengths are known.

    Parameters
    ----------
    spread : standard deviation of strengths, in logits.
    ties : share of ties between equals.
    order : advantage of side a, in logits.
    length : logits for an answer twice as long as the other.
    judges, random_judges : how many in all, and how many of them answer at random.
    items : number of prompts; as many as votes when left out. The same two meet on a prompt once
        before each judge and in each order.

    Examples
    --------
    >>> simulate_votes(respondents=4, votes=100, seed=1).frame().shape
    (100, 7)
    """
    if respondents < 2 or votes < 1 or judges < 1 or not 0 <= ties < 1:
        raise ModelError(
            "Simulated votes need 2 respondents, 1 vote and 1 judge at least, and ties below 1;",
            f"given are {respondents}, {votes}, {judges} and {ties}.",
            "Leave them out if unsure.",
        )
    random = np.random.default_rng(seed)
    strengths = random.normal(0.0, spread, respondents)
    strengths = strengths - strengths.mean()
    slopes = np.where(np.arange(judges) < judges - random_judges, 1.0, 0.0)
    first, second, judge, item = _draw_cells(random, votes, (respondents, judges, items))
    lengths = np.round(np.exp(random.normal(6.5, 0.5, (votes, 2))))
    eta = slopes[judge] * (strengths[first] - strengths[second]) + order
    eta = eta + length * np.log2(lengths[:, 0] / lengths[:, 1])
    tau = np.full(votes, np.log(2 * ties / (1 - ties)) if ties else NEVER)
    chances = np.cumsum(np.exp(np.stack(log_probabilities(eta, tau), axis=1)), axis=1)
    outcomes = (random.random(votes)[:, np.newaxis] > chances[:, :2]).sum(axis=1)
    width = len(str(respondents))
    return SimulatedVotes(
        tuple(f"model_{n + 1:0{width}d}" for n in range(respondents)),
        strengths,
        tuple(f"judge_{n + 1}" for n in range(judges)),
        slopes,
        first,
        second,
        judge,
        item,
        lengths,
        outcomes,
    )


def _draw_cells(
    random: np.random.Generator, votes: int, sizes: tuple[int, int, int | None]
) -> tuple[Codes, Codes, Codes, Codes]:
    """Give who is on either side, the judge and the item of each vote, no combination twice."""
    respondents, judges, items = sizes
    if items is None:
        # Each vote has an item of its own.
        cells = random.integers(respondents * (respondents - 1) * judges, size=votes)
        item = np.arange(votes)
    else:
        room = respondents * (respondents - 1) * judges * items
        if votes > room:
            raise ModelError(
                "Every two must meet once on a prompt before each judge and in each order;",
                f"that makes {room:,} votes, and asked for are {votes:,}.",
                "Take more items, or fewer votes.",
            )
        cells = random.choice(room, votes, replace=False, shuffle=False)
        cells, item = np.divmod(cells, items)
    cells, judge = np.divmod(cells, judges)
    first, ahead = np.divmod(cells, respondents - 1)
    return first, (first + 1 + ahead) % respondents, judge, item
