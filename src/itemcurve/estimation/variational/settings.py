"""Variational inference: normal posteriors of abilities and item parameters."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.starting_values import (
    other_starts,
    start_abilities,
)
from itemcurve.estimation.method import FitTask
from itemcurve.estimation.optimisation.iterate import Optimum
from itemcurve.estimation.posterior_mode.fisher_scoring import find_mode, try_other_items
from itemcurve.estimation.posterior_mode.log_posterior import MOST_IN_CORNER
from itemcurve.estimation.settings_checks import check_tolerance, check_whole
from itemcurve.estimation.variational.full_rank_ascent import FullRankPoint, raise_full_rank
from itemcurve.estimation.variational.full_rank_elbo import FullRankELBO, FullRankPosterior
from itemcurve.estimation.variational.mean_field_ascent import MeanFieldPoint, raise_mean_field
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldELBO, MeanFieldPosterior
from itemcurve.estimation.variational.posterior_estimates import build_elbo, describe
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.parameters import Role
from itemcurve.numerics.shapes import ItemCoordinates, PerRespondent
from itemcurve.responses.matrix import Responses

_START_ITERATIONS = 30
_START_TOLERANCE = 1e-2

PosteriorChoice = Literal["auto", "full-rank", "mean-field"]
# What earlier versions called them, in saved fits too.
_FORMER_CHOICES: dict[str, PosteriorChoice] = {"linked": "full-rank", "independent": "mean-field"}


@dataclass(frozen=True)
class Variational:
    """Variational inference by deterministic steps on the evidence lower bound.

    Posteriors are normal on the unbounded coordinate: logit-normal for abilities and difficulties
    in (0, 1), normal for discriminations of free sign. On an absolute scale abilities have the
    model's prior. Elsewhere they come from N(0, 1), and the unit of the discriminations' prior is
    estimated; with one discrimination for all, they come from N(0, σ²), reported as N(0, 1).

    Parameters
    ----------
    as_published : the objective of the published code of β³ (Chen et al. 2019): each term of the
        bound a mean instead of a sum, so that the divergence of an ability weighs as much as all
        its responses; posteriors are independent, estimates are their locations.
    tolerance : squared distance to the maximum, in standard deviations, averaged over parameters.
    max_iterations : steps.
    posterior : `"full-rank"`, one normal distribution of everything; `"mean-field"`, one of every
        parameter by itself, which understates the spread of what the data determine only
        together, above all the scale of ability; `"auto"`, full-rank unless both sides of the
        data are large.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=20, seed=1)
    >>> found = ic.fit(truth.responses, "2pl", method=ic.Variational())
    >>> "probability_negative" in found.items
    True
    """

    keeps_all_categories: ClassVar[bool] = True
    as_published: bool = False
    tolerance: float = 1e-10
    max_iterations: int = 500
    posterior: PosteriorChoice = "auto"

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        check_whole("max_iterations", self.max_iterations, 1)
        check_tolerance(self.tolerance)
        object.__setattr__(self, "posterior", _FORMER_CHOICES.get(self.posterior, self.posterior))
        if self.posterior not in ("auto", "full-rank", "mean-field"):
            raise ModelError(
                "posterior must be one of 'auto', 'full-rank', 'mean-field'.",
                f"Got {self.posterior!r}.",
                "Keep 'auto' unless you compare them.",
            )
        if self.as_published and self.posterior == "full-rank":
            raise ModelError(
                "The published objective has independent posteriors.",
                "Got as_published=True with posterior='full-rank'.",
                "Leave one of them out.",
            )

    def estimate(self, task: FitTask) -> Estimates:
        """Fit the model to the responses."""
        responses, model = task.responses, task.model
        elbo = build_elbo(responses, model, task.engine, are_means=self.as_published)
        optimum: Optimum[FullRankPoint] | Optimum[MeanFieldPoint]
        if self._is_full_rank(elbo):
            optimum = raise_full_rank(
                FullRankELBO(elbo),
                _full_rank_start(elbo, responses),
                tolerance=self.tolerance,
                max_iterations=self.max_iterations,
                watch=task.watch,
            )
        else:
            optimum = raise_mean_field(
                elbo,
                _mean_field_start(elbo, responses, self.as_published),
                tolerance=self.tolerance,
                max_iterations=self.max_iterations,
                watch=task.watch,
            )
        return describe(elbo, optimum, responses, self.as_published)

    def _is_full_rank(self, elbo: MeanFieldELBO) -> bool:
        if self.as_published or self.posterior == "mean-field":
            return False
        if self.posterior == "full-rank" and not elbo.problem.is_coupled:
            n_items, n_respondents = len(elbo.problem.held), elbo.problem.n_respondents
            raise ModelError(
                f"A full-rank posterior needs one side of at most {MOST_IN_CORNER:,} parameters.",
                f"Got {n_respondents:,} abilities and {n_items:,} items of "
                f"{len(elbo.priors)} parameters.",
                "Use posterior='mean-field', or the method marginal.",
            )
        return elbo.problem.is_coupled


def _full_rank_start(elbo: MeanFieldELBO, responses: Responses) -> FullRankPosterior:
    """Begin near the joint mode, which has the signs of the items right.

    But with noise and asymptotes from the first guess: where a model has noise of its own, the mode
    can be a peak without width, an item that all abilities follow without error.
    """
    problem = elbo.problem
    with_priors, (guess, t) = problem.with_priors(), _first_guess(elbo, responses)
    scouted = find_mode(
        with_priors,
        guess,
        t,
        tolerance=_START_TOLERANCE,
        max_iterations=_START_ITERATIONS,
    )
    mode = try_other_items(with_priors, scouted.point, other_starts(problem.likelihood, responses))
    roles = [problem.likelihood.model.parameters[i].role for i in problem.likelihood.free]
    is_kept = np.array([role not in (Role.ASYMPTOTE, Role.SPREAD) for role in roles])
    x = np.where(is_kept, mode.x, guess)
    return FullRankPosterior(x, mode.t, with_priors.evaluate(x, mode.t))


def _mean_field_start(
    elbo: MeanFieldELBO, responses: Responses, is_wide: bool
) -> MeanFieldPosterior:
    """Begin at the same place, or where the data say, without the links."""
    if is_wide:
        x, t = _first_guess(elbo, responses)
        return MeanFieldPosterior(x, np.full(x.shape, 0.5), t, np.full(t.shape, 0.5))
    found = _full_rank_start(elbo, responses)
    diagonal = np.diagonal(found.precision.item_matrix, axis1=1, axis2=2)
    x_sd = np.minimum(1 / np.sqrt(np.maximum(diagonal, 1e-6)), 1.0)
    t_sd = np.minimum(1 / np.sqrt(np.maximum(found.precision.ability_matrix, 1e-6)), 1.0)
    return MeanFieldPosterior(found.x, x_sd, found.t, t_sd)


def _first_guess(
    elbo: MeanFieldELBO, responses: Responses
) -> tuple[ItemCoordinates, PerRespondent]:
    """Items and abilities from item-rest correlations and means."""
    likelihood = elbo.problem.likelihood
    x = coordinates_of(likelihood.model, elbo.problem.held)
    return x, start_abilities(likelihood.model, responses)
