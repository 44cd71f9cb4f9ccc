"""The models of ratings: which curves, and what raters have in common."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.raters.likelihood.adjacent_ratings import AdjacentRatings
from itemcurve.estimation.raters.likelihood.graded_ratings import GradedRatings
from itemcurve.estimation.raters.likelihood.rater_parameters import Layout
from itemcurve.estimation.raters.likelihood.rating_curves import RatingCurves
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.likelihood.sequential_ratings import SequentialRatings
from itemcurve.responses.ratings.rating_table import Ratings


@dataclass(frozen=True)
class RatingModel:
    """A model of ratings.

    Attributes
    ----------
    curves : how grades follow from quality.
    is_rasch : whether raters, and items, tell good from bad equally well.
    has_common_steps : whether raters differ in severity only, not in single thresholds.
    is_binary : whether it is for right and wrong only.
    """

    name: str
    curves: RatingCurves
    is_rasch: bool = False
    has_common_steps: bool = False
    is_binary: bool = False


MODELS = {
    model.name: model
    for model in (
        RatingModel("grm", GradedRatings()),
        RatingModel("gpcm", AdjacentRatings()),
        RatingModel("pcm", AdjacentRatings(), is_rasch=True),
        RatingModel("rsm", AdjacentRatings(), is_rasch=True, has_common_steps=True),
        RatingModel("sequential", SequentialRatings()),
        RatingModel("2pl", GradedRatings(), is_binary=True),
        RatingModel("1pl", GradedRatings(), is_rasch=True, is_binary=True),
        RatingModel("rasch", GradedRatings(), is_rasch=True, is_binary=True),
    )
}


def get_rating_model(name: object) -> RatingModel:
    """Give the model of that name, or say which there are."""
    if not isinstance(name, str) or name not in MODELS:
        raise ModelError(
            f"Ratings by raters are fitted by {', '.join(map(repr, MODELS))};",
            f"given is {name!r}.",
            "Use ic.fit(ratings, 'grm', raters='judge'), or '2pl' for right and wrong.",
        )
    return MODELS[name]


def check_grades(model: RatingModel, ratings: Ratings) -> None:
    """Raise where a model for right and wrong is given more grades."""
    if model.is_binary and len(ratings.grades) != 2:
        raise ResponsesError(
            f"The model {model.name!r} is for ratings of two kinds, such as right and wrong;",
            f"given are {len(ratings.grades)} grades from {ratings.grades[0]:g} to "
            f"{ratings.grades[-1]:g}.",
            f"Use {'pcm' if model.is_rasch else 'grm'!r}.",
        )


def search_directions(
    model: RatingModel, layout: Layout, free: NDArray[np.bool_]
) -> Numbers | None:
    """Directions in which parameters may move (parameters × directions); None for each by itself.

    Raters with one discrimination move it together; with common steps each moves all of its
    thresholds by one amount, and all raters move a threshold together.
    """
    if not model.is_rasch:
        return None
    alone = free.copy()
    alone[layout.starts[1] : layout.starts[2]] = False
    ways = [np.eye(layout.size)[:, alone]]
    one = np.zeros((layout.size, 1))
    one[layout.starts[1] : layout.starts[2]] = 1.0
    if model.has_common_steps:
        steps = slice(layout.starts[2], layout.starts[3])
        alone[steps] = False
        ways = [np.eye(layout.size)[:, alone]]
        by_rater = np.repeat(np.eye(layout.raters), layout.thresholds, axis=0)
        # Differences of neighbours: steps of all raters, their mean being the raters' own.
        apart = np.eye(layout.thresholds)[:, :-1] - np.eye(layout.thresholds)[:, 1:]
        both = np.hstack([by_rater, np.tile(apart, (layout.raters, 1))])
        placed = np.zeros((layout.size, both.shape[1]))
        placed[steps] = both
        ways.append(placed)
    return np.hstack([*ways, one])
