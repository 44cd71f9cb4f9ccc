"""Effects of a covariate that was not fitted, by one step from a fit that knows nothing of it."""

import numpy as np

from itemcurve.estimation.raters.climb import inverse_information
from itemcurve.estimation.raters.likelihood.adaptive_nodes import no_effects
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.raters.rater_model import build_hill
from itemcurve.estimation.raters.rating_models import get_rating_model


def step_towards(fit: RaterFit, covariate: Numbers) -> tuple[Numbers, Numbers]:
    """Give one Newton step in each rater's effect of a covariate, and the covariance of these.

    All other parameters move along. As a test of no effect it is the score test (Rao 1948); as an
    estimate it is good where the effect is small.

    Parameters
    ----------
    covariate : one number per rating.
    """
    covariates = {**fit.covariates, "step": covariate}
    hill = build_hill(fit.ratings, fit.settings, covariates, get_rating_model(fit.model))
    old, new = fit.hill.layout, hill.layout
    vector = np.zeros(new.size)
    for k in (0, 1, 2, 4, 5):
        vector[new.starts[k] : new.starts[k + 1]] = fit.vector[old.starts[k] : old.starts[k + 1]]
    effects = vector[new.starts[3] : new.starts[4]].reshape(new.raters, new.covariates)
    effects[:, : old.covariates] = fit.values.effects
    point = hill.stand(vector, fit.tastes, no_effects(hill.design))
    gradient, covariance = inverse_information(hill, point)
    place = new.effect(np.arange(new.raters), new.covariates - 1)
    return (covariance @ gradient)[place], covariance[np.ix_(place, place)]
