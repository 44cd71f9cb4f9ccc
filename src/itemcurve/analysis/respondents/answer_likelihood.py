"""How likely a respondent's answers are beside others that the model could have given.

The log-likelihood of a respondent's answers, less its expectation, is a sum over items whose
variance and skewness the model tells at a known ability. At an estimated one it varies less, as the
ability has been chosen to suit the answers; Snijders (2001) takes out what the estimate takes up:
with l the log probability of a category and r its slope in ability, l − c r with c = Σ E[l r] / Σ
E[r²] is what an estimate that solves Σ r + r₀ = 0 leaves. Sinharay (2016) has it for categories.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from itemcurve.analysis.curves.category_curves import item_probabilities
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerRespondent

_STEP = 1e-5
_LEAST = 1e-300
_BLOCK_CELLS = 2**20


@dataclass(frozen=True, eq=False)
class AnswerSums:
    """Sums over a respondent's answers, with l̃ = l − E[l] (respondents each).

    Attributes
    ----------
    gain : of l̃ as answered.
    square, cube : E[l̃²], E[l̃³].
    slope : E[l r].
    information : E[r²].
    mixed : E[l̃² r], E[l̃ r²], E[r³].
    """

    gain: PerRespondent
    square: PerRespondent
    cube: PerRespondent
    slope: PerRespondent
    information: PerRespondent
    mixed: tuple[PerRespondent, PerRespondent, PerRespondent]

    def corrected(self, pull: PerRespondent) -> tuple[PerRespondent, PerRespondent]:
        """lz* and the skewness of what it is made of.

        Parameters
        ----------
        pull : r₀, what the estimate of ability was drawn by beside the answers.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            share = self.slope / self.information
            variance = self.square - share * self.slope
            first, second, third = self.mixed
            cube = self.cube - 3 * share * first + 3 * share**2 * second - share**3 * third
            variance = np.where(variance > 1e-9 * self.square, variance, np.nan)
            return (self.gain + share * pull) / np.sqrt(variance), cube / variance**1.5


def answer_sums(bank: Bank, grades: Array, abilities: PerRespondent) -> AnswerSums:
    """Add up what each answer tells.

    Parameters
    ----------
    grades : place of the category in each cell (respondents × items), NaN where not observed.
    """
    found = np.zeros((8, len(grades)))
    width = max(1, _BLOCK_CELLS // len(bank))
    for low in range(0, len(grades), width):
        rows = slice(low, low + width)
        _add(found[:, rows], bank, grades[rows], abilities[rows])
    gain, square, cube, slope, information, *mixed = found
    return AnswerSums(gain, square, cube, slope, information, (mixed[0], mixed[1], mixed[2]))


def _add(total: Array, bank: Bank, grades: Array, abilities: PerRespondent) -> None:
    here, above, below = (
        item_probabilities(bank, abilities + move) for move in (0.0, _STEP, -_STEP)
    )
    for item, (own, high, low) in enumerate(zip(here, above, below, strict=True)):
        assert own is not None
        assert high is not None
        assert low is not None
        known = np.flatnonzero(np.isfinite(grades[:, item]))
        chance = np.maximum(own[1][:, known], _LEAST)
        score = (high[1][:, known] - low[1][:, known]) / (2 * _STEP) / chance
        log = np.log(chance)
        log = log - (chance * log).sum(axis=0)
        place = grades[known, item].astype(int)
        total[0, known] += log[place, np.arange(len(known))]
        powers: Sequence[Array] = (
            log**2,
            log**3,
            log * score,
            score**2,
            log**2 * score,
            log * score**2,
            score**3,
        )
        for row, power in enumerate(powers, start=1):
            total[row, known] += (chance * power).sum(axis=0)


def lower_tail(value: PerRespondent, skewness: PerRespondent) -> PerRespondent:
    """P(Z ≤ value) of a standardised sum with this skewness, by a gamma distribution.

    Examples
    --------
    >>> bool(abs(lower_tail(np.array([-1.96]), np.array([0.0]))[0] - 0.025) < 1e-4)
    True
    """
    from scipy.special import gammainc, gammaincc, ndtr

    value, skewness = np.asarray(value, dtype=float), np.asarray(skewness, dtype=float)
    shape = 4.0 / np.maximum(skewness**2, 1e-6)
    reach = np.sqrt(shape)
    left = gammaincc(shape, np.maximum(shape - value * reach, 0.0))
    right = gammainc(shape, np.maximum(shape + value * reach, 0.0))
    found = np.where(skewness < 0, left, right)
    return np.where(np.abs(skewness) < 2e-3, ndtr(value), found)
