"""What estimators of scores are given, and what they give back."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from itemcurve.adaptive.prediction.linear import Asked
from itemcurve.bank.ability_estimation import Scores, score
from itemcurve.bank.calibration_uncertainty import score_equation_variance
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

_WIDER = 3.0

RepeatChoice = Callable[[NDArray[np.bool_]], Asked]
"""The items that would have been asked had only these calibration respondents been known."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """What is known before: the items, and who answered them.

    Attributes
    ----------
    bank : the items; None where responses alone are known.
    responses : of the calibration respondents to all items, missing ones filled with what is
        expected (respondents × items); None when only the bank is known.
    abilities : of the calibration respondents; None when only the bank is known.
    weights : of the items in the score; they sum to one. Equal ones when None.
    external : a score from elsewhere for each calibration respondent, to be predicted instead.
    """

    bank: Bank | None
    responses: Array | None = None
    abilities: Array | None = None
    weights: Array | None = None
    external: Array | None = None

    @property
    def curves(self) -> Bank:
        """The bank, for estimators that cannot do without."""
        if self.bank is None:
            raise ModelError(
                "This estimator needs item curves.",
                "Calibration responses alone were given.",
                "Pass a fit, or leave the estimator out.",
            )
        return self.bank

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return len(self.curves) if self.responses is None else self.responses.shape[1]

    @cached_property
    def scores(self) -> Array:
        """Mean responses of the calibration respondents."""
        assert self.responses is not None
        return np.asarray(self.responses.mean(axis=1))


@dataclass(frozen=True, eq=False)
class Sample:
    """Respondents who answered the same items.

    Attributes
    ----------
    places : of the items in the bank.
    values : their responses (respondents × items answered).
    chances : the probability of each item to be among those asked; None for equal ones.
    width : distance between the lowest and the highest possible response.
    repeat : chooses the items again for some of the calibration respondents, where they were
        chosen for the score; None where all were drawn.
    """

    places: NDArray[np.int_]
    values: Array
    chances: Array | None = None
    width: float = 1.0
    repeat: RepeatChoice | None = None

    @property
    def size(self) -> int:
        """Number of items answered."""
        return len(self.places)

    def squares(self, residuals: Array) -> Array:
        """Sum of squared residuals per respondent, never as small as nothing.

        Half of the largest possible one is added: fifty right answers do not prove that the
        fifty-first cannot be wrong.
        """
        return np.asarray((residuals**2).sum(axis=1) + 0.5 * self.width**2)

    def is_rest(self, n_items: int) -> NDArray[np.bool_]:
        """Which items were not answered."""
        rest = np.ones(n_items, dtype=bool)
        rest[self.places] = False
        return rest

    def abilities(self, bank: Bank) -> Scores:
        """Abilities of the respondents, by posterior mean, with what uncertain items add.

        Under a prior three times as wide as the calibrated population: a respondent who may come
        from outside it must not be pulled into it.
        """
        names = [bank.items[place] for place in self.places]
        given = Responses.from_array(np.asarray(self.values, dtype=float), items=names)
        asked = bank.take(self.places)
        found = score(asked, given, prior_sd=min(_WIDER * bank.ability_sd, 5.0))
        item_errors = score_equation_variance(asked, found.ability).sum(axis=1)
        error = np.sqrt(found.ability_se**2 + found.ability_se**4 * item_errors)
        return Scores(found.respondents, found.ability, error, found.method)


@dataclass(frozen=True, eq=False)
class Prediction:
    """Scores with standard errors, one per respondent.

    Attributes
    ----------
    degrees : degrees of freedom of the standard errors.
    is_outside : whether a respondent lies outside what was calibrated; None where not judged.
    """

    score: Array
    se: Array
    degrees: float | Array
    is_outside: Array | None = None


class ScoreEstimator(Protocol):
    """Predicts the mean response over all items from some."""

    def __call__(self, calibration: Calibration, sample: Sample) -> Prediction:
        """Predict for every respondent of a sample."""
