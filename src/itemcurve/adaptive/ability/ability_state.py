"""What a rule may know of a test: the answers so far and what they say about ability."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from itemcurve.adaptive.records import HandedOut
from itemcurve.bank.ability_estimation import (
    ScoringMethod,
    log_likelihood_of_one,
    score_one,
)
from itemcurve.bank.calibration_uncertainty import score_equation_variance
from itemcurve.bank.item_bank import Bank
from itemcurve.numerics.engine import Array

_N_NODES = 61
_WIDTH = 6.0
# Where maximum likelihood has no finite answer, items are sought this many sd from the mean.
_FARTHEST = 4.0


@dataclass(frozen=True, eq=False)
class AdaptiveState:
    """A test at one moment.

    Attributes
    ----------
    bank : all items.
    answered, responses : places of the items answered, and the answers, in order.
    handed_out : places of items that were given out and not answered yet.
    ability, ability_se : the estimate so far; always finite, for rules to work with.
    centre, spread : posterior mean and standard deviation, whatever the method.
    rng : this moment's own source of randomness.
    handed_out_as : how each answered item came to be chosen; empty when not known.
    score_misfit : standard deviation of what the model gets wrong about scores.
    ability_range : lowest and highest calibrated ability; None where not known.
    """

    bank: Bank
    answered: Array
    responses: Array
    handed_out: Array
    ability: float
    ability_se: float
    centre: float
    spread: float
    rng: np.random.Generator
    handed_out_as: tuple[HandedOut, ...] = ()
    score_misfit: float = 0.0
    ability_range: tuple[float, float] | None = None

    @cached_property
    def is_available(self) -> Array:
        """Which items may still be asked (items)."""
        free = np.ones(len(self.bank), dtype=bool)
        free[self.answered] = False
        free[self.handed_out] = False
        return free

    @cached_property
    def nodes(self) -> Array:
        """Abilities that cover the posterior."""
        return np.linspace(
            self.centre - _WIDTH * self.spread, self.centre + _WIDTH * self.spread, _N_NODES
        )

    @cached_property
    def posterior(self) -> Array:
        """Weights of the nodes; they sum to one."""
        gap = (self.nodes - self.bank.ability_mean) / self.bank.ability_sd
        height = self.log_likelihood(self.nodes) - 0.5 * gap**2
        weights = np.exp(height - height.max())
        return np.asarray(weights / weights.sum())

    def log_likelihood(self, abilities: Array) -> Array:
        """Log-likelihood of the answers at these abilities, up to a constant."""
        if not len(self.answered):
            return np.zeros(len(abilities))
        return log_likelihood_of_one(self.bank.take(self.answered), self.responses, abilities)

    @staticmethod
    def log_likelihood_of(bank: Bank, place: int, response: float, abilities: Array) -> Array:
        """Log-likelihood of one answer at these abilities, up to a constant."""
        return log_likelihood_of_one(bank.take([place]), np.array([response]), abilities)

    def moved(self, ability: float) -> "AdaptiveState":
        """The same moment with another ability in mind."""
        return replace(self, ability=float(ability))


@dataclass(frozen=True)
class AbilityEstimate:
    """An ability with its standard error, calibration included, and the posterior's moments."""

    ability: float
    ability_se: float
    centre: float
    spread: float


def estimate_ability(
    bank: Bank, answered: Sequence[int] | Array, responses: Array, method: ScoringMethod
) -> AbilityEstimate:
    """Estimate the ability behind some answers.

    The standard error includes what uncertain item parameters add: cᵀVc summed over the items
    asked, over the squared information (`calibration.score_equation_variance`).

    Parameters
    ----------
    answered : places of the items in the bank.
    responses : the answers.
    """
    if not len(answered):
        prior = (bank.ability_mean, bank.ability_sd)
        return AbilityEstimate(*(prior if method in ("eap", "map") else (np.nan, np.inf)), *prior)
    asked = bank.take(answered)
    centre, spread = score_one(asked, responses)
    is_mean = method == "eap"
    ability, error = (centre, spread) if is_mean else score_one(asked, responses, method=method)
    if np.isfinite(ability):
        error = _with_calibration_error(asked, ability, error)
    return AbilityEstimate(ability, error, centre, spread)


def _with_calibration_error(asked: Bank, ability: float, error: float) -> float:
    """Give the standard error with what the items' own uncertainty adds: error⁴ · Σ cᵀVc."""
    # Factored, since the fourth power of a standard error at the edge of the scale overflows.
    return float(error * np.sqrt(1.0 + error**2 * score_equation_variance(asked, ability).sum()))


def for_rules(
    bank: Bank,
    estimate: AbilityEstimate,
    answered: Array,
    responses: Array,
    handed_out: Array,
    rng: np.random.Generator,
    handed_out_as: tuple[HandedOut, ...] = (),
    score_misfit: float = 0.0,
    ability_range: tuple[float, float] | None = None,
) -> AdaptiveState:
    """Give the state that rules see: abilities beyond all items are drawn in."""
    limit = _FARTHEST * bank.ability_sd
    ability = np.nan_to_num(estimate.ability, nan=bank.ability_mean, posinf=1e9, neginf=-1e9)
    finite = float(np.clip(ability, bank.ability_mean - limit, bank.ability_mean + limit))
    return AdaptiveState(
        bank=bank,
        answered=np.asarray(answered, dtype=int),
        responses=np.asarray(responses, dtype=float),
        handed_out=np.asarray(handed_out, dtype=int),
        ability=finite,
        ability_se=estimate.ability_se,
        centre=estimate.centre,
        spread=estimate.spread,
        rng=rng,
        handed_out_as=handed_out_as,
        score_misfit=score_misfit,
        ability_range=ability_range,
    )
