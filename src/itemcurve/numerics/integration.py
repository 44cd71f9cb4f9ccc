"""Integrals of many smooth positive functions, each known by its logarithm at shared nodes.

A function that is wide compared with the spacing of the nodes is integrated at the nodes. One
that is narrow is interpolated: its peak is found by Newton's method on the interpolant, a few
Gauss-Hermite points are placed there at the local scale, and their weights are mapped back onto
the nodes. So the functions themselves are never evaluated anywhere but at the nodes.
"""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from itemcurve.numerics.chebyshev import ChebyshevGrid, interpolation_weights
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.hermite import gauss_hermite
from itemcurve.numerics.lattice_interpolation import MARGIN, interpolation_matrix
from itemcurve.numerics.shapes import (
    NodeMatrix,
    NodePoints,
    PerNode,
    PerRow,
    RowNodes,
    RowPointNodes,
    RowPoints,
    SharedPoints,
    axes,
)

# What lies this far below the highest logarithm does not count: e⁻²⁴ = 4e-11. Less would show as
# jumps of the integral when a box gains or loses a node.
_DEPTH = 24.0
# Shares of mass are no smaller than e to this power.
_LOWEST = -300.0


class Density(NamedTuple):
    """A normalised function per row: where its mass sits, and the integral divided out.

    Attributes
    ----------
    log_integral : logarithm of the integral (rows).
    weights : share of the integral at each point; rows sum to one (rows × points).
    points : where (rows × points; or points, the same for all rows).
    basis : weights that interpolate from nodes to points (rows × points × nodes); None when the
        points are the nodes.
    """

    log_integral: PerRow
    weights: RowPoints
    points: Annotated[Array, axes("rows points"), axes("points"), axes("points parameters")]
    basis: RowPointNodes | None

    def onto_nodes(self, engine: Engine, factor: SharedPoints | None = None) -> RowNodes:
        """Give B with Σ_q B_q f(node_q) = E[factor · f] for smooth f (rows × nodes).

        Entries are interpolation weights, not probabilities: some are negative.
        """
        mass = self.weights if factor is None else self.weights * factor
        if self.basis is None:
            return mass
        return engine.xp.matmul(mass[:, None, :], self.basis)[:, 0, :]

    def at_points(
        self, engine: Engine, function: PerNode
    ) -> Annotated[Array, axes("rows|1 points")]:
        """A function known at the nodes, at the points (rows × points; rows may be one)."""
        if self.basis is None:
            return function[None, :]
        return self.basis @ function

    def node_products(self, engine: Engine) -> NodeMatrix:
        """Σ over rows of E[f g], as a matrix between functions f and g known at the nodes."""
        if self.basis is None:
            return engine.xp.diag(self.weights.sum(axis=0))
        half = engine.xp.sqrt(self.weights)[:, :, None] * self.basis
        half = half.reshape(-1, half.shape[2])
        return half.T @ half


@dataclass(frozen=True)
class AtNodes:
    """Integrate at the nodes, with the weights of their quadrature rule."""

    def integrate(
        self,
        engine: Engine,
        log_values: RowNodes,
        nodes: NodePoints,
        log_quadrature: PerNode,
        grid: Any,
    ) -> Density:
        """Integrate exp(log_values) row by row (rows × nodes)."""
        xp = engine.xp
        terms = log_values + log_quadrature
        top = terms.max(axis=1, keepdims=True)
        terms -= top
        # In place where that is possible: new memory costs as much as the exponentials. Numbers too
        # small for a processor's registers would make all products with them ten times slower.
        if engine.compiles:
            mass = xp.exp(xp.maximum(terms, _LOWEST))
        else:
            mass = xp.exp(xp.maximum(terms, _LOWEST, out=terms), out=terms)
        total = mass.sum(axis=1, keepdims=True)
        mass /= total
        return Density((top + xp.log(total))[:, 0], mass, nodes, None)


@dataclass(frozen=True)
class AroundPeak:
    """Integrate at Gauss-Hermite points around each row's peak."""

    points: int = 7
    newton_steps: int = 2

    def integrate(
        self,
        engine: Engine,
        log_values: RowNodes,
        nodes: NodePoints,
        log_quadrature: PerNode,
        grid: ChebyshevGrid,
    ) -> Density:
        """Integrate exp(log_values) row by row (rows × nodes)."""
        xp = engine.xp
        peak, scale = self._peak(engine, log_values, nodes, grid)
        offsets, log_weights = gauss_hermite(self.points)
        points = peak[:, None] + scale[:, None] * xp.asarray(offsets)
        points = xp.clip(points, nodes[0], nodes[-1])
        basis = interpolation_weights(engine, points, grid)
        terms = xp.matmul(basis, log_values[:, :, None])[:, :, 0] + xp.asarray(log_weights)
        top = terms.max(axis=1, keepdims=True)
        mass = xp.exp(terms - top)
        total = mass.sum(axis=1, keepdims=True)
        log_integral = (top + xp.log(total))[:, 0] + xp.log(scale)
        return Density(log_integral, mass / total, points, basis)

    def _peak(
        self, engine: Engine, log_values: RowNodes, nodes: NodePoints, grid: ChebyshevGrid
    ) -> tuple[PerRow, PerRow]:
        """Find each row's maximum and the standard deviation its curvature suggests."""
        xp = engine.xp
        first, second = log_values @ grid.first.T, log_values @ grid.second.T
        peak = nodes[xp.argmax(log_values, axis=1)]
        width = nodes[-1] - nodes[0]
        for _ in range(self.newton_steps):
            basis = interpolation_weights(engine, peak, grid)
            slope, bend = xp.vecdot(basis, first), xp.vecdot(basis, second)
            bend = xp.minimum(bend, -1e-2)
            step = xp.clip(-slope / bend, -width / 16, width / 16)
            peak = xp.clip(peak + step, nodes[0], nodes[-1])
        return peak, 1.0 / xp.sqrt(-bend)


