"""Curves that are sums of few functions of the node: one product per function, not per node.

With η_k = Σ_r c_kr(entity) · B_r(node), a unit's log-likelihood needs its channel times c_k (units
× functions), and its score the channel times E[B_r]: products of two columns for the 2PL, however
many nodes there are.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.row_blocks import product, transposed_product
from itemcurve.numerics.shapes import EntityCurve, RowsByColumns, UnitNodes, axes


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
ChannelSums = Annotated[Array, axes("entities nodes"), axes("entities functions")]
"""Expected channels at each node, or times each function of a factored curve."""


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
