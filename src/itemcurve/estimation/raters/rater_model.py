"""Ratings and settings put together as what is climbed."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.raters.climb import Hill, Point, Tastes, hill_of
from itemcurve.estimation.raters.likelihood.adaptive_nodes import NodeCounts, no_effects
from itemcurve.estimation.raters.likelihood.rater_parameters import (
    ANSWER,
    LEAN,
    SLOPE,
    Layout,
    layout_of,
    start_values,
)
from itemcurve.estimation.raters.likelihood.rating_design import (
    Numbers,
    RatingDesign,
    Sizes,
    arrange,
)
from itemcurve.estimation.raters.likelihood.taste_spread import FLOOR
from itemcurve.estimation.raters.rating_models import MODELS, RatingModel, search_directions
from itemcurve.estimation.raters.settings import Raters
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.responses.ratings.rating_table import Ratings

# More respondents than this, and than items, are integrated out; fewer have parameters.
_MANY_RESPONDENTS = 60
FAMILY, TIME = "own family", "time"
# A spread that is held to nothing.
_NONE = np.log(1e-3)


def is_over_respondents(ratings: Ratings) -> bool:
    """Whether respondents are integrated out, and items have parameters."""
    return len(ratings.respondents) > max(_MANY_RESPONDENTS, len(ratings.items))


def list_covariates(ratings: Ratings, settings: Raters) -> dict[str, Numbers]:
    """What the settings say of each rating: own family, time since the rater's first rating."""
    found: dict[str, Numbers] = {}
    if settings.families is not None:
        found[FAMILY] = is_own_family(ratings, settings.families).astype(float)
    if settings.time is not None and ratings.time is not None:
        found[TIME] = _elapsed(ratings.time, ratings.rater, len(ratings.raters))
    return found


def is_own_family(ratings: Ratings, families: Mapping[str, str]) -> NDArray[np.bool_]:
    """Whether the rated respondent is of the family of its rater."""
    raters = np.array([families.get(name, "") for name in ratings.raters], dtype=object)
    respondents = np.array([families.get(name, "") for name in ratings.respondents], dtype=object)
    own, other = raters[ratings.rater], respondents[ratings.respondent]
    return np.asarray((own == other) & (own != ""), dtype=bool)


def _elapsed(time: Numbers, rater: NDArray[np.int64], n_raters: int) -> Numbers:
    """From −1/2 at a rater's first rating to 1/2 at its last."""
    first, last = np.full(n_raters, np.inf), np.full(n_raters, -np.inf)
    np.minimum.at(first, rater, time)
    np.maximum.at(last, rater, time)
    length = np.where(last > first, last - first, 1.0)
    return np.asarray((time - first[rater]) / length[rater] - 0.5)


def build_design(
    ratings: Ratings,
    covariates: Mapping[str, Numbers],
    model: RatingModel = MODELS["grm"],
    engine: Engine = NUMPY,
) -> RatingDesign:
    """Arrange ratings by the side that is integrated out."""
    sides = [(ratings.item, len(ratings.items)), (ratings.respondent, len(ratings.respondents))]
    if is_over_respondents(ratings):
        sides.reverse()
    (unit, _), (partner, n_partners) = sides
    columns = np.zeros((len(unit), len(covariates)))
    for number, column in enumerate(covariates.values()):
        columns[:, number] = column
    sizes = Sizes(n_partners, len(ratings.raters), len(ratings.grades))
    weight = ratings.weight
    codes = unit, partner, ratings.rater, ratings.grade
    return arrange(*codes, weight, columns, sizes, model.curves, engine)


def build_hill(
    ratings: Ratings,
    settings: Raters,
    covariates: Mapping[str, Numbers],
    model: RatingModel = MODELS["grm"],
    engine: Engine = NUMPY,
) -> Hill:
    """Say what is free, and how finely it is integrated."""
    design = build_design(ratings, covariates, model, engine)
    is_over = is_over_respondents(ratings)
    layout = layout_of(design, not is_over and "respondent" in settings.interactions)
    free = np.ones(layout.size, dtype=bool)
    has_slopes = settings.slopes and not is_over and not model.is_rasch
    free[layout.spread(SLOPE)] = free[layout.spread(LEAN)] = has_slopes
    free[layout.spread(ANSWER)] = is_rated_twice(design)
    _hold_effects(design, layout, free)
    if layout.has_tastes:
        own = slice(layout.starts[4], layout.starts[5])
        free[own] = False
        free[layout.taste(design.rater, design.partner)] = True
        anchors = np.array([ratings.raters.index(name) for name in settings.anchors], dtype=int)
        free[layout.taste(anchors[:, None], np.arange(layout.partners))] = False
    counts = NodeCounts(
        unit=5 if has_slopes else 7,
        slope=5 if has_slopes else 1,
        answer=5 if free[layout.spread(ANSWER)] else 1,
    )
    unit = "respondent" if is_over else "item"
    ways = search_directions(model, layout, free)
    return hill_of(design, layout, free, counts, unit in settings.interactions, ways)


def is_rated_twice(design: RatingDesign) -> bool:
    """Whether some answers have two ratings, without which their own effects are unknown."""
    known = design.by_answer((design.weight > 0).astype(float))
    return float((known > 1).mean()) > 0.02


def _hold_effects(design: RatingDesign, layout: Layout, free: NDArray[np.bool_]) -> None:
    """Hold effects of what is the same in all ratings of a rater."""
    for number in range(layout.covariates):
        for rater in range(layout.raters):
            own = design.covariates[design.rater == rater, number]
            if not own.size or own.min() == own.max():
                free[layout.effect(np.array(rater), number)] = False


def start_point(hill: Hill) -> Point:
    """Give the point where a search begins."""
    layout = hill.layout
    vector = start_values(hill.design, layout, bool(hill.free[layout.spread(SLOPE)]))
    along = np.linalg.lstsq(hill.directions, np.where(hill.free, vector, 0.0))[0]
    vector = np.where(hill.free, hill.directions @ along, vector)
    for which in (SLOPE, ANSWER):
        if not hill.free[layout.spread(which)]:
            vector[layout.spread(which)] = _NONE
    return hill.stand(
        vector, Tastes(FLOOR, presence(hill), np.zeros(layout.partners)), no_effects(hill.design)
    )


def presence(hill: Hill) -> Numbers:
    """Who rated whom (raters × partners), as shares; zero for whom anchors rated.

    What anchors see in a respondent is its ability; elsewhere it is what all its raters see.
    """
    design, layout = hill.design, hill.layout
    found = np.zeros((layout.raters, layout.partners))
    found[design.rater, design.partner] = 1.0
    if layout.has_tastes:
        place = layout.taste(np.arange(layout.raters)[:, None], np.arange(layout.partners))
        found[:, ((found > 0) & ~hill.free[place]).any(axis=0)] = 0.0
    totals = found.sum(axis=0)
    return np.divide(found, totals, out=np.zeros_like(found), where=totals > 0)
