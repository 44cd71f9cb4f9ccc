"""The covariance of scores where units lack nothing and curves have factors: exact, and cheap.

The score of an entity in a unit is then y · Σ_r d_r B_r(node) + f(node), with f the same for every
unit. Summed over units, its covariance with that of another entity,

Σ y y′ d_r d′_s Cov(B_r, B_s) + Σ y d_r Cov(B_r, f′) + Σ y′ d′_s Cov(f, B_s) + Σ Cov(f, f′),

asks of the data for one product with themselves per pair of functions and one with the nodes per
function; f enters by how much the nodes vary together, whatever the number of entities.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from itemcurve.estimation.marginal.factored_curves import FactoredCurve, StepCurve
from itemcurve.numerics.engine import Array, Engine, add_up, as_dense
from itemcurve.numerics.integration import Density
from itemcurve.numerics.row_blocks import Block, as_float, is_packed, transposed_product
from itemcurve.numerics.shapes import (
    EntityCoordinates,
    EntityMatrices,
    EntitySlope,
    EstimatedMatrix,
    PerNode,
    PerUnit,
    StateSlopes,
    UnitNodes,
    axes,
)

Reduction = Literal["all", "own"]
Varying = tuple[tuple[int, ...], ...]
"""Of each factored curve, the functions that are not constant."""
Slopes = Sequence[Sequence[EntitySlope]]
"""Of the curves in each coordinate: coordinates × curves."""
Moments = tuple[list[Array], list[Array], Array]
"""Data × data of each pair of functions; data × (f, state) of each; (f, state) × (f, state).

In the place of f stands the value at each node, unless there are fewer f than nodes.
"""


def varying_functions(curves: Sequence[StepCurve]) -> Varying:
    """Constant functions have no covariance with anything: say which are not constant."""
    found = []
    for curve in curves:
        if isinstance(curve, FactoredCurve):
            functions = np.asarray(curve.functions)
            found.append(tuple(np.flatnonzero(np.ptp(functions, axis=1) > 0).tolist()))
    return tuple(found)


def applies(
    reduction: Reduction, varying: Varying, density: Density, block: Block, slopes: Slopes
) -> bool:
    """Whether nothing is missing, and the nodes are few enough to be worth it."""
    if not varying or any(channel is not None for channel in block[len(varying) :]):
        return False
    entities, nodes = slopes[0][-1].shape
    if reduction == "all" and density.basis is None:
        return True
    points = 1 if density.basis is None else density.weights.shape[1]
    return points * nodes <= 4 * max(entities * len(slopes), 128)


def block_moments(
    engine: Engine,
    reduction: Reduction,
    varying: Varying,
    density: Density,
    block: Block,
    groups: PerUnit | None,
    curves: Sequence[StepCurve],
    slopes: Slopes,
    state_slopes: StateSlopes,
) -> Moments:
    """What the units of one block add to the covariance; sums over blocks."""
    shared = _shared_functions(engine, slopes, len(varying))
    is_few = shared.shape[0] < shared.shape[1] and density.basis is None and reduction == "all"
    targets = _Targets(engine, density, groups, state_slopes, shared if is_few else None)
    terms = []
    for channel, curve, chosen in zip(block, curves, varying, strict=False):
        assert isinstance(curve, FactoredCurve)
        assert channel is not None
        # Bits are multiplied as they are, unless all pairs of entities are wanted.
        known = channel if is_packed(channel) and reduction == "own" else as_dense(channel)
        terms += [(known, curve.functions[index]) for index in chosen]
    weights = [targets.centred(function) for _, function in terms]
    pairs = [
        _products(engine, reduction, left, right, weights[place] @ function)
        for place, (left, _) in enumerate(terms)
        for right, function in terms[place:]
    ]
    crosses = [
        transposed_product(engine, channel, targets.means(own), channel.shape[1])
        for (channel, _), own in zip(terms, weights, strict=True)
    ]
    return pairs, crosses, targets.covariance()


def _products(
    engine: Engine, reduction: Reduction, left: Any, right: Any, weights: PerUnit
) -> Array:
    """Σ_units weight · left · right, of all pairs of entities or of each with itself."""
    if reduction == "own" and is_packed(left) and left is right:
        return transposed_product(engine, left, weights[:, None], left.shape[1])[:, 0]
    if reduction == "own":
        # Bytes do not hold the products of bytes.
        wide = left if left.dtype.kind == "f" else left.astype(engine.xp.int16)
        return engine.transposed_product(wide * right, weights[:, None])[:, 0]
    is_square = left is right
    left = as_float(engine, left)
    if is_square:
        # One matrix times itself costs half of two.
        root = left * engine.xp.sqrt(engine.xp.maximum(weights, 0.0))[:, None]
        return root.T @ root
    return left.T @ (weights[:, None] * as_float(engine, right))


def _shared_functions(
    engine: Engine, slopes: Slopes, first: int
) -> Annotated[Array, axes("parameters nodes")]:
    """Each f, by entity and coordinate: slopes of the curves that meet channels of ones."""
    columns = engine.xp.stack([add_up(parts[first:]) for parts in slopes], axis=1)
    return columns.reshape(-1, columns.shape[-1])


@dataclass(frozen=True)
class _Targets:
    """What varies with the node alike in all units: f or the nodes themselves, then the state."""

    engine: Engine
    density: Density
    groups: PerUnit | None
    state_slopes: StateSlopes
    functions: Annotated[Array, axes("parameters nodes")] | None

    def centred(self, function: PerNode) -> UnitNodes:
        """Weights at the nodes that give every unit's covariance with a function."""
        at_points = self.density.at_points(self.engine, function)
        mean = (self.density.weights * at_points).sum(axis=1, keepdims=True)
        return self.density.onto_nodes(self.engine, at_points - mean)

    def means(self, weights: UnitNodes) -> Annotated[Array, axes("units targets")]:
        """Σ_nodes weights · target, of every unit."""
        if self.groups is None:
            state = weights @ self.state_slopes[0].T
        else:
            state = self.engine.xp.einsum("un,usn->us", weights, self.state_slopes[self.groups])
        own = weights if self.functions is None else weights @ self.functions.T
        return self.engine.xp.concatenate([own, state], axis=1)

    def covariance(self) -> Annotated[Array, axes("targets targets")]:
        """Σ_units Cov(target, target)."""
        xp, functions = self.engine.xp, self.functions
        spread = self.density.onto_nodes(self.engine)
        mass = spread.sum(axis=0)
        if self.groups is None:
            corner = self.state_slopes[0] * mass
            state = corner @ self.state_slopes[0].T
        else:
            own = self.state_slopes[self.groups]
            corner = xp.einsum("un,usn->sn", spread, own)
            state = xp.einsum("un,usn,utn->st", spread, own, own)
        if functions is None:
            top = self.density.node_products(self.engine)
        else:
            top, corner = (functions * mass) @ functions.T, corner @ functions.T
        second = xp.concatenate(
            [xp.concatenate([top, corner.T], axis=1), xp.concatenate([corner, state], axis=1)]
        )
        means = self.means(spread)
        return second - means.T @ means


