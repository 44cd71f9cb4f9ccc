"""Fit ratings by several raters."""

import time
from collections.abc import Mapping

from itemcurve.estimation.raters.climb import climb
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.raters.rater_model import (
    build_hill,
    list_covariates,
    start_point,
)
from itemcurve.estimation.raters.rating_models import check_grades, get_rating_model
from itemcurve.estimation.raters.settings import Raters
from itemcurve.numerics.engine import Engine, get_engine
from itemcurve.responses.ratings.rater_links import check_links


def fit_raters(
    ratings: object,
    model: object,
    raters: str | Raters,
    *,
    extra: Mapping[str, Numbers] | None = None,
    engine: str | Engine = "numpy",
) -> RaterFit:
    """Fit a model of ratings with raters, `itemcurve.fit(ratings, "grm", raters=…)`.

    Parameters
    ----------
    ratings : a long table, the path of one, or `Ratings`.
    raters : the column of raters, or settings.
    extra : further covariates of each rating, whose effects are estimated per rater.
    engine : `"numpy"` or `"jax"`, for the integrals.
    """
    settings = raters if isinstance(raters, Raters) else Raters(rater=raters)
    form, machine = get_rating_model(model), get_engine(engine)
    known = settings.read(ratings).only_used()
    check_links(known)
    settings.check(known)
    check_grades(form, known)
    started = time.perf_counter()
    more = dict(extra or {})
    covariates = {**list_covariates(known, settings), **more}
    hill = build_hill(known, settings, covariates, form, machine)
    with machine.double_precision():
        found = climb(hill, start_point(hill), settings.max_iterations)
    point = found.point
    return RaterFit(
        known,
        settings,
        more,
        point.vector,
        found.covariance,
        point.tastes,
        found.status,
        point.posterior.log_likelihood,
        found.iterations,
        time.perf_counter() - started,
        form.name,
        machine.name,
    )
