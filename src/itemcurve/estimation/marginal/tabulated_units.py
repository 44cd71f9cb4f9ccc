"""Units that lack nothing and differ in one sum alone: integrated once for a table of that sum.

With η = c_0 + c_1 · B(node) and every entity observed, a unit's log density at the nodes is
t · B + S, where t = Σ y c_1 is its own and S the same for all. So its integral and its expectations
are smooth functions of one number: found for a few thousand values of t by the rule of the grid,
and between these by polynomials of degree five. A unit then costs its products and a look-up.
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import numpy as np

from itemcurve.estimation.marginal.e_step import GridArrays, merged
from itemcurve.estimation.marginal.factored_curves import FactoredCurve, StepCurve
from itemcurve.estimation.marginal.units import Step
from itemcurve.numerics.chebyshev import ChebyshevGrid, interpolation_weights
from itemcurve.numerics.engine import NUMPY, Array, Engine
from itemcurve.numerics.integration import Rule
from itemcurve.numerics.row_blocks import Block, there_and_back, transposed_product
from itemcurve.numerics.shapes import GroupNodes, PerEntity, PerNode, PerUnit, axes

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


class Tabulated(NamedTuple):
    """A table, the mass at the nodes of each of its rows, and which function is not constant."""

    table: UnitTable
    spread: Annotated[Array, axes("sums nodes")]
    varying: int


def unit_table(
    rule: Rule, curves: list[StepCurve], log_density: GroupNodes, grid: GridArrays
) -> Tabulated | None:
    """What units that lack nothing are looked up in.

    None where they do not differ in one sum alone.
    """
    first, others = curves[0], curves[1:]
    is_line = np.ndim(grid.points) == 1
    if not isinstance(first, FactoredCurve) or not is_line or len(log_density) > 1:
        return None
    functions = np.asarray(first.functions)
    varying = np.flatnonzero(np.ptp(functions, axis=1) > 0)
    if varying.size != 1 or any(isinstance(other, FactoredCurve) for other in others):
        return None
    shared = np.asarray(log_density)[0] + sum(np.asarray(other).sum(axis=0) for other in others)
    own, points = functions[varying[0]], np.asarray(grid.points)
    known: Any = None
    if grid.chebyshev is not None:
        known = ChebyshevGrid(*map(np.asarray, grid.chebyshev))
    sums = _peaked_sums(points, known, shared, own)
    if sums.size < 2 * _NEIGHBOURS:
        return None
    log_values = sums[:, None] * own + shared
    density = rule.integrate(NUMPY, log_values, points, np.asarray(grid.log_quadrature), known)
    spread = density.onto_nodes(NUMPY)
    found = [density.log_integral, spread @ own, spread @ np.asarray(grid.first)]
    table = UnitTable(sums, _barycentric(sums), np.stack(found))
    return Tabulated(table, spread, int(varying[0]))


def _peaked_sums(
    nodes: PerNode, grid: ChebyshevGrid | None, shared: PerNode, own: PerNode
) -> Array:
    """Sums t for which t · own + shared has its peak at places next to each other; ascending."""
    peaks = np.clip(np.arange(nodes[0], nodes[-1] + _SPACING, _SPACING), nodes[0], nodes[-1])
    if grid is None:
        # How close they lie counts, not where: nodes between which nothing is narrow tell enough.
        sums = np.interp(peaks, nodes, -np.gradient(shared, nodes) / np.gradient(own, nodes))
    else:
        onto = interpolation_weights(NUMPY, peaks, grid)
        sums = -(onto @ (grid.first @ shared)) / (onto @ (grid.first @ own))
    return sums[np.concatenate([[True], np.diff(np.maximum.accumulate(sums)) > 0])]


def expected_by_table(
    engine: Engine,
    total: Callable[..., Any],
    totals: PerEntity,
    known: Tabulated,
    curves: list[Any],
) -> tuple[Array, list[Array], GroupNodes, Array]:
    """What `expect_block` gives of all units, by `total` of a step on their blocks.

    Parameters
    ----------
    totals : of the first channel, of each entity over all units. What functions that are constant
        add is known by these: no unit is asked for it.
    """
    placed = UnitTable(*(engine.place(part) for part in known.table))
    weights, functions = (np.asarray(part) for part in curves[0])
    step = Step(expect_by_table, None, merged)
    height, expected, rows, extent = total(step, engine.place(weights[:, known.varying]), placed)
    sums = totals[:, None] * functions[:, 0]
    constant = np.arange(len(functions)) != known.varying
    height = height + float((sums * weights)[:, constant].sum())
    sums[:, known.varying] = np.asarray(expected)
    mass = np.asarray(rows)[None, :] @ known.spread
    size = len(weights), mass.shape[1]
    others = [engine.place(np.broadcast_to(mass, size)) for _ in curves[1:]]
    return height, [engine.place(sums), *others], engine.place(mass), extent


def _barycentric(sums: Annotated[Array, axes("sums")]) -> Array:
    """Weights of the polynomial through each run of neighbours."""
    runs = np.lib.stride_tricks.sliding_window_view(sums, _NEIGHBOURS)
    gaps = (runs[:, :, None] - runs[:, None, :]) / (runs[:, -1] - runs[:, 0])[:, None, None]
    return 1.0 / (gaps + np.eye(_NEIGHBOURS)).prod(axis=2)


def expect_by_table(
    engine: Engine,
    settings: None,
    block: Block,
    groups: PerUnit | None,
    weights: PerEntity,
    table: UnitTable,
) -> tuple[Any, PerEntity, Array, Any]:
    """What the E-step gives of a block, with the mass on the rows of the table.

    Parameters
    ----------
    weights : of the function that is not constant, of each entity.
    """
    xp, channel = engine.xp, block[0]
    assert channel is not None

    def answer(sums: PerUnit) -> tuple[Array, ...]:
        places, shares = _looked_up(engine, table, sums)
        log_integral, expected, first = ((shares * own[places]).sum(axis=1) for own in table.known)
        return expected, log_integral, first, places, shares

    back, (_, heights, first, places, shares) = there_and_back(engine, channel, weights, answer)
    mass = engine.sum_at(places.ravel(), shares.reshape(-1, 1), table.sums.shape[0])[:, 0]
    return heights.sum(), back, mass, xp.abs(first).max()


def channel_totals(
    engine: Engine, settings: None, block: Block, groups: PerUnit | None
) -> PerEntity:
    """The first channel of each entity, added up over the units of a block."""
    channel: Any = block[0]
    ones = engine.xp.ones((channel.shape[0], 1))
    return transposed_product(engine, channel, ones, channel.shape[1])[:, 0]


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
