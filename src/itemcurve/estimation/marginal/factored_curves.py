"""Curves that are sums of few functions of the node: one product per function, not per node.

With η_k = Σ_r c_kr(entity) · B_r(node), a unit's log-likelihood needs its channel times c_k (units
× functions), and its score the channel times E[B_r]: products of two columns for the 2PL, however
many nodes there are. Other curves are smooth and alike: few functions make them up to a negligible
rest.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from itemcurve.numerics.engine import Array, Engine, Matrix
from itemcurve.numerics.row_blocks import Block, product, transposed_product
from itemcurve.numerics.shapes import EntityCurve, EntitySlope, RowsByColumns, UnitNodes, axes

# So many entities, evenly spaced, tell which functions all need; and those that bend most.
_EXAMPLES, _MOST_BENT = 500, 100
# Functions that are smaller beside the largest do not count; and what all together may leave out of
# the curve of any entity, which only of the steepest is more than a thousandth of that.
_NEGLIGIBLE, _LEFT_OUT = 1e-7, 5e-4
# More functions than this share of the nodes are not worth their products.
_WORTHWHILE = 0.7


class FactoredCurve(NamedTuple):
    """A curve of every entity as a product of two thin matrices.

    Attributes
    ----------
    weights : c_r (entities × functions).
    functions : B_r (functions × nodes).
    """

    weights: Annotated[Array, axes("entities functions")]
    functions: Annotated[Array, axes("functions nodes")]


StepCurve = EntityCurve | FactoredCurve
"""A curve as the steps on blocks of units take it."""
ChannelSums = Array
"""Expected channels at each node (entities × nodes), or times each function of a factored curve
(entities × functions, which are other ones for every curve)."""


def compressed(curve: EntityCurve, slopes: Sequence[EntitySlope]) -> FactoredCurve | None:
    """A curve as a sum of the few functions that make up it and its slopes; None if it takes many.

    Parameters
    ----------
    slopes : its derivatives, of which expectations are asked for at the same nodes.
    """
    nodes = curve.shape[1]
    bend = np.abs(np.diff(curve, 2, axis=1)).max(axis=1)
    spaced = np.arange(0, len(curve), -(-len(curve) // _EXAMPLES))
    chosen = np.concatenate([spaced, np.argsort(-bend)[:_MOST_BENT]])
    examples = [np.broadcast_to(part, curve.shape)[chosen] for part in (curve, *slopes)]
    triangle = np.linalg.qr(np.concatenate(examples), mode="r")
    _, sizes, turned = np.linalg.svd(triangle, full_matrices=False)
    functions = turned[sizes > _NEGLIGIBLE * sizes[0]]
    if len(functions) > _WORTHWHILE * nodes:
        return None
    weights = curve @ functions.T
    rest = np.abs(weights @ functions - curve).max()
    return FactoredCurve(weights, functions) if rest < _LEFT_OUT else None


def with_factors(
    curves: Sequence[EntityCurve], factors: Sequence[FactoredCurve]
) -> list[StepCurve]:
    """The curves, the first of them as factors where these are known."""
    return [*factors, *curves[len(factors) :]]


def times_curve(engine: Engine, channel: RowsByColumns | None, curve: StepCurve) -> UnitNodes:
    """Channel @ curve (units × nodes)."""
    if isinstance(curve, FactoredCurve):
        return product(engine, channel, curve.weights) @ curve.functions
    return product(engine, channel, curve)


def times_curves(
    engine: Engine,
    block: Block,
    curves: Sequence[StepCurve],
    heights: Annotated[Array, axes("units|1 nodes")],
) -> UnitNodes:
    """Heights + Σ channel @ curve, of the channels of a block (units × nodes).

    Channels that are plain arrays are multiplied at once: at many nodes, to add products up takes
    as long as to find them.
    """
    pairs = list(zip(block, curves, strict=True))
    plain = [pair for pair in pairs if is_plain(engine, *pair)]
    found = heights
    if len(plain) > 1:
        channels, own = zip(*plain, strict=True)
        found = np.hstack(channels) @ np.vstack(own)
        found += heights
        pairs = [pair for pair in pairs if not is_plain(engine, *pair)]
    for pair in pairs:
        found = found + times_curve(engine, *pair)
    return found


def expected_channels(
    engine: Engine, block: Block, curves: Sequence[StepCurve], spread: UnitNodes
) -> list[ChannelSums]:
    """What `expected_channel` gives of each channel of a block."""
    pairs = list(zip(block, curves, strict=True))
    plain = [k for k, pair in enumerate(pairs) if is_plain(engine, *pair)]
    if len(plain) < 2:
        return [expected_channel(engine, *pair, spread) for pair in pairs]
    channels = [np.asarray(pairs[k][0]) for k in plain]
    sums = np.hstack(channels).T @ spread
    ends = np.cumsum([channel.shape[1] for channel in channels])[:-1]
    found = dict(zip(plain, np.split(sums, ends), strict=True))
    return [
        found[k] if k in found else expected_channel(engine, *pair, spread)
        for k, pair in enumerate(pairs)
    ]


def is_plain(engine: Engine, channel: Matrix | None, curve: StepCurve) -> bool:
    """Whether a channel is an array of 64-bit floats where NumPy computes, its curve an array."""
    return (
        not engine.compiles
        and isinstance(channel, np.ndarray)
        and channel.dtype.kind == "f"
        and not isinstance(curve, FactoredCurve)
    )


def expected_channel(
    engine: Engine, channel: RowsByColumns | None, curve: StepCurve, spread: UnitNodes
) -> ChannelSums:
    """channelᵀ @ spread, or @ the expected functions where the curve has factors."""
    if not isinstance(curve, FactoredCurve):
        return transposed_product(engine, channel, spread, curve.shape[0])
    expected = spread @ curve.functions.T
    return transposed_product(engine, channel, expected, curve.weights.shape[0])


def sums_at_nodes(
    engine: Engine, curve: StepCurve, sums: Annotated[Array, axes("entities terms")]
) -> EntityCurve:
    """Expected channels at the nodes, or what stands for them.

    Whoever takes sums multiplies them by the curve or its slopes, which are sums of the functions.
    So any array at the nodes serves that gives each function its expected channel.
    """
    if not isinstance(curve, FactoredCurve):
        return sums
    functions = curve.functions
    return sums @ engine.xp.linalg.solve(functions @ functions.T, functions)
