"""Respondents whose answers do not go together: right where it is hard and wrong where it is easy.

Zh (Drasgow, Levine and Williams 1985) is a respondent's log-likelihood at the estimated ability,
standardised by its expectation and variance there: far below 0 when the pattern is one that the
model hardly ever gives. Outfit is the mean squared standardised residual, infit the same weighted
by information (Wright and Masters 1982). At estimated abilities Zh spreads less than a standard
normal, the more so the fewer items there are: −2 is rarer than 2 %.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from itemcurve.analysis.curves.category_curves import item_probabilities
from itemcurve.analysis.model_fit.residuals import iterate_residuals
from itemcurve.errors import ModelError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import PerItem, PerRespondent, axes
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class PersonFit:
    """Fit statistics of respondents.

    Attributes
    ----------
    zh : standardised log-likelihood of each respondent's answers.
    outfit, infit : mean squares of their residuals.
    items, item_zh : the same standardised log-likelihood of all answers to each item.
    """

    respondents: tuple[str, ...]
    zh: PerRespondent
    outfit: PerRespondent
    infit: PerRespondent
    items: tuple[str, ...]
    item_zh: PerItem

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent."""
        return tabulate(self, "zh", "outfit", "infit", respondent=self.respondents)


def person_fit(fit: FitResult) -> PersonFit:
    """Find respondents whose answers the model hardly explains, at whatever ability.

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
    return PersonFit(names.respondents, by_respondent, outfit, infit, names.items, by_item)


Cells = Annotated[Array, axes("respondents items")]


def _standardised_parts(fit: FitResult) -> tuple[Cells, Cells]:
    """Each cell's log-likelihood less its expectation, and its variance; 0 where not observed."""
    chances = item_probabilities(fit.bank, fit.estimates.abilities)
    if any(own is None for own in chances) or not _is_single(fit):
        raise ModelError(
            "Fit of respondents needs answers that are right or wrong, or categories, one each.",
            "Got scores, or several answers of a respondent to an item.",
            "Use measure_misfit for scores.",
        )
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


def _is_single(fit: FitResult) -> bool:
    weight = fit.responses.weight()
    return weight is None or bool(np.isin(np.unique(np.asarray(weight.max(axis=0))), (0, 1)).all())


def _mean_squares(fit: FitResult) -> tuple[PerRespondent, PerRespondent]:
    size = fit.responses.shape[0]
    count, squares, raw, variance = (np.zeros(size) for _ in range(4))
    for block in iterate_residuals(fit):
        count += (block.weight > 0).sum(axis=1)
        squares += (block.standardised**2).sum(axis=1)
        raw += (block.raw**2).sum(axis=1)
        variance += block.variance.sum(axis=1)
    return squares / count, raw / variance
