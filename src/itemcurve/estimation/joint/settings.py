"""Joint estimation: abilities and item parameters maximised together."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.integrated_side import refuse_common, refuse_dimensions
from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.identification.reported_errors import delta_method
from itemcurve.estimation.identification.reported_scale import ReportedScale
from itemcurve.estimation.identification.starting_values import (
    other_starts,
    start_abilities,
    start_values,
)
from itemcurve.estimation.joint.standard_errors import joint_uncertainty
from itemcurve.estimation.method import FitTask
from itemcurve.estimation.optimisation.iterate import Optimum, Watch
from itemcurve.estimation.posterior_mode.fisher_scoring import (
    JointPoint,
    find_mode,
    try_other_items,
)
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.estimation.posterior_mode.saddles import off_saddle
from itemcurve.estimation.settings_checks import check_choice, check_tolerance, check_whole
from itemcurve.estimation.status import FitStatus
from itemcurve.models.capabilities import log_loss_form
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.mixed_likelihood import likelihood_of
from itemcurve.numerics.shapes import ItemCoordinates, ItemValues, PerRespondent
from itemcurve.responses.matrix import Responses

Objective = Literal["map", "ml", "log-loss"]
_OBJECTIVES = ("map", "ml", "log-loss")
_SCOUTING_TOLERANCE = 1e-4
_RESTART_SPREAD = 0.7
# Of items that are answered alike each may have to be told apart from the others.
_MOST_SADDLES = 20


@dataclass(frozen=True)
class Joint:
    """Maximise over abilities and items at once.

    Fast, and what many papers do. With few responses per item or respondent its estimates are
    biased outwards (Neyman and Scott 1948) and its errors too short: prefer `Marginal`.

    Parameters
    ----------
    objective : `"map"` adds the priors of items and the model's weak prior of abilities, `"ml"`
        does not, `"log-loss"` is the cross-entropy of scores in [0, 1] against the expected
        response (with the priors of the items, if they have any).
    restarts : further searches from random starts around the first, the best kept.
    seed : of the random starts.
    tolerance : squared distance to the maximum, in standard errors, averaged over parameters.
    max_iterations : steps of one search.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("fractional-2pl", respondents=20, items=50, seed=1)
    >>> ic.fit(truth.responses, "fractional-2pl", method=ic.Joint()).status.is_converged
    True
    """

    objective: Objective = "map"
    restarts: int = 0
    seed: int = 0
    tolerance: float = 1e-10
    max_iterations: int = 500

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        check_choice("objective", self.objective, _OBJECTIVES, "Use 'map' if unsure.")
        for name, least in (("restarts", 0), ("seed", 0), ("max_iterations", 1)):
            check_whole(name, getattr(self, name), least)
        check_tolerance(self.tolerance)

    def estimate(self, task: FitTask) -> Estimates:
        """Fit the model to the responses."""
        responses, model = task.responses, task.model
        form = _log_loss_form(model) if self.objective == "log-loss" else model
        refuse_dimensions(form, "Joint estimation")
        refuse_common(form, "Joint estimation")
        likelihood = likelihood_of(form)
        values = start_values(form, responses)
        uses_priors = self.objective != "ml" and has_priors(form)
        problem = JointProblem.build(likelihood, responses, values, task.engine, uses_priors)
        optimum = self._best(problem, values, responses, task.watch)
        return _estimates(problem, optimum, responses, model, _objective_name(self, uses_priors))

    def _best(
        self, problem: JointProblem, values: ItemValues, responses: Responses, watch: Watch
    ) -> Optimum[JointPoint]:
        """Search from the data's own start, then from random ones around it."""
        model = problem.likelihood.model
        x, t = coordinates_of(model, values), start_abilities(model, responses)
        best = self._search(problem, x, t, responses, watch)
        rng = np.random.default_rng(self.seed)
        for _ in range(self.restarts):
            start = x + _RESTART_SPREAD * rng.normal(size=x.shape)
            other = self._search(
                problem, start, t + _RESTART_SPREAD * rng.normal(size=t.shape), responses, watch
            )
            if other.point.slopes.value > best.point.slopes.value:
                best = other
        return best

    def _search(
        self,
        problem: JointProblem,
        x: ItemCoordinates,
        t: PerRespondent,
        responses: Responses,
        watch: Watch,
    ) -> Optimum[JointPoint]:
        """Come near the top, try each item from both signs, then go to the top."""
        climb = partial(find_mode, problem, max_iterations=self.max_iterations, watch=watch)
        scouted = climb(x, t, tolerance=max(_SCOUTING_TOLERANCE, self.tolerance))
        starts = other_starts(problem.likelihood, responses)
        start: JointPoint | None = try_other_items(problem, scouted.point, starts)
        iterations, saddles = scouted.iterations, 0
        while start is not None:
            found = climb(start.x, start.t, tolerance=self.tolerance)
            iterations += found.iterations
            start = None
            if found.status is FitStatus.CONVERGED and saddles < _MOST_SADDLES:
                start, saddles = off_saddle(problem, found.point), saddles + 1
        return replace(found, iterations=iterations)


def _estimates(
    problem: JointProblem,
    optimum: Optimum[JointPoint],
    responses: Responses,
    model: ItemModel,
    objective: str,
) -> Estimates:
    point = optimum.point
    form = problem.likelihood.model
    scale = ReportedScale.of(form, point.t, responses, problem.values(point.x))
    found = joint_uncertainty(problem, point, scale.held_directions(point.t))
    values = scale.values(problem.values(point.x))
    columns = form.report(values)
    errors, covariance = delta_method(
        form,
        lambda x, state: scale.values(problem.values(x)),
        point.x,
        np.zeros(0),
        found.item_covariance,
    )
    base = problem.likelihood.log_base(responses)
    is_flat = found.is_flat and optimum.status is FitStatus.CONVERGED
    latent = form.latent
    return Estimates(
        model=model,
        values=values,
        covariance=covariance,
        item_columns=dict(columns),
        item_errors=errors,
        ability_points=scale.abilities(point.t)[:, None],
        ability_point_errors=scale.errors(found.ability_variance)[:, None],
        log_likelihood=point.slopes.log_likelihood + base,
        objective=objective,
        objective_value=point.slopes.value + base,
        n_parameters=problem.n_free + point.t.size - latent.shifts - latent.stretches,
        status=FitStatus.FLAT if is_flat else optimum.status,
        iterations=optimum.iterations,
        over="nothing",
        standard_errors=found.words,
        population={"ability_location": scale.location, "ability_unit": abs(scale.unit)},
        at_bound=found.at_bound,
    )


def _log_loss_form(model: ItemModel) -> ItemModel:
    form = log_loss_form(model)
    if form is None:
        raise ModelError(
            "The log-loss needs a model whose expected response is a score in [0, 1] and all that "
            "its parameters describe.",
            f"{model.name} is not one.",
            "Use the model fractional-2pl or beta3, or objective='map'.",
        )
    return form


def _objective_name(settings: Joint, uses_priors: bool) -> str:
    name = "joint log-likelihood"
    if settings.objective == "log-loss":
        name = "minus the joint log-loss"
    return f"{name} + log prior of items and abilities" if uses_priors else name
