"""Integrals of many smooth positive functions, each known by its logarithm at shared nodes.

A function that is wide compared with the spacing of the nodes is integrated at the nodes. One
that is narrow is interpolated: its peak is found by Newton's method on the interpolant, a few
Gauss-Hermite points are placed there at the local scale, and their weights are mapped back onto
the nodes. So the functions themselves are never evaluated anywhere but at the nodes.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from itemcurve.numerics.chebyshev import ChebyshevGrid, interpolation_weights
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.hermite import gauss_hermite


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

    log_integral: Array
    weights: Array
    points: Array
    basis: Array | None

    def onto_nodes(self, engine: Engine, factor: Array | None = None) -> Array:
        """Give B with Σ_q B_q f(node_q) = E[factor · f] for smooth f (rows × nodes).

        Entries are interpolation weights, not probabilities: some are negative.
        """
        mass = self.weights if factor is None else self.weights * factor
        if self.basis is None:
            return mass
        return engine.xp.matmul(mass[:, None, :], self.basis)[:, 0, :]


@dataclass(frozen=True)
class AtNodes:
    """Integrate at the nodes, with the weights of their quadrature rule."""

    def integrate(
        self, engine: Engine, log_values: Array, nodes: Array, log_quadrature: Array, grid: Any
    ) -> Density:
        """Integrate exp(log_values) row by row (rows × nodes)."""
        xp = engine.xp
        terms = log_values + log_quadrature
        top = terms.max(axis=1, keepdims=True)
        mass = xp.exp(terms - top)
        total = mass.sum(axis=1, keepdims=True)
        return Density((top + xp.log(total))[:, 0], mass / total, nodes, None)


@dataclass(frozen=True)
class AroundPeak:
    """Integrate at Gauss-Hermite points around each row's peak."""

    points: int = 7
    newton_steps: int = 2

    def integrate(
        self,
        engine: Engine,
        log_values: Array,
        nodes: Array,
        log_quadrature: Array,
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
        self, engine: Engine, log_values: Array, nodes: Array, grid: ChebyshevGrid
    ) -> tuple[Array, Array]:
        """Find each row's maximum and the standard deviation its curvature suggests."""
        xp = engine.xp
        first, second = log_values @ grid.first.T, log_values @ grid.second.T
        peak = nodes[xp.argmax(log_values, axis=1)]
        width = nodes[-1] - nodes[0]
        for _ in range(self.newton_steps):
            basis = interpolation_weights(engine, peak, grid)
            slope, bend = (basis * first).sum(axis=1), (basis * second).sum(axis=1)
            bend = xp.minimum(bend, -1e-2)
            step = xp.clip(-slope / bend, -width / 16, width / 16)
            peak = xp.clip(peak + step, nodes[0], nodes[-1])
        return peak, 1.0 / xp.sqrt(-bend)


Rule = AtNodes | AroundPeak
