"""Held-out log score: how probable a fit finds responses that it has not seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.pointwise_log_likelihood import CellDensities
from itemcurve.estimation.refitting import fit_again
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.status import FitStatus
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

# Draws used for a predictive density: more add nothing to its accuracy but time.
_MOST_DRAWS = 400


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Log predictive densities of the cells held out, and how the fit without them ended."""

    log_densities: NDArray[np.float64]
    status: FitStatus

    @property
    def score(self) -> float:
        """Mean per cell; higher is better."""
        return float(self.log_densities.mean())

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return _standard_error(self.log_densities)

    def lead_over(self, other: "HeldOut") -> tuple[float, float]:
        """Mean difference to another fit on the same cells, and its standard error."""
        gaps = self.log_densities - other.log_densities
        return float(gaps.mean()), _standard_error(gaps)


def score_held_out(result: FitResult, share: float = 0.2, seed: int = 0) -> HeldOut:
    """Refit without a random share of the cells, then score these.

    The density of a cell is that at the estimates of ability and item, or, where the posterior
    was sampled, its mean over the draws.

    Parameters
    ----------
    result : the fit whose model, priors and method are scored.
    share : of the observed cells held out.
    seed : the same seed holds the same cells out.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=300, items=20, seed=1)
    >>> held = score_held_out(ic.fit(truth.responses, "2pl"))
    >>> -0.7 < held.score < -0.4
    True
    """
    train, held = result.responses.split(share, seed)
    # A respondent or an item with nothing left to learn from cannot be predicted.
    train = train.drop_empty()
    held = held.select(train.respondents, train.items)
    fitted = fit_again(result, train)
    return HeldOut(_predict(fitted, held), fitted.status)


def _predict(fitted: FitResult, held: Responses) -> Array:
    """Log predictive density of each cell."""
    estimates = fitted.estimates
    cells = CellDensities.of(Likelihood(estimates.model), held)
    if estimates.draws is None:
        return cells.log_density(estimates.abilities, estimates.values)
    chains, draws = estimates.draws.diverging.shape
    thin = max(1, chains * draws // _MOST_DRAWS)
    rows = estimates.draws.log_densities(estimates.model, held, thin)
    flat = rows.reshape(-1, rows.shape[-1])
    top = flat.max(axis=0)
    return top + np.log(np.exp(flat - top).mean(axis=0))


def _standard_error(values: Array) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")
