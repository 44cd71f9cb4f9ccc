"""How many abilities the responses hold: how well cells that were left out are predicted.

A logistic factor model, P(right) = σ(a · θ + b) with D-dimensional θ, is fitted to 85 % of the
cells for several D; the best D is what the data support for prediction. It is a check, not a model
to report: a second ability shows as a gain that one ability, however well fitted, does not have.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.model_fit.factor_fit import fit_factors
from itemcurve.analysis.model_fit.margin_permutation import permute_within_margins

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]

DIMENSIONS = (1, 2, 3, 4, 6)
# Prior precisions of loadings; which serves best is seen on one half of the cells held out, and
# what it then predicts on the other half.
_PENALTIES = (1.0, 4.0)
_SHARE = 0.15
# More cells cost time and change the answer little.
_MOST_RESPONDENTS, _MOST_CELLS = 250, 150_000
LEAST_RESPONDENTS, LEAST_ITEMS = 20, 20


@dataclass(frozen=True, eq=False)
class DimensionCheck:
    """Log-loss of cells that were held out, by number of abilities.

    Attributes
    ----------
    dimensions : numbers of abilities tried, from 1 to the first that predicts worse again.
    log_loss : mean over the cells held out, by number.
    gain_se : standard error of the gain over one ability, by number; respondents are the units.
    by_chance : gain of the best number over one ability where answers are permuted within margins.
    cells : cells held out.
    """

    dimensions: tuple[int, ...]
    log_loss: Floats
    gain_se: Floats
    by_chance: float
    cells: int

    @property
    def gains(self) -> Floats:
        """Share of the log-loss of one ability that more of them save."""
        return np.asarray(1 - self.log_loss / self.log_loss[0])

    @property
    def best(self) -> int:
        """Number of abilities that predicts best; 1 where no gain is beyond doubt and chance.

        Of numbers within a standard error of the best one the smallest is taken.
        """
        gains = self.gains
        top = int(np.argmax(gains))
        least = max(2 * self.gain_se[top], self.by_chance, 0.005)
        if gains[top] <= least:
            return 1
        near = gains >= max(gains[top] - self.gain_se[top], least)
        return self.dimensions[int(np.argmax(near))]

    @property
    def gain(self) -> float:
        """Gain of the best number over one ability; 0 where one is enough."""
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
            return "One ability predicts as well as several."
        return (
            f"One ability is not enough: {self.best} factors predict {self.gain:.0%} better "
            f"(permuted answers: {max(self.by_chance, 0):.0%})."
        )


def check_dimensions(
    values: Floats, *, dimensions: tuple[int, ...] = DIMENSIONS, seed: int = 0
) -> DimensionCheck | None:
    """Find how many abilities predict left-out cells best; None where there are too few of them.

    Parameters
    ----------
    values : responses from 0 to 1 (respondents × items), NaN where not observed.
    dimensions : numbers of abilities to try, from 1 upwards.

    Examples
    --------
    >>> import itemcurve as ic
    >>> responses = ic.simulate("2pl", respondents=60, items=60, seed=1).responses
    >>> check_dimensions(responses.array()).best
    1
    """
    random = np.random.default_rng(seed)
    kept = _sample(values, random)
    if kept.shape[0] < LEAST_RESPONDENTS or kept.shape[1] < LEAST_ITEMS:
        return None
    held = (random.random(kept.shape) < _SHARE) & ~np.isnan(kept)
    tried: list[Floats] = []
    for number in dimensions:
        tried.append(_predict(kept, held, number, seed))
        # Once another factor predicts worse, more of them only take time.
        if len(tried) > 1 and tried[-1].mean() > tried[-2].mean():
            break
    losses = np.array(tried)
    dimensions = dimensions[: len(losses)]
    mean = losses.mean(axis=1)
    gain_se = _gain_errors(losses, np.nonzero(_halves(held, seed)[1])[0])
    best = dimensions[int(np.argmin(mean))]
    by_chance = 0.0
    if best > 1:
        drawn = permute_within_margins(kept, random)
        one, more = (_predict(drawn, held, number, seed).mean() for number in (1, best))
        by_chance = float(1 - more / one)
    return DimensionCheck(dimensions, mean, gain_se, by_chance, losses.shape[1])


def _sample(values: Floats, random: np.random.Generator) -> Floats:
    """Items that someone has right and someone wrong, and no more of the data than pays."""
    means = np.array([np.nan if np.isnan(c).all() else np.nanmean(c) for c in values.T])
    telling = np.flatnonzero((means > 0) & (means < 1))
    kept = values[:, telling]
    if len(kept) > _MOST_RESPONDENTS:
        kept = kept[np.sort(random.choice(len(kept), _MOST_RESPONDENTS, replace=False))]
    most = _MOST_CELLS // max(len(kept), 1)
    if kept.shape[1] > most:
        kept = kept[:, np.sort(random.choice(kept.shape[1], most, replace=False))]
    return np.asarray(kept)


def _halves(held: NDArray[np.bool_], seed: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Part the cells held out: one half to choose by, the other to judge by."""
    first = np.random.default_rng([seed, 1]).random(held.shape) < 0.5
    return held & first, held & ~first


def _predict(values: Floats, held: NDArray[np.bool_], number: int, seed: int) -> Floats:
    """Log-loss of each cell to judge by, with the penalty that serves the other half best."""
    to_choose, to_judge = _halves(held, seed)
    training = np.where(held, np.nan, values)
    found: list[tuple[float, Floats]] = []
    for penalty in _PENALTIES:
        expected = fit_factors(training, number, penalty)
        loss = -(values * np.log(expected) + (1 - values) * np.log1p(-expected))
        found.append((float(loss[to_choose].mean()), loss[to_judge]))
    return min(found, key=lambda pair: pair[0])[1]


def _gain_errors(losses: Floats, rows: NDArray[np.intp]) -> Floats:
    """Standard errors of the gains over the first, with respondents as the units."""
    total = losses[0].sum()
    gains = losses[0] - losses
    sums = np.array([np.bincount(rows, weights=gain) for gain in gains])
    present = np.bincount(rows) > 0
    count = int(present.sum())
    spread = sums[:, present].std(axis=1, ddof=1) if count > 1 else np.full(len(losses), np.inf)
    return np.asarray(spread * np.sqrt(count) / total)