@dataclass(frozen=True)
class WithinBox:
    """Integrate on a finer lattice inside the box that holds each row's mass.

    The nodes form a regular lattice of several axes, too coarse for narrow functions but fine
    enough to interpolate their logarithms. The trapezoidal rule on the finer lattice takes any
    shape, ridges and bananas too, as long as their width is resolved.
    """

    shape: tuple[int, ...]
    points: int = 64

    def integrate(
        self,
        engine: Engine,
        log_values: RowNodes,
        nodes: NodePoints,
        log_quadrature: PerNode,
        grid: Any,
    ) -> Density:
        """Integrate exp(log_values) row by row (rows × nodes)."""
        inside = self.refine(engine, log_values + log_quadrature)
        spread = inside.mass
        for axis, matrix in enumerate(inside.matrices):
            spread = _along(engine, spread, engine.xp.swapaxes(matrix, 1, 2), axis)
        spread = spread.reshape(log_values.shape)
        return Density(inside.log_integral, spread, nodes, None)

    def refine(self, engine: Engine, log_values: RowNodes) -> "Inside":
        """Give each row's mass on its own finer lattice; values are per step of the coarse one."""
        xp = engine.xp
        values = log_values.reshape(-1, *self.shape)
        positions = [self._positions(engine, values, axis) for axis in range(len(self.shape))]
        matrices = [
            interpolation_matrix(engine, u, size)
            for u, size in zip(positions, self.shape, strict=True)
        ]
        for axis, matrix in enumerate(matrices):
            values = _along(engine, values, matrix, axis)
        axes = tuple(range(1, len(self.shape) + 1))
        top = values.max(axis=axes, keepdims=True)
        mass = xp.exp(values - top)
        total = mass.sum(axis=axes, keepdims=True)
        volume = sum(xp.log(u[:, 1] - u[:, 0]) for u in positions)
        return Inside(
            (top + xp.log(total)).ravel() + volume, mass / total, tuple(positions), tuple(matrices)
        )

    def _positions(self, engine: Engine, values: Array, axis: int) -> RowPoints:
        """Points along an axis, in its steps, that span all but a negligible mass (rows × points).

        One more node on each side than the mass asks for holds a peak between nodes.
        """
        xp = engine.xp
        others = tuple(i + 1 for i in range(len(self.shape)) if i != axis)
        profile = values.max(axis=others)
        size = self.shape[axis]
        is_inside = profile > profile.max(axis=1, keepdims=True) - _DEPTH
        first = xp.argmax(is_inside, axis=1) - 1
        last = size - xp.argmax(is_inside[:, ::-1], axis=1)
        first = xp.clip(first, MARGIN, size - 2 - MARGIN)
        last = xp.clip(last, first + 1, size - 1 - MARGIN)
        share = xp.linspace(0.0, 1.0, self.points)
        return first[:, None] + (last - first)[:, None] * share


class Inside(NamedTuple):
    """Mass of many functions, each on its own fine lattice inside its own box.

    Attributes
    ----------
    log_integral : logarithm of the integral in units of steps (rows).
    mass : share of the integral at each point (rows × points × points …).
    positions : of the points along each axis, in steps of the coarse lattice (rows × points each).
    matrices : weights that interpolate along each axis (rows × points × nodes each).
    """

    log_integral: PerRow
    mass: Annotated[Array, axes("rows *points")]
    positions: tuple[RowPoints, ...]
    matrices: tuple[RowPointNodes, ...]

    def marginal(self, axis: int) -> RowPoints:
        """Mass along one axis (rows × points)."""
        others = tuple(i + 1 for i in range(len(self.positions)) if i != axis)
        return self.mass.sum(axis=others)


def _along(engine: Engine, values: Array, matrices: Array, axis: int) -> Array:
    """Apply each row's own matrix (rows × new × old) along one axis of its values."""
    xp = engine.xp
    moved = xp.moveaxis(values, axis + 1, -1)
    flat = moved.reshape(len(moved), -1, moved.shape[-1])
    found = xp.matmul(flat, xp.swapaxes(matrices, 1, 2))
    return xp.moveaxis(found.reshape(*moved.shape[:-1], -1), -1, axis + 1)


Rule = AtNodes | AroundPeak | WithinBox


@dataclass(frozen=True)
class ByBand:
    """A rule for each band of functions: wide ones need no points of their own."""

    rules: tuple[Rule, ...]

    def of(self, band: int) -> Rule:
        """The rule of a band."""
        return self.rules[band]
