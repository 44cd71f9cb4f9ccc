"""Units that lack nothing and differ in one sum alone: integrated once for a table of that sum.

With η = c_0 + c_1 · B(node) and every entity observed, a unit's log density at the nodes is
t · B + S, where t = Σ y c_1 is its own and S the same for all. So its integral and its expectations
are smooth functions of one number: found for a few thousand values of t by the rule of the grid,
and between these by polynomials of degree five. A unit then costs its products and a look-up.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.factored_curves import FactoredCurve, StepCurve
from itemcurve.estimation.marginal.problem import MarginalProblem
from itemcurve.numerics.chebyshev import interpolation_weights
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.integration import ByBand
from itemcurve.numerics.row_blocks import Block, product, transposed_product
from itemcurve.numerics.shapes import GroupNodes, PerUnit, axes

# Places of peaks for which units are tabulated: a hundredth of a logit apart.
_SPACING = 0.01
# Neighbours that a polynomial goes through.
_NEIGHBOURS = 6


class UnitTable(NamedTuple):
    """What is known of a unit by its sum t.

    Attributes
    ----------
    sums : t, ascending.
    barycentric : weights of each run of neighbours (runs × neighbours).
    known : log integral, E[B] and E[first coordinate] at each t (3 × sums).
    """

    sums: Annotated[Array, axes("sums")]
    barycentric: Annotated[Array, axes("runs neighbours")]
    known: Annotated[Array, axes("3 sums")]


def unit_table(
    problem: MarginalProblem, curves: list[StepCurve], log_density: GroupNodes
) -> tuple[UnitTable, Annotated[Array, axes("sums nodes")], tuple[int, ...]] | None:
    """The table, the mass at the nodes of each of its rows, and which functions are constant.

    None where units do not differ in one sum alone, or the grid does not interpolate.
    """
    grid, first = problem.grid.chebyshev, curves[0]
    rule = problem.grid.rule
    if not isinstance(first, FactoredCurve) or grid is None or isinstance(rule, ByBand):
        return None
    others = curves[1:]
    if any(isinstance(other, FactoredCurve) for other in others) or log_density.shape[0] > 1:
        return None
    functions = np.asarray(first.functions)
    varying = np.flatnonzero(np.ptp(functions, axis=1) > 0)
    if varying.size != 1 or not problem.units.is_complete:
        return None
    shared = np.asarray(log_density)[0] + sum(np.asarray(other).sum(axis=0) for other in others)
    own = functions[varying[0]]
    peaks = np.arange(grid.nodes[0], grid.nodes[-1] + _SPACING, _SPACING)
    onto = interpolation_weights(NUMPY, np.clip(peaks, grid.nodes[0], grid.nodes[-1]), grid)
    sums = -(onto @ (grid.first @ shared)) / (onto @ (grid.first @ own))
    sums = sums[np.concatenate([[True], np.diff(np.maximum.accumulate(sums)) > 0])]
    if sums.size < 2 * _NEIGHBOURS:
        return None
    log_values = sums[:, None] * own + shared
    density = rule.integrate(
        NUMPY, log_values, problem.grid.points, problem.grid.log_quadrature, grid
    )
    spread = density.onto_nodes(NUMPY)
    known = [density.log_integral, spread @ own, spread @ problem.grid.coordinates[0]]
    table = UnitTable(sums, _barycentric(sums), np.stack(known))
    constant = tuple(int(r) for r in range(len(functions)) if r != varying[0])
    return table, spread, constant


def _barycentric(sums: Annotated[Array, axes("sums")]) -> Array:
    """Weights of the polynomial through each run of neighbours."""
    runs = np.lib.stride_tricks.sliding_window_view(sums, _NEIGHBOURS)
    gaps = (runs[:, :, None] - runs[:, None, :]) / (runs[:, -1] - runs[:, 0])[:, None, None]
    return 1.0 / (gaps + np.eye(_NEIGHBOURS)).prod(axis=2)


def expect_by_table(
    engine: Engine,
    settings: tuple[int, ...],
    block: Block,
    groups: PerUnit | None,
    curve: FactoredCurve,
    table: UnitTable,
) -> tuple[Any, list[Array], Array, Any]:
    """What the E-step gives of a block, with the mass on the rows of the table.

    `settings` are the constant functions of the curve.
    """
    xp = engine.xp
    channel: Any = block[0]
    parts = product(engine, channel, curve.weights)
    varying = next(r for r in range(parts.shape[1]) if r not in settings)
    places, weights = _looked_up(engine, table, parts[:, varying])
    log_integral, expected, first = ((weights * known[places]).sum(axis=1) for known in table.known)
    columns = [xp.full(expected.shape, 1.0) * curve.functions[r, 0] for r in settings]
    total = log_integral.sum() + sum(
        (parts[:, r] * own).sum() for r, own in zip(settings, columns, strict=True)
    )
    columns.insert(varying, expected)
    sums = transposed_product(engine, channel, xp.stack(columns, axis=1), curve.weights.shape[0])
    mass = engine.sum_at(places.ravel(), weights.reshape(-1, 1), table.sums.shape[0])[:, 0]
    return total, [sums], mass, xp.abs(first).max()


def _looked_up(engine: Engine, table: UnitTable, sums: PerUnit) -> tuple[Array, Array]:
    """Neighbours of each unit in the table, and what each of them counts (units × neighbours)."""
    xp = engine.xp
    known = table.sums
    sums = xp.clip(sums, known[0], known[-1])
    start = xp.searchsorted(known, sums) - _NEIGHBOURS // 2
    start = xp.clip(start, 0, known.shape[0] - _NEIGHBOURS)
    places = start[:, None] + xp.arange(_NEIGHBOURS)
    terms = table.barycentric[start] / ((sums[:, None] - known[places]) + 1e-300)
    return places, terms / terms.sum(axis=1, keepdims=True)
