"""Fit ratings by several raters."""

import time
from collections.abc import Mapping

from itemcurve.errors import ModelError
from itemcurve.estimation.raters.climb import climb
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.raters.rater_model import (
    build_hill,
    is_over_respondents,
    list_covariates,
    start_point,
)
from itemcurve.estimation.raters.settings import Raters
from itemcurve.responses.ratings.rater_links import check_links

MODELS = ("grm",)


def fit_raters(
    ratings: object,
    model: object,
    raters: str | Raters,
    *,
    extra: Mapping[str, Numbers] | None = None,
) -> RaterFit:
    """Fit the graded model with raters, `itemcurve.fit(ratings, "grm", raters=…)`.

    Parameters
    ----------
    ratings : a long table, the path of one, or `Ratings`.
    raters : the column of raters, or settings.
    extra : further covariates of each rating, whose effects are estimated per rater.
    """
    settings = raters if isinstance(raters, Raters) else Raters(rater=raters)
    if model not in MODELS:
        raise ModelError(
            f"Ratings by raters are fitted by {', '.join(map(repr, MODELS))};",
            f"given is {model!r}.",
            "Use ic.fit(ratings, 'grm', raters='judge').",
        )
    known = settings.read(ratings)
    check_links(known)
    settings.check(known)
    started = time.perf_counter()
    more = dict(extra or {})
    hill = build_hill(known, settings, {**list_covariates(known, settings), **more})
    start = start_point(hill, is_over_respondents(known), settings.slopes)
    found = climb(hill, start, settings.max_iterations)
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
    )
