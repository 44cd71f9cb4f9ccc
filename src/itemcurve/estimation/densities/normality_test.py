"""Whether abilities can be taken as normal: a score test against skewness and peakedness.

Neyman's smooth test (1937) on what is not observed. Abilities of density φ(θ) exp(t₃ h₃(θ) +
t₄ h₄(θ)), h the orthonormal Hermite polynomials, are normal at t = 0. The score in t there, freed
of what items, mean and spread could take up, is compared with how it varies between respondents
with normal abilities, who are simulated: χ² of two degrees of freedom.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from scipy.stats import chi2

from itemcurve.errors import ModelError
from itemcurve.estimation.groups.ability_terms import AbilityTerms
from itemcurve.estimation.groups.group_problem import problem_of
from itemcurve.estimation.identification.calibrated_population import (
    ability_population as calibrated,
)
from itemcurve.estimation.identification.population import Coordinate
from itemcurve.estimation.identification.reported_errors import inverse_information
from itemcurve.estimation.identification.shaped_population import TiltedNormal
from itemcurve.estimation.marginal.e_step import densities
from itemcurve.estimation.marginal.units import UnitsInMemory
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed import MixedModel
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, Array, add_up, as_dense
from itemcurve.numerics.row_blocks import as_float, hadamard
from itemcurve.numerics.shapes import axes
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    from itemcurve.estimation.result import FitResult

# So many numbers have a covariance that is no work to find.
_MOST_NUMBERS = 1_000
_DRAWS_PER_NUMBER, _DRAWS = 5, (2_000, 6_000)
LEAST_RESPONDENTS = 100


@dataclass(frozen=True)
class NormalityTest:
    """How far abilities are from normal.

    Attributes
    ----------
    statistic : χ² of two degrees of freedom where abilities are normal.
    p_value : how often so much, or more, would be seen then.
    skewness, kurtosis : first guesses of both, 0 of the normal.
    """

    statistic: float
    p_value: float
    skewness: float
    kurtosis: float

    def __str__(self) -> str:
        shape = "a tail upwards" if self.skewness > 0 else "a tail downwards"
        if abs(self.skewness) < abs(self.kurtosis) / 2:
            shape = "heavy tails" if self.kurtosis > 0 else "light tails, or two kinds of them"
        return (
            f"Abilities are not normal (χ² = {self.statistic:.1f} on 2 degrees of freedom, "
            f"p = {self.p_value:.2g}): they have {shape}."
            if self.p_value < 0.05
            else f"Nothing speaks against normal abilities (χ² = {self.statistic:.1f} on 2 degrees "
            f"of freedom, p = {self.p_value:.2g})."
        )


def cannot_test(fit: "FitResult") -> str:
    """Why the test does not apply to a fit, in words; empty where it does."""
    respondents, items = fit.responses.shape
    model = fit.estimates.model
    if fit.estimates.over != "respondents" or isinstance(model, MixedModel):
        return "its abilities were not integrated out under one model"
    if respondents < LEAST_RESPONDENTS:
        return f"it has {respondents} respondents, fewer than {LEAST_RESPONDENTS}"
    numbers = items * sum(spec.is_free for spec in model.parameters)
    if numbers > _MOST_NUMBERS or not hasattr(fit.responses, "array"):
        return f"it has {numbers:,} item parameters, more than {_MOST_NUMBERS:,}"
    return ""


def check_normality(fit: "FitResult", seed: int = 0) -> NormalityTest:
    """Test the abilities of a fit over respondents."""
    reason = cannot_test(fit)
    if reason:
        raise ModelError(
            "The test of normal abilities needs a fit over respondents.",
            f"Of this one {reason}.",
            "Fit with Marginal(over='respondents'), to more respondents or fewer items.",
        )
    model, latent = fit.estimates.model, fit.estimates.model.latent
    mean, sd = calibrated(fit.estimates)
    ability = Coordinate(Normal(mean, sd), latent.is_mean_free, latent.is_sd_free)
    tilted = TiltedNormal((ability,))
    observed = _scores(fit.responses, model, fit.estimates.values, tilted)
    count = int(np.clip(_DRAWS_PER_NUMBER * observed.shape[1], *_DRAWS))
    drawn = _simulated(fit, mean, sd, count, np.random.default_rng(seed))
    return _tested(observed, _scores(drawn, model, fit.estimates.values, tilted))


def _scores(
    responses: Responses, model: ItemModel, values: Array, population: TiltedNormal
) -> Annotated[Array, axes("respondents estimated")]:
    """Score of each respondent in what is estimated of items and of the population, tilt last."""
    codes = np.zeros(responses.shape[0], dtype=int)
    terms = AbilityTerms(population, codes, None, np.arange(0), 0)
    x, state = coordinates_of(model, values), population.start()
    problem = problem_of(responses, model, terms, x, state).marginal
    units = problem.units
    assert isinstance(units, UnitsInMemory)
    slopes = problem.curves.slopes(NUMPY, problem.at_nodes(x))
    tilts = population.slopes(state, problem.grid.coordinates)[0]
    found = []
    for block, density in zip(units.blocks, densities(problem, x, state), strict=True):
        spread = density.onto_nodes(NUMPY)
        dense = [None if own is None else as_float(NUMPY, as_dense(own)) for own in block]
        columns = [
            add_up(
                hadamard(NUMPY, channel, spread @ slope.T)
                for channel, slope in zip(dense, parts, strict=True)
            )[:, problem.free_cells[:, place]]
            for place, parts in enumerate(slopes)
        ]
        found.append(np.hstack([*columns, spread @ tilts.T]))
    return np.concatenate(found)


def _simulated(
    fit: "FitResult", mean: float, sd: float, count: int, rng: np.random.Generator
) -> Responses:
    """Answers of respondents with normal abilities, missing where those of others are."""
    model = fit.estimates.model
    abilities = mean + sd * rng.standard_normal(count)
    natural = [part.T for part in Likelihood(model).natural(NUMPY, abilities, fit.estimates.values)]
    drawn = np.asarray(model.family.sample(rng, natural), dtype=float)
    rows = rng.integers(0, fit.responses.shape[0], count)
    is_missing = np.isnan(fit.responses.array())[rows]
    return Responses.from_array(np.where(is_missing, np.nan, drawn), items=fit.responses.items)


def _tested(observed: Array, drawn: Array) -> NormalityTest:
    """The score of the last two numbers, freed of the others.

    How scores vary and go together is read from respondents that are normal for sure: were it read
    from the data, what the test looks for would hide it.
    """
    size = observed.shape[1] - 2
    together = drawn.T @ drawn / len(drawn)
    across = together[size:, :size] @ inverse_information(together[:size, :size])
    spread = together[size:, size:] - across @ together[:size, size:]
    total = observed.sum(axis=0)
    score = total[size:] - across @ total[:size]
    tilt = np.linalg.solve(len(observed) * spread, score)
    statistic = max(float(score @ tilt), 0.0)
    # E[h₃] = t₃ and h₃ = (θ³ − 3θ)/√6, h₄ = (θ⁴ − 6θ² + 3)/√24.
    skewness, kurtosis = np.sqrt([6.0, 24.0]) * tilt
    p_value = float(chi2.sf(statistic, 2))
    return NormalityTest(statistic, p_value, float(skewness), float(kurtosis))
