"""How many abilities the responses hold: as many as predict left-out responses better.

Models of 1, 2, 3, … explored abilities are fitted to 85 % of the responses and asked for the
others. Respondents are the units of the comparison: a gain must be beyond twice its standard error,
and of numbers that cannot be told from the best one the smallest is taken. One is a possible
answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

TRIED = (1, 2, 3, 4, 6, 8)
_SHARE = 0.15
LEAST_RESPONDENTS, LEAST_ITEMS = 20, 5
# More cells cost time and change the answer little.
_MOST_CELLS = 300_000
_LEAST_GAIN = 0.005

Scoring = Callable[[Responses, Responses, int], Array]
"""Log densities of left-out responses (cells) after a number of abilities was fitted to others."""


@dataclass(frozen=True, eq=False)
class DimensionChoice:
    """Log-loss of responses that were left out, by number of abilities.

    Attributes
    ----------
    dimensions : numbers of abilities tried.
    log_loss : mean over the responses left out, by number.
    gain_se : standard error of the gain over one ability, in shares of its log-loss.
    behind_se : standard error of the loss against the best number.
    cells : responses left out.
    by_chance : gain of the best number over one where answers are permuted, if that was asked.
    """

    dimensions: tuple[int, ...]
    log_loss: Annotated[Array, axes("tried")]
    gain_se: Annotated[Array, axes("tried")]
    behind_se: Annotated[Array, axes("tried")]
    cells: int
    by_chance: float | None = None

    @property
    def gains(self) -> Annotated[Array, axes("tried")]:
        """Gain over one ability, as a share of the log-loss of one, in absolute value."""
        return (self.log_loss[0] - self.log_loss) / abs(self.log_loss[0])

    @property
    def best(self) -> int:
        """The number of abilities to take; 1 where no gain is beyond doubt."""
        gains = self.gains
        top = int(np.argmax(gains))
        if gains[top] <= max(2 * self.gain_se[top], self.by_chance or 0.0, _LEAST_GAIN):
            return 1
        near = gains >= gains[top] - self.behind_se
        return self.dimensions[int(np.argmax(near))]

    @property
    def gain(self) -> float:
        """Gain of the number to take; 0 where one is enough."""
        return float(self.gains[self.dimensions.index(self.best)])

    def frame(self) -> "pandas.DataFrame":
        """One row per number of abilities."""
        import pandas

        return pandas.DataFrame(
            {
                "dimensions": self.dimensions,
                "log_loss": self.log_loss,
                "gain": self.gains,
                "gain_se": self.gain_se,
                "is_best": [number == self.best for number in self.dimensions],
            }
        )

    def __str__(self) -> str:
        if self.best == 1:
            return "One ability is enough: more of them predict left-out responses no better."
        chance = "" if self.by_chance is None else f" (permuted: {max(self.by_chance, 0):.0%})"
        return (
            f"One ability is not enough: {self.best} predict left-out responses {self.gain:.0%} "
            f"better{chance}."
        )


def choose_dimensions(
    responses: Responses, scoring: Scoring, *, seed: int = 0, tried: tuple[int, ...] = TRIED
) -> DimensionChoice:
    """Try numbers of abilities on responses that are left out.

    Parameters
    ----------
    scoring : fits a number of explored abilities to some responses, and asks it for others.
    tried : numbers of abilities, from 1 upwards.
    """
    n_respondents, n_items = responses.shape
    if n_respondents < LEAST_RESPONDENTS or n_items < LEAST_ITEMS:
        raise ModelError(
            f"Choosing a number of abilities needs at least {LEAST_RESPONDENTS} respondents and "
            f"{LEAST_ITEMS} items.",
            f"Got {n_respondents} × {n_items}.",
            "Name the number, as dimensions=2.",
        )
    rng = np.random.default_rng(seed)
    kept = _thinned(responses, rng)
    training, held = kept.split(_SHARE, seed)
    training, held = _shared(training, held)
    losses = []
    for number in tried:
        if number >= min(training.shape):
            break
        losses.append(-scoring(training, held, number))
        means = [own.mean() for own in losses]
        # Once two more in a row predict worse, others only take time.
        if len(means) > 2 and means[-1] > means[-2] > means[-3]:
            break
    return _summary(np.array(losses), np.nonzero(is_observed(held))[0], tried[: len(losses)])


def _summary(losses: Array, rows: Array, tried: tuple[int, ...]) -> DimensionChoice:
    means = losses.mean(axis=1)
    best = int(np.argmin(means))
    total = abs(losses[0].sum())

    def errors(other: int) -> Array:
        gaps = losses[other] - losses
        sums = np.array([np.bincount(rows, weights=gap) for gap in gaps])
        present = np.bincount(rows) > 0
        count = int(present.sum())
        spread = sums[:, present].std(axis=1, ddof=1) if count > 1 else np.full(len(sums), np.inf)
        return np.asarray(spread * np.sqrt(count) / total)

    return DimensionChoice(tried, means, errors(0), errors(best), losses.shape[1])


def is_observed(responses: Responses) -> Annotated[Array, axes("respondents items")]:
    """Which cells have a response."""
    return ~np.isnan(responses.array())


def _thinned(responses: Responses, rng: np.random.Generator) -> Responses:
    """No more of the data than pays."""
    n_respondents, n_items = responses.shape
    share = np.sqrt(_MOST_CELLS / (n_respondents * n_items))
    if share >= 1:
        return responses
    rows = max(min(n_respondents, 60), int(n_respondents * share))
    columns = min(n_items, max(60, _MOST_CELLS // rows))
    return responses.take(
        rows=np.sort(rng.choice(n_respondents, rows, replace=False)).tolist(),
        columns=np.sort(rng.choice(n_items, columns, replace=False)).tolist(),
    ).drop_empty()


def _shared(training: Responses, held: Responses) -> tuple[Responses, Responses]:
    """Both parts for the respondents and items that have responses left to learn from."""
    training = training.drop_empty()
    rows = [k for k, name in enumerate(held.respondents) if name in set(training.respondents)]
    columns = [k for k, name in enumerate(held.items) if name in set(training.items)]
    return training, held.take(rows=rows, columns=columns)