def assembled(
    engine: Engine,
    reduction: Reduction,
    varying: Varying,
    curves: Sequence[StepCurve],
    slopes: Slopes,
    state_slopes: StateSlopes,
    moments: Moments,
) -> EstimatedMatrix | EntityMatrices:
    """The covariance itself, from sums of `block_moments`."""
    shared = _shared_functions(engine, slopes, len(varying))
    weights = _function_weights(engine, varying, curves, slopes)
    if reduction == "own":
        return _assembled_own(engine, shared, weights, moments)
    return _assembled_all(engine, shared, weights, state_slopes.shape[1], moments)


def _function_weights(
    engine: Engine, varying: Varying, curves: Sequence[StepCurve], slopes: Slopes
) -> list[EntityCoordinates]:
    """d: what each function counts in each score (entities × coordinates, one per function)."""
    xp = engine.xp
    entities, nodes = slopes[0][-1].shape
    found: list[Array] = []
    for place, (curve, chosen) in enumerate(zip(curves, varying, strict=False)):
        assert isinstance(curve, FactoredCurve)
        dual = xp.linalg.pinv(curve.functions)[:, list(chosen)]
        own = [xp.broadcast_to(parts[place], (entities, nodes)) @ dual for parts in slopes]
        found += list(xp.moveaxis(xp.stack(own, axis=1), 2, 0))
    return found


def _assembled_all(
    engine: Engine,
    shared: Annotated[Array, axes("parameters nodes")],
    weights: Sequence[EntityCoordinates],
    rest: int,
    moments: Moments,
) -> EstimatedMatrix:
    xp = engine.xp
    pairs, crosses, together = moments
    size, nodes = shared.shape
    is_projected = together.shape[0] != nodes + rest

    def onto(matrix: Array) -> Array:
        """Columns of nodes turned into columns of parameters."""
        if is_projected:
            return matrix
        return xp.concatenate([matrix[:, :nodes] @ shared.T, matrix[:, nodes:]], axis=1)

    # What is added with its transpose is added up before it is turned, once.
    rows = add_up(
        factor[:, :, None] * onto(cross)[:, None, :]
        for factor, cross in zip(weights, crosses, strict=True)
    ).reshape(size, -1)
    width = weights[0].shape[1]
    square = add_up(
        xp.repeat(xp.repeat(product, width, axis=0), width, axis=1)
        * (left * (0.5 if left is right else 1.0)).reshape(-1, 1)
        * right.reshape(-1)
        for (left, right), product in zip(_pairs(weights), pairs, strict=True)
    )
    rows = xp.concatenate([rows[:, :size] + square, rows[:, size:]], axis=1)
    half = xp.concatenate([rows, xp.zeros((rest, size + rest))])
    return onto(onto(together).T) + half + half.T


def _assembled_own(
    engine: Engine,
    shared: Annotated[Array, axes("parameters nodes")],
    weights: Sequence[EntityCoordinates],
    moments: Moments,
) -> EntityMatrices:
    xp = engine.xp
    pairs, crosses, together = moments
    nodes = shared.shape[1]
    entities, width = weights[0].shape
    image = (shared @ together[:nodes, :nodes]).reshape(entities, width, nodes)
    shared = shared.reshape(entities, width, nodes)
    total = xp.matmul(image, shared.swapaxes(1, 2))
    for factor, cross in zip(weights, crosses, strict=True):
        rows = factor[:, :, None] * engine.inner(shared, cross[:, None, :nodes])[:, None, :]
        total = total + rows + rows.swapaxes(1, 2)
    for (left, right), product in zip(_pairs(weights), pairs, strict=True):
        own = product[:, None, None] * left[:, :, None] * right[:, None, :]
        total = total + (own if left is right else own + own.swapaxes(1, 2))
    return total


def _pairs(weights: Sequence[Array]) -> list[tuple[Array, Array]]:
    return [(left, right) for place, left in enumerate(weights) for right in weights[place:]]
