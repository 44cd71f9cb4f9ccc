"""How sure a ranking is: who leads, by what probability, and how well the test separates."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_CLEAR = 0.95


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of respondents and how much of it is certain.

    Attributes
    ----------
    respondents, ability, ability_se : by ability, the best first.
    probability_behind : that the best respondent is truly better than each (0.5 for itself),
        taking abilities as independent and normal.
    reliability : share of the variance of abilities that is not error.
    """

    respondents: tuple[str, ...]
    ability: Array
    ability_se: Array
    probability_behind: Array
    reliability: float

    @property
    def n_tied(self) -> int:
        """How many others the best is not clearly ahead of (probability below 0.95)."""
        return int((self.probability_behind[1:] < _CLEAR).sum())

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent, the best first."""
        columns = ("ability", "ability_se", "probability_behind")
        ranks = np.arange(1, len(self.respondents) + 1)
        return tabulate(self, *columns, respondent=self.respondents, rank=ranks)


@takes_evaluations
def ranking(fit: FitResult) -> Ranking:
    """Rank respondents and say how sure the lead is.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=200, items=30, seed=1).responses)
    >>> ic.ranking(fit).frame()["rank"].tolist()[:3]
    [1, 2, 3]
    """
    from scipy.special import ndtr

    ability, error = fit.estimates.abilities, fit.estimates.ability_errors
    order = np.argsort(-ability, kind="stable")
    ability, error = ability[order], error[order]
    spread = np.sqrt(error**2 + error[0] ** 2)
    gap = ability[0] - ability
    chance = np.where(spread > 0, ndtr(gap / np.where(spread > 0, spread, 1.0)), gap > 0)
    chance[0] = 0.5
    return Ranking(
        tuple(fit.responses.respondents[i] for i in order),
        ability,
        error,
        chance,
        _reliability(fit, ability, error),
    )


def _reliability(fit: FitResult, ability: Array, error: Array) -> float:
    """True variance over its sum with the mean squared error.

    Abilities of fits over respondents are posterior means, whose own variance is the true part;
    those of fits over items are estimates whose variance contains the error.
    """
    known = np.isfinite(error)
    noise = float((error[known] ** 2).mean()) if known.any() else float("nan")
    spread = float(ability.var())
    if fit.estimates.over == "respondents":
        return spread / (spread + noise) if spread + noise > 0 else float("nan")
    return max(0.0, 1.0 - noise / spread) if spread > 0 else float("nan")
