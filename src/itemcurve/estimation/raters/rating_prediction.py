"""Ratings that were not seen, predicted from those that were."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.estimation.raters.likelihood.adaptive_nodes import (
    find_modes,
    no_effects,
    place_nodes,
)
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.likelihood.rating_posterior import integrate
from itemcurve.estimation.raters.rater_model import build_design, list_covariates
from itemcurve.estimation.raters.rating_models import get_rating_model
from itemcurve.responses.ratings.rating_table import Ratings

if TYPE_CHECKING:
    import pandas

    from itemcurve.estimation.raters.rater_fit import RaterFit


def predict_grades(fit: "RaterFit", wanted: object) -> "pandas.DataFrame":
    """Give one row of probabilities for each rating wanted.

    Other ratings of the same answer say something about its quality, and ratings of other answers
    about respondent, item and rater: everything is integrated as in the fit, with the ratings
    wanted added at weight zero.
    """
    import pandas

    asked = _align(fit, fit.settings.read(wanted))
    probabilities = grade_shares(fit, asked)
    return pandas.DataFrame(probabilities, columns=list(fit.ratings.grades))


def grade_shares(fit: "RaterFit", asked: Ratings) -> Numbers:
    """Probabilities (ratings × grades) for ratings by ids of the fit."""
    known = fit.ratings
    both = Ratings(
        known.respondents,
        known.items,
        known.raters,
        known.grades,
        np.concatenate([known.respondent, asked.respondent]),
        np.concatenate([known.item, asked.item]),
        np.concatenate([known.rater, asked.rater]),
        np.concatenate([known.grade, np.zeros(len(asked), dtype=np.int64)]),
        np.concatenate([known.weight, np.zeros(len(asked))]),
        _times(known, asked),
    )
    covariates = list_covariates(both, fit.settings)
    for name, column in fit.extra.items():
        covariates[name] = np.concatenate([column, np.zeros(len(asked))])
    design = build_design(both, covariates, get_rating_model(fit.model))
    values = fit.point.values
    modes = find_modes(design, values, no_effects(design))
    nodes = place_nodes(design, values, modes, fit.hill.counts)
    joint = integrate(design, values, nodes).joint(design)
    offsets = values.offsets(design)
    probabilities = np.zeros((len(both), len(known.grades)))
    chosen = np.flatnonzero(design.order >= len(known))
    for part in np.array_split(chosen, max(1, len(chosen) // 2000)):
        rater = design.rater[part]
        quality = nodes.quality[design.answer[part]]
        z = values.discriminations[rater][:, None, None] * quality + offsets[part][:, None, None]
        shares = design.curves.probabilities(z, values.thresholds[rater][:, None, None, :])
        weights = joint[design.answer[part]]
        probabilities[design.order[part]] = np.einsum("mgk,mgky->my", weights, shares)
    return probabilities[len(known) :]


def _times(known: Ratings, asked: Ratings) -> Numbers | None:
    if known.time is None:
        return None
    # Without times of their own, at the middle of all.
    middle = np.full(len(asked), np.median(known.time))
    return np.concatenate([known.time, middle if asked.time is None else asked.time])


def _align(fit: "RaterFit", asked: Ratings) -> Ratings:
    """The ratings asked for, by positions among the ids of the fit."""
    known = fit.ratings
    return replace(
        known,
        respondent=_find(asked.respondents, known.respondents, "respondent")[asked.respondent],
        item=_find(asked.items, known.items, "item")[asked.item],
        rater=_find(asked.raters, known.raters, "rater")[asked.rater],
        grade=np.zeros(len(asked), dtype=np.int64),
        weight=np.zeros(len(asked)),
        time=asked.time,
    )


def _find(wanted: tuple[str, ...], ids: tuple[str, ...], what: str) -> NDArray[np.int64]:
    places = {name: place for place, name in enumerate(ids)}
    strangers = [name for name in wanted if name not in places]
    if strangers:
        raise ResponsesError(
            f"Ratings can be predicted for every {what} of the fit;",
            f"{strangers[0]!r} is none of them.",
            "Fit with some of its ratings first.",
        )
    return np.array([places[name] for name in wanted], dtype=np.int64)
