"""True Score and Total Score: what a respondent's hits and misses are worth, given the items.

True Score   Σ_i P_i(θ)
Total Score  Σ_right P_i(θ) − Σ_wrong (1 − P_i(θ)) = True Score − number of wrong answers

(Cardoso et al., Standing on the shoulders of giants, eq. 2 and 3.) The identity on the right means
that Total Score is True Score moved by the error rate: it adds no information of its own, and both
have the same standard error once the answers are given.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.evaluated_fits import unwraps_evaluations
from itemcurve.bank.ability_estimation import Scores, ScoringMethod, score
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import NUMPY, Array, Matrix, add_up, as_dense
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

_STEP = 1e-5


@dataclass(frozen=True, eq=False)
class ItemScores:
    """True Score and Total Score, one entry per respondent.

    Attributes
    ----------
    abilities : with standard errors, against the frozen bank.
    items : number of items answered.
    true_sum, wrong : Σ P over the items answered, and Σ (1 − y).
    sum_error : standard error of both sums; it includes the uncertainty of the ability, of the
        items, and of the ability through the items.
    """

    abilities: Scores
    items: Array
    true_sum: Array
    wrong: Array
    sum_error: Array

    @property
    def respondents(self) -> tuple[str, ...]:
        """Ids, in the order of the arrays."""
        return self.abilities.respondents

    @property
    def true_score(self) -> Array:
        """True Score per item answered."""
        return self.true_sum / self.items

    @property
    def total_score(self) -> Array:
        """Total Score per item answered."""
        return (self.true_sum - self.wrong) / self.items

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent: scores per item with standard errors, and their sums."""
        import pandas

        error = self.sum_error / self.items
        return pandas.DataFrame(
            {
                "respondent": self.respondents,
                "ability": self.abilities.ability,
                "ability_se": self.abilities.ability_se,
                "true_score": self.true_score,
                "true_score_se": error,
                "total_score": self.total_score,
                "total_score_se": error,
                "items": self.items,
                "true_score_sum": self.true_sum,
                "total_score_sum": self.true_sum - self.wrong,
                "score_sum_se": self.sum_error,
            }
        )


@unwraps_evaluations
def item_scores(
    fit: FitResult | Bank,
    responses: Responses | None = None,
    *,
    method: ScoringMethod = "eap",
) -> ItemScores:
    """Give True Score and Total Score of respondents against calibrated items.

    Parameters
    ----------
    fit : the calibration, or its bank.
    responses : of the respondents to score; those of the fit when left out.
    method : how abilities are estimated, as for `score`.

    Returns
    -------
    Scores per item answered (`true_score`, `total_score`, as published tables show them) and their
    sums. Standard errors follow by the delta method from the error of the ability and the
    covariance of each item's parameters; items are taken as independent of each other.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=100, items=20, seed=1)
    >>> scores = ic.metrics.item_scores(ic.fit(truth.responses, "2pl"))
    >>> scores.frame()["true_score"].between(0, 1).all().item()
    True
    """
    if isinstance(fit, FitResult):
        bank, responses = fit.bank, fit.responses if responses is None else responses
    elif responses is None:
        raise EvaluationError(
            "A bank alone has no respondents;",
            "no responses are given.",
            "Give responses to its items, or the fit it comes from.",
        )
    else:
        bank = fit
    abilities = score(bank, responses, method=method)
    aligned = bank.aligned(responses)
    values = responses.array()
    observed = np.isfinite(values)
    theta = np.clip(abilities.ability, -15.0, 15.0)
    chances = aligned.expected_response(theta) * observed
    return ItemScores(
        abilities,
        observed.sum(axis=1),
        chances.sum(axis=1),
        np.nansum(1.0 - values, axis=1),
        _sum_error(aligned, responses, observed, theta, abilities.ability_se),
    )


def _sum_error(
    bank: Bank, responses: Responses, observed: Array, theta: Array, error: Array
) -> Array:
    """Standard error of Σ P: through the ability, through the items, and through both at once."""
    slope = _difference(lambda t: bank.expected_response(t) * observed, theta).sum(axis=1)
    # An infinite ability has an infinite error and a flat curve; its part is taken as 0.
    spread = np.nan_to_num(error, posinf=0.0) ** 2
    variance = slope**2 * spread
    for part in bank.parts:
        variance = variance + _item_variance(part, responses, observed, theta, slope * spread)
    return np.sqrt(variance)


def _item_variance(
    part: BankPart, responses: Responses, observed: Array, theta: Array, pull: Array
) -> Array:
    """Variance of Σ P that comes from the items of one model (respondents).

    Parameters
    ----------
    pull : dΣP/dθ times the variance of the ability, so that `pull` · ∂l′/∂ω is the change of Σ P
        through the ability, which moves when an item's parameters do.
    """
    likelihood, free = part.likelihood, list(part.likelihood.free)
    channels = [
        None if c is None else _dense(c, part.positions) for c in likelihood.channels(responses)
    ]
    seen = observed[:, part.positions]
    gradients = []
    for index in free:
        step = _step(part, index)
        above, below = part.values + step, part.values - step
        own = _chance(part, theta, above) - _chance(part, theta, below)
        moved = _score(part, channels, theta, above) - _score(part, channels, theta, below)
        gradients.append((own + pull[:, None] * moved) * seen / (2 * step[:, index]))
    gradient = np.stack(gradients, axis=2)
    # A parameter at a bound has no covariance; it is taken as known.
    covariance = np.nan_to_num(part.covariance, nan=0.0)
    return np.maximum(np.einsum("jia,iab,jib->j", gradient, covariance, gradient), 0.0)


def _step(part: BankPart, index: int) -> Array:
    """Give a small change of one parameter of each item that stays inside its range."""
    step = np.zeros(part.values.shape)
    room = part.model.parameters[index].transform.slope(NUMPY, part.values[:, index])
    step[:, index] = np.minimum(_STEP, 0.5 * room)
    return step


def _chance(part: BankPart, theta: Array, values: Array) -> Array:
    return part.likelihood.expected_response(NUMPY, theta, values).T


def _score(part: BankPart, channels: list[Array | None], theta: Array, values: Array) -> Array:
    """Derivative of each cell's log-likelihood in ability (respondents × items)."""
    slopes = part.likelihood.ability_slopes(NUMPY, theta, values)
    pairs = zip(channels, slopes, strict=True)
    return add_up(s.T if c is None else c * s.T for c, s in pairs)


def _difference(function: Callable[[Array], Array], theta: Array) -> Array:
    return (function(theta + _STEP) - function(theta - _STEP)) / (2 * _STEP)


def _dense(matrix: Matrix, positions: Array) -> Array:
    return np.asarray(as_dense(matrix[:, positions]), dtype=float)
