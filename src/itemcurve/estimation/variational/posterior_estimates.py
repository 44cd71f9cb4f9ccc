"""The lower bound that a fit is about, and what every search for its maximum reports."""

import numpy as np

from itemcurve.errors import ModelError
from itemcurve.estimation.estimates import Estimates
from itemcurve.estimation.identification.integrated_side import (
    refuse_common,
    refuse_dimensions,
    refuse_mixed,
)
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.optimisation.iterate import Optimum
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.estimation.variational.full_rank_ascent import FullRankPoint
from itemcurve.estimation.variational.mean_field_ascent import MeanFieldPoint
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldELBO
from itemcurve.estimation.variational.posterior_summary import NormalPosterior, ReportedPosterior
from itemcurve.models.contract import ItemModel, has_free_slope
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import Role
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import Engine
from itemcurve.responses.matrix import Responses

# Beyond, asymptotes and the like leave posteriors that are far from normal.
_MOST_PARAMETERS = 3
# Expectations over an ability and six parameters take 142 points, over one more twice as many.
_MOST_WITH_THRESHOLDS = 6
_ERRORS = {
    True: "one normal posterior of everything, on unbounded coordinates",
    False: "independent normal posteriors on unbounded coordinates",
}


def build_elbo(
    responses: Responses, model: ItemModel, engine: Engine, *, are_means: bool
) -> MeanFieldELBO:
    """Set the bound up, or refuse models that have none.

    Parameters
    ----------
    are_means : whether each divergence is a mean next to the mean log-likelihood, as in the
        published code of β³.
    """
    refuse_dimensions(model, "Variational inference")
    refuse_common(model, "Variational inference")
    refuse_mixed(model, "Variational inference")
    likelihood = Likelihood(model)
    priors = [model.parameters[i].prior for i in likelihood.free]
    proper = [prior for prior in priors if prior is not None]
    if len(proper) < len(priors):
        raise ModelError(
            "Variational inference needs a proper prior of every item parameter.",
            f"{len(priors) - len(proper)} of {model.name} have none.",
            "Keep prior='default', or use the method joint for maximum likelihood.",
        )
    specs = [model.parameters[i] for i in likelihood.free]
    bent = [spec for spec in specs if spec.role is not Role.THRESHOLD]
    if len(bent) > _MOST_PARAMETERS or len(specs) > _MOST_WITH_THRESHOLDS:
        thresholds = f" ({_MOST_WITH_THRESHOLDS} with thresholds)"
        raise ModelError(
            f"Variational inference serves up to {_MOST_PARAMETERS} free item parameters"
            f"{thresholds if len(bent) < len(specs) else ''}.",
            f"{model.name} has {len(priors)}.",
            "Hold one of them, or use the method joint or marginal.",
        )
    values = start_values(model, responses)
    problem = JointProblem.build(likelihood, responses, values, engine, has_priors=False)
    n_respondents, n_items = responses.shape
    weights = (float(n_items), float(n_respondents)) if are_means else (1.0, 1.0)
    latent = model.latent
    if latent.is_logit or latent.is_open:
        return MeanFieldELBO(problem, tuple(proper), model.ability_prior, weights)
    # The unit is left free, as over respondents: the prior of discriminations would bend it.
    # Not so the origin, for which that of intercepts is too wide to matter.
    return MeanFieldELBO(
        problem,
        tuple(proper),
        Normal(0.0, 1.0),
        weights,
        is_sd_free=latent.is_sd_free,
        is_unit_free=latent.stretches and has_free_slope(model),
    )


def describe(
    elbo: MeanFieldELBO,
    optimum: Optimum[FullRankPoint] | Optimum[MeanFieldPoint],
    responses: Responses,
    as_published: bool,
) -> Estimates:
    """Give the estimates of a posterior that was found."""
    point = optimum.point
    problem, q = elbo.problem, point.posterior
    model = problem.likelihood.model
    prior = elbo.ability_prior_at(q.t, q.t_sd)
    spread = prior.sd if elbo.is_sd_free and isinstance(prior, Normal) else 1.0
    found = ReportedPosterior.of(problem, q, responses, ability_sd=spread, at_location=as_published)
    base = problem.likelihood.log_base(responses)
    cells = responses.shape[0] * responses.shape[1]
    value = (point.bound.value + base) / (cells if as_published else 1.0)
    return Estimates(
        model=model,
        values=found.values,
        covariance=found.covariance,
        item_columns=found.columns,
        item_errors=found.errors,
        ability_points=found.abilities[:, None],
        ability_point_errors=found.ability_errors[:, None],
        log_likelihood=problem.evaluate(q.x, q.t).log_likelihood + base,
        objective=(
            "mean log-likelihood − mean divergences, as published"
            if as_published
            else "evidence lower bound"
        ),
        objective_value=value,
        n_parameters=q.x.size + q.t.size,
        status=optimum.status,
        iterations=optimum.iterations,
        over="everything",
        standard_errors=_ERRORS[isinstance(point, FullRankPoint)],
        population=_population(elbo, q, spread),
        at_bound=np.zeros(len(q.x), dtype=bool),
        item_extras=found.extras,
    )


def _population(elbo: MeanFieldELBO, q: NormalPosterior, spread: float) -> dict[str, float]:
    """Spread of abilities in the unit of the prior of discriminations, where it was estimated."""
    is_estimated = elbo.is_sd_free or elbo.is_unit_free
    return {"ability_sd": spread * elbo.unit_at(q.x, q.x_sd)} if is_estimated else {}
