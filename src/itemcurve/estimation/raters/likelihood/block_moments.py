"""Posterior moments of scores in one block of ratings, at all nodes at once.

Scores of a rating in all its parameters are combinations of a few *functions* of the quality: the
score in each slot, the slope in z times quality, and that times the tilt of its unit. The score in
anything else that shifts z is minus the sum of the first. An answer has one function more, that of
its own spread.
"""

from typing import Any, NamedTuple

import numpy as np

from itemcurve.estimation.raters.likelihood.rating_blocks import Places
from itemcurve.estimation.raters.likelihood.rating_curves import (
    RatingCurves,
    bend_by_slot,
    slope_in_z,
)
from itemcurve.numerics.engine import Array, Engine


class BlockInput(NamedTuple):
    """What the moments are computed from; ratings first, then answers, then units.

    Attributes
    ----------
    slope, offset, thresholds, taste : of each rating.
    quality, apart, answer : answers × nodes × nodes: quality, the answer's own effect in its
        spread, posterior given the node of the unit.
    tilt, unit : units × nodes: slopes of units, posterior.
    """

    slope: Array
    offset: Array
    thresholds: Array
    taste: Array
    quality: Array
    apart: Array
    answer: Array
    tilt: Array
    unit: Array


class BlockMoments(NamedTuple):
    """Moments of the functions.

    Attributes
    ----------
    means : ratings × nodes of units × functions: posterior means given the node.
    net : for each group of answers, the mean information less the variance between nodes of
        answers (answers × functions × functions).
    bent : slope in z, mean over all nodes, of each rating.
    """

    means: Array
    net: tuple[Array, ...]
    bent: Array


def block_moments(
    engine: Engine, curves: RatingCurves, places: Places, given: BlockInput
) -> BlockMoments:
    """Give the moments of a block."""
    xp, own = engine.xp, places.answer
    quality = given.quality[own]
    z = given.slope[:, None, None] * quality + given.offset[:, None, None]
    scores, curvature = curves.derivatives(engine, z, given.thresholds, places.grade)
    weight = places.weight[:, None, None]
    scores = [weight * score for score in scores]
    steep = slope_in_z(scores)
    seen = quality + given.taste[:, None, None]
    tilt = given.tilt[places.answer_unit][own]
    lever = given.slope[:, None] * tilt
    functions = [*scores, steep * seen, steep * lever[:, :, None]]
    shares = given.answer[own]
    means = xp.stack([xp.einsum("mgk,mgk->mg", f, shares) for f in functions], axis=2)
    of_unit = given.unit[places.answer_unit]
    bent = -means[:, :, : len(scores)].sum(axis=2) * of_unit[own]
    joint = weight * shares * of_unit[own][:, :, None]
    complete = _complete(engine, joint, bend_parts(curvature, len(scores), joint), seen, lever)
    # z has a second derivative in discrimination and ability: the tilt.
    cross = (bent * tilt).sum(axis=1)
    complete = _less_cross(xp, complete, cross)
    stacked = xp.stack(functions, axis=1)
    net = tuple(
        _net(xp, stacked[ratings], complete[ratings], given, of_unit[chosen], chosen)
        for chosen, ratings in places.groups
    )
    return BlockMoments(means, net, bent.sum(axis=1))


def bend_parts(
    curvature: dict[tuple[int, int], Array], n_slots: int, joint: Array
) -> tuple[list[Array], dict[tuple[int, int], Array]]:
    """Curvatures weighted by the posterior: by slot at all nodes, and summed by pairs."""
    weighted = {pair: joint * value for pair, value in curvature.items()}
    pairs = {pair: value.sum(axis=(1, 2)) for pair, value in weighted.items()}
    return bend_by_slot(weighted, n_slots), pairs


def _complete(
    engine: Engine,
    joint: Array,
    parts: tuple[list[Array], dict[tuple[int, int], Array]],
    seen: Array,
    lever: Array,
) -> Array:
    """Posterior mean of the information in the functions (ratings × functions × functions)."""
    xp, (rows, pairs) = engine.xp, parts
    n_slots, nothing = len(rows), xp.zeros(joint.shape[0])
    table: list[list[Any]] = [[nothing] * (n_slots + 2) for _ in range(n_slots + 2)]
    for (one, other), value in pairs.items():
        table[one][other] = table[other][one] = value
    for slot, row in enumerate(rows):
        table[slot][n_slots] = -xp.einsum("mgk,mgk->m", row, seen)
        table[slot][n_slots + 1] = -xp.einsum("mgk,mg->m", row, lever)
    bend: Any = rows[0]
    for row in rows[1:]:
        bend = bend + row
    level = bend * seen
    table[n_slots][n_slots] = xp.einsum("mgk,mgk->m", level, seen)
    table[n_slots][n_slots + 1] = xp.einsum("mgk,mg->m", level, lever)
    table[n_slots + 1][n_slots + 1] = xp.einsum("mgk,mg->m", bend, lever**2)
    for one in range(n_slots + 2):
        for other in range(one):
            table[one][other] = table[other][one]
    return xp.stack([xp.stack(row, axis=1) for row in table], axis=1)


def _less_cross(xp: Any, complete: Any, cross: Any) -> Any:
    """Take this off what discrimination and ability have in common."""
    size = complete.shape[1]
    corner = np.zeros((size, size))
    corner[size - 2, size - 1] = corner[size - 1, size - 2] = 1.0
    return complete - cross[:, None, None] * xp.asarray(corner)


def _net(xp: Any, stacked: Any, complete: Any, given: BlockInput, of_unit: Any, chosen: Any) -> Any:
    """Information less variance between nodes, for answers with equally many ratings."""
    count, length, size = stacked.shape[:3]
    nodes = stacked.shape[3:]
    flat = stacked.reshape(count, length * size, *nodes)
    flat = xp.concatenate([flat, (given.apart[chosen] ** 2)[:, None]], axis=1)
    shares = given.answer[chosen][:, None]
    flat = flat - (flat * shares).sum(axis=-1, keepdims=True)
    flat = flat * xp.sqrt(shares * of_unit[:, None, :, None])
    flat = flat.reshape(count, length * size + 1, -1)
    variance = xp.matmul(flat, xp.swapaxes(flat, 1, 2))
    blocks = xp.einsum("arij,rs->arisj", complete, np.eye(length))
    blocks = blocks.reshape(count, length * size, length * size)
    return xp.pad(blocks, ((0, 0), (0, 1), (0, 1))) - variance
