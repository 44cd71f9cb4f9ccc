"""Variational inference: independent normal posteriors of abilities and item parameters."""

from dataclasses import dataclass

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.climb import Report
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.joint_climb import climb_jointly, try_other_items
from itemcurve.estimation.joint_problem import JointProblem
from itemcurve.estimation.mean_field import MeanField, Posterior
from itemcurve.estimation.mean_field_climb import BoundPoint, climb_bound
from itemcurve.estimation.over_respondents import coordinates
from itemcurve.estimation.reported_posterior import ReportedPosterior
from itemcurve.estimation.reported_scale import start_abilities
from itemcurve.estimation.settings_checks import check_tolerance, check_whole
from itemcurve.estimation.starting_values import other_starts, start_values
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Engine
from itemcurve.responses.matrix import Responses

# Expectations over an ability and three parameters take 33 points; the rule has no better for more.
_MOST_PARAMETERS = 3
_START_ITERATIONS = 30
_START_TOLERANCE = 1e-2


@dataclass(frozen=True)
class Variational:
    """Mean-field variational inference by deterministic steps on the evidence lower bound.

    Posteriors are normal on the unbounded coordinate: logit-normal for abilities and difficulties
    in (0, 1), normal for discriminations of free sign. Being independent, they understate the
    spread of what the data determine only together, above all the scale of ability.

    Parameters
    ----------
    as_published : the objective of the published code of β³ (Chen et al. 2019): each term of the
        bound a mean instead of a sum, so that the divergence of an ability weighs as much as all
        its responses; estimates are the locations of the posteriors.
    tolerance : squared distance to the maximum, in standard deviations, averaged over parameters.
    max_iterations : steps.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=40, items=20, seed=1)
    >>> found = ic.fit(truth.responses, "2pl", method=ic.Variational())
    >>> "probability_negative" in found.items
    True
    """

    as_published: bool = False
    tolerance: float = 1e-10
    max_iterations: int = 500

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        check_whole("max_iterations", self.max_iterations, 1)
        check_tolerance(self.tolerance)

    def estimate(
        self,
        responses: Responses,
        model: ItemModel,
        *,
        engine: Engine,
        report: Report | None = None,
    ) -> Estimates:
        """Fit the model to the responses."""
        field = self._field(responses, model, engine)
        start = _start(field, responses, self.as_published)
        point = climb_bound(
            field,
            start,
            tolerance=self.tolerance,
            max_iterations=self.max_iterations,
            report=report,
        )
        return _estimates(field, point, responses, self.as_published)

    def _field(self, responses: Responses, model: ItemModel, engine: Engine) -> MeanField:
        likelihood = Likelihood(model)
        priors = [model.parameters[i].prior for i in likelihood.free]
        proper = [prior for prior in priors if prior is not None]
        if len(proper) < len(priors):
            raise ModelError(
                "Variational inference needs a proper prior of every item parameter.",
                f"{len(priors) - len(proper)} of {model.name} have none.",
                "Keep prior='default', or use the method joint for maximum likelihood.",
            )
        if len(priors) > _MOST_PARAMETERS:
            raise ModelError(
                f"Variational inference serves up to {_MOST_PARAMETERS} free item parameters.",
                f"{model.name} has {len(priors)}.",
                "Hold one of them, or use the method joint or marginal.",
            )
        values = start_values(model, responses)
        problem = JointProblem.build(likelihood, responses, values, engine, has_priors=False)
        n_respondents, n_items = responses.shape
        weights = (float(n_items), float(n_respondents)) if self.as_published else (1.0, 1.0)
        return MeanField(problem, tuple(proper), model.ability_prior, weights)


def _start(field: MeanField, responses: Responses, is_wide: bool) -> Posterior:
    """Begin at the joint mode with the spreads of its information; else where the data say."""
    problem = field.problem
    model = problem.likelihood.model
    x, t = coordinates(problem.likelihood, problem.held), start_abilities(model, responses)
    if is_wide:
        return Posterior(x, np.full(x.shape, 0.5), t, np.full(t.shape, 0.5))
    with_priors = problem.with_priors()
    scouted = climb_jointly(
        with_priors,
        x,
        t,
        tolerance=_START_TOLERANCE,
        max_iterations=_START_ITERATIONS,
        report=None,
    )
    found = try_other_items(with_priors, scouted, other_starts(problem.likelihood, responses))
    diagonal = np.diagonal(found.slopes.item_matrix, axis1=1, axis2=2)
    x_sd = np.minimum(1 / np.sqrt(np.maximum(diagonal, 1e-6)), 1.0)
    t_sd = np.minimum(1 / np.sqrt(np.maximum(found.slopes.ability_matrix, 1e-6)), 1.0)
    return Posterior(found.x, x_sd, found.t, t_sd)


def _estimates(
    field: MeanField, point: BoundPoint, responses: Responses, as_published: bool
) -> Estimates:
    problem, q = field.problem, point.posterior
    model = problem.likelihood.model
    found = ReportedPosterior.of(problem, q, responses, at_location=as_published)
    base = problem.likelihood.log_base(responses)
    cells = responses.shape[0] * responses.shape[1]
    value = (point.bound.value + base) / (cells if as_published else 1.0)
    return Estimates(
        model=model,
        values=found.values,
        covariance=found.covariance,
        item_columns=found.columns,
        item_errors=found.errors,
        abilities=found.abilities,
        ability_errors=found.ability_errors,
        log_likelihood=problem.climb_from(q.x, q.t).log_likelihood + base,
        objective=(
            "mean log-likelihood − mean divergences, as published"
            if as_published
            else "evidence lower bound"
        ),
        objective_value=value,
        n_parameters=q.x.size + q.t.size,
        status=point.status,
        iterations=point.iterations,
        over="everything",
        standard_errors="independent normal posteriors on unbounded coordinates",
        population={},
        at_bound=np.zeros(len(q.x), dtype=bool),
        item_extras=found.extras,
    )
