"""Respondents whose answers do not go together: right where it is hard and wrong where it is easy.

Zh (Drasgow, Levine and Williams 1985) is a respondent's log-likelihood at the estimated ability,
standardised by its expectation and variance there: far below 0 when the pattern is one that the
model hardly ever gives. At estimated abilities it spreads less than a standard normal, the more so
the fewer items there are; lz* (Snijders 2001) is free of that and is what is tested. Outfit is the
mean squared standardised residual, infit the same weighted by information (Wright and Masters
1982).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.analysis.curves.category_curves import item_probabilities
from itemcurve.analysis.evaluated_fits import takes_evaluations
from itemcurve.analysis.model_fit.item_fit import adjust
from itemcurve.analysis.model_fit.item_margins import has_grades, observed_grades
from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.analysis.respondents.answer_likelihood import answer_sums, lower_tail
from itemcurve.bank.ability_estimation import score
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, PerRespondent, axes
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_LEVEL = 0.05
# Standard deviations from what is expected: a right answer to a question of which one in five is.
_SURPRISE = 2.0


@dataclass(frozen=True, eq=False)
class PersonFit:
    """Fit statistics of respondents.

    Attributes
    ----------
    zh : standardised log-likelihood of each respondent's answers.
    lz_star : the same, corrected for ability being estimated; about standard normal where the
        model holds, far below 0 where answers do not go together.
    p_value : probability of so low a value where the model holds.
    outfit, infit : mean squares of their residuals.
    better, worse : number of answers that are far better than expected of the respondent on that
        item, and far worse: hard items right, and easy ones wrong.
    items, item_zh : the same standardised log-likelihood of all answers to each item.
    """

    respondents: tuple[str, ...]
    zh: PerRespondent
    lz_star: PerRespondent
    p_value: PerRespondent
    outfit: PerRespondent
    infit: PerRespondent
    better: PerRespondent
    worse: PerRespondent
    items: tuple[str, ...]
    item_zh: PerItem

    @property
    def p_adjusted(self) -> PerRespondent:
        """p-values adjusted for the number of respondents (false-discovery rate)."""
        return adjust(self.p_value)

    @property
    def flagged(self) -> Annotated[Array, axes("respondents")]:
        """Respondents whose answers do not go together, at a false-discovery rate of 5 %."""
        return np.nan_to_num(self.p_adjusted, nan=1.0) <= _LEVEL

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent."""
        tests = ("zh", "lz_star", "p_value", "p_adjusted", "flagged")
        rest = ("outfit", "infit", "better", "worse")
        return tabulate(self, *tests, *rest, respondent=self.respondents)

    def sentences(self) -> tuple[str, ...]:
        """What is odd about each flagged respondent, in words, the oddest first."""
        order = np.argsort(self.p_value, kind="stable")
        return tuple(self._sentence(int(place)) for place in order if self.flagged[place])

    def _sentence(self, place: int) -> str:
        better, worse = int(self.better[place]), int(self.worse[place])
        what = "answers hard items right and easy ones wrong"
        if not better and worse:
            what = "answers easy items wrong, given how able it is on the others"
        elif better and not worse:
            what = "answers hard items right, given how able it is on the others"
        return (
            f"{self.respondents[place]} {what}: {better} right that it should miss, "
            f"{worse} wrong that it should know."
        )

    def __str__(self) -> str:
        found = self.sentences()
        count = f"{len(found)} of {len(self.respondents)} respondents"
        if not found:
            return f"{count} answer in a way that the model hardly ever gives."
        return "\n".join([f"{count} answer in a way that the model hardly ever gives.", *found[:5]])


@takes_evaluations
def person_fit(fit: FitResult) -> PersonFit:
    """Find respondents whose answers the model hardly explains, at whatever ability.

    They are right where it is hard and wrong where it is easy: some items leaked, a harness cut
    some answers off, or the respondent is good at something else than the others are.

    Parameters
    ----------
    fit : of right and wrong answers, or of categories; each cell observed once.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("grm", respondents=300, items=12, seed=1).responses, "grm")
    >>> bool(abs(person_fit(fit).zh.mean()) < 0.5)
    True
    """
    gain, spread = _standardised_parts(fit)
    outfit, infit = _mean_squares(fit)
    with np.errstate(divide="ignore", invalid="ignore"):
        by_respondent = gain.sum(axis=1) / np.sqrt(spread.sum(axis=1))
        by_item = gain.sum(axis=0) / np.sqrt(spread.sum(axis=0))
    names = fit.responses
    return PersonFit(
        names.respondents,
        by_respondent,
        *_tested(fit),
        outfit,
        infit,
        *_surprises(fit),
        names.items,
        by_item,
    )


def _tested(fit: FitResult) -> tuple[PerRespondent, PerRespondent]:
    """lz* and its p-value, at the abilities of highest posterior density."""
    bank = fit.bank
    abilities = score(bank, fit.responses, method="map").ability
    sums = answer_sums(bank, observed_grades(fit, bank, list(range(len(bank)))), abilities)
    # The prior's slope, which the mode sets against the slope of the answers.
    mean, sd = np.clip(bank.ability_mean, -5.0, 5.0), np.clip(bank.ability_sd, 0.01, 5.0)
    value, skewness = sums.corrected((mean - abilities) / sd**2)
    return value, lower_tail(value, skewness)


Cells = Annotated[Array, axes("respondents items")]


def _standardised_parts(fit: FitResult) -> tuple[Cells, Cells]:
    """Each cell's log-likelihood less its expectation, and its variance; 0 where not observed."""
    if not has_answers(fit):
        raise ModelError(
            "Fit of respondents needs answers that are right or wrong, or categories, one each.",
            "Got scores, or several answers of a respondent to an item, or several abilities.",
            "Read residuals of scores from itemcurve.item_fit, or fit one ability.",
        )
    chances = item_probabilities(fit.bank, fit.estimates.abilities)
    observed = fit.responses.array()
    gain, spread = np.zeros(observed.shape), np.zeros(observed.shape)
    for item, own in enumerate(chances):
        assert own is not None
        codes, probability = own
        logs = np.log(np.maximum(probability, 1e-300))
        mean = (probability * logs).sum(axis=0)
        known = np.flatnonzero(np.isfinite(observed[:, item]))
        place = np.searchsorted(codes, observed[known, item])
        gain[known, item] = logs[place, known] - mean[known]
        variance = (probability * logs**2).sum(axis=0) - mean**2
        spread[known, item] = variance[known]
    return gain, spread


def has_answers(fit: FitResult) -> bool:
    """Whether responses are right or wrong, or categories, one each, of one ability."""
    return fit.estimates.ability_points.shape[1] == 1 and has_grades(fit)


def _surprises(fit: FitResult) -> tuple[PerRespondent, PerRespondent]:
    better, worse = (np.zeros(fit.responses.shape[0], dtype=int) for _ in range(2))
    for block in iterate_residuals(fit):
        better += (block.standardised > _SURPRISE).sum(axis=1)
        worse += (block.standardised < -_SURPRISE).sum(axis=1)
    return better, worse


def _mean_squares(fit: FitResult) -> tuple[PerRespondent, PerRespondent]:
    size = fit.responses.shape[0]
    count, squares, raw, variance = (np.zeros(size) for _ in range(4))
    for block in iterate_residuals(fit):
        count += (block.weight > 0).sum(axis=1)
        squares += (block.standardised**2).sum(axis=1)
        raw += (block.raw**2).sum(axis=1)
        variance += block.variance.sum(axis=1)
    return squares / count, raw / variance
