"""How far scores from chosen items miss, measured on respondents whose scores are known."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.ability.ability_state import estimate_ability, for_rules
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.score_of_ability_test import by_model
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.simulation.simulated_tests import simulate_tests
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.estimation.refitting import fit_again
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_FEWEST = 8
_LEAST = 1e-6


@dataclass(frozen=True, eq=False)
class ScoreMisfit:
    """Errors of predicted scores, one per respondent of the calibration that was left out.

    Attributes
    ----------
    respondents : ids.
    error : predicted minus actual score.
    expected_sd : standard deviation of the error if the model were right.
    """

    respondents: tuple[str, ...]
    error: Array
    expected_sd: Array

    @property
    def score_sd(self) -> float:
        """Standard deviation of what the model does not account for.

        A millionth when it does for all: 0 stands for a misfit that was not measured.
        """
        return float(np.sqrt(max(np.mean(self.error**2 - self.expected_sd**2), _LEAST**2)))

    def frame(self) -> "pandas.DataFrame":
        """Table with one row per respondent."""
        return tabulate(self, "error", "expected_sd", respondent=self.respondents)


def needs_misfit(calibration: FitResult, select: str | SelectionRule) -> bool:
    """Say whether intervals of the score would be too narrow without `measure_misfit`.

    They are wherever items are chosen by what they tell about ability, for on those a model that is
    somewhat wrong errs most; items drawn at random need nothing of the kind. It takes eight
    respondents to measure.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=30, items=20, seed=1).responses)
    >>> needs_misfit(fit, "fisher"), needs_misfit(fit, "random")
    (True, False)
    """
    return select != "random" and calibration.responses.shape[0] >= _FEWEST


def measure_misfit(
    calibration: FitResult,
    *,
    select: str | SelectionRule = "fisher",
    max_items: int = 50,
    exposure: Exposure | int = 1,
    folds: int = 4,
    seed: int = 0,
) -> ScoreMisfit:
    """Replay tests of calibration respondents against items calibrated without them.

    A model that is somewhat wrong is most wrong about the items a rule likes best, and its own
    standard errors do not know. What these tests missed by tells: give `score_sd` to
    `AdaptiveTest(..., score_misfit=...)`, whose score then has intervals that hold for respondents
    like those calibrated on. It says nothing about better ones than these.

    Parameters
    ----------
    select, max_items, exposure : of the tests to come; `explore` does not matter here.
    folds : in how many parts respondents are left out; each costs a fit.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=60, items=80, seed=1).responses)
    >>> ic.measure_misfit(fit, max_items=20).score_sd < 0.05
    True
    """
    respondents = len(getattr(getattr(calibration, "responses", None), "respondents", ()))
    if not isinstance(calibration, FitResult) or respondents < _FEWEST or folds < 2:
        raise ModelError(
            f"Misfit is measured on a fit of at least {_FEWEST} respondents, in 2 folds or more.",
            f"Got {type(calibration).__name__} with {respondents}, {folds} folds.",
            "Use the result of itemcurve.fit; a bare bank has no responses to replay.",
        )
    order = np.random.default_rng(seed).permutation(respondents)
    chance = exposure if isinstance(exposure, Exposure) else Exposure(int(exposure))
    names: list[str] = []
    found: list[tuple[float, float]] = []
    for fold in range(min(folds, respondents)):
        left_out = np.sort(order[fold::folds])
        rest = np.setdiff1d(order, left_out)
        bank = fit_again(calibration, calibration.responses.take(rows=rest.tolist())).bank
        own = calibration.responses.take(rows=left_out.tolist())
        asked = simulate_tests(
            bank,
            responses=own,
            select=select,
            max_items=max_items,
            exposure=Exposure(chance.best),
            seed=seed,
        ).asked
        names += own.respondents
        found += _errors(bank, own, asked)
    error, expected = np.array(found).T
    return ScoreMisfit(tuple(names), error, expected)


def _errors(bank: Bank, responses: Responses, asked: Array) -> list[tuple[float, float]]:
    """Error of the model's score and its standard deviation by the model, per respondent."""
    found = []
    for row, places in zip(responses.array(), asked, strict=True):
        known = places[places >= 0]
        estimate = estimate_ability(bank, known, row[known], "eap")
        state = for_rules(bank, estimate, known, row[known], np.zeros(0), np.random.default_rng(0))
        value, variance = by_model(state)
        found.append((value - float(np.nanmean(row)), float(np.sqrt(variance))))
    return found
