"""Where scores and their information belong among the parameters; the same in every step."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from itemcurve.estimation.raters.likelihood.rater_parameters import ANSWER, Layout
from itemcurve.estimation.raters.likelihood.rating_blocks import Block
from itemcurve.estimation.raters.likelihood.rating_design import Codes, RatingDesign


@dataclass(frozen=True, eq=False)
class ScorePlaces:
    """Of one block; what belongs nowhere goes to a parameter beyond the last.

    Attributes
    ----------
    gather : sums rows of scores by unit and parameter.
    groups : for each group of answers, places in the flat information of their functions.
    crossed : the two places that discrimination and taste of each rating have in common.
    """

    gather: csr_array
    groups: list[Codes]
    crossed: tuple[Codes, Codes]
    has_tastes: bool


def score_places(design: RatingDesign, layout: Layout) -> list[ScorePlaces]:
    """Give the places of all blocks."""
    return [_places(design, layout, block) for block in design.blocks]


def _places(design: RatingDesign, layout: Layout, block: Block) -> ScorePlaces:
    rows, size = block.ratings, layout.size + 1
    rater, partner = design.rater[rows], design.partner[rows]
    slots = design.slots[rows]
    of_slots = np.where(slots >= 0, layout.threshold(rater[:, None], slots), layout.size)
    own = [*of_slots.T, layout.discrimination(rater), layout.ability(partner)]
    shifts = [layout.effect(rater, k) for k in range(layout.covariates)]
    if layout.has_tastes:
        shifts.append(layout.taste(rater, partner))
    unit = block.places.answer_unit[block.places.answer]
    spread = np.full(len(block.places.answer_unit), layout.spread(ANSWER))
    position = np.concatenate([*own, *shifts, spread])
    units = np.concatenate([np.tile(unit, len(own) + len(shifts)), block.places.answer_unit])
    n_units = block.units.stop - block.units.start
    place = units * size + position
    gather = csr_array(
        (np.ones(len(place)), (place, np.arange(len(place)))), shape=(n_units * size, len(place))
    )
    groups = []
    for _, ratings in block.places.groups:
        first = np.stack([column[ratings] for column in own], axis=2)
        local = [first.reshape(len(ratings), -1)]
        local.append(np.full((len(ratings), 1), layout.spread(ANSWER)))
        local += [column[ratings] for column in shifts]
        whole = np.concatenate(local, axis=1)
        groups.append((whole[:, :, None] * size + whole[:, None, :]).ravel())
    taste = shifts[-1] if layout.has_tastes else np.zeros(0, dtype=np.int64)
    alpha = layout.discrimination(rater) if layout.has_tastes else taste
    crossed = alpha * size + taste, taste * size + alpha
    return ScorePlaces(gather, groups, crossed, layout.has_tastes)
