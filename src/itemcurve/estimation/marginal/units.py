"""The units that are integrated out: where their data lie, and how a step is taken on all of them.

A fit asks two things of its units: the results of a step on every block of them in turn, or all
of those put together. Who answers decides where blocks are kept (in memory, on disk, on devices,
on other machines) and in which order they are worked on; the steps themselves do not know.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Protocol

import numpy as np

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.integration import ByBand
from itemcurve.numerics.products.sparse_blocks import is_sparse
from itemcurve.numerics.products.threads import map_in_threads
from itemcurve.numerics.row_blocks import Block


def added(one: Any, other: Any) -> Any:
    """Sum of two results, part by part where they have parts."""
    if isinstance(one, tuple | list):
        return type(one)(added(a, b) for a, b in zip(one, other, strict=True))
    return one + other


@dataclass(frozen=True)
class Step:
    """What is done with one block of units.

    Attributes
    ----------
    function : of (engine, settings, block, groups, *arrays). A function of a module, so that it can
        be compiled and sent elsewhere by its name.
    settings : what it must know that is no array; hashable.
    merge : puts the results of two blocks together; zeros in place of one leave the other as it is.
    """

    function: Callable[..., Any]
    settings: Any = None
    merge: Callable[[Any, Any], Any] = added

    def of(self, band: int) -> Any:
        """Its settings on units of a band, where a rule of integration goes by band."""
        settings = self.settings
        if isinstance(settings, ByBand):
            return settings.of(band)
        if isinstance(getattr(settings, "rule", None), ByBand):
            return settings._replace(rule=settings.rule.of(band))
        return settings

    def compiled(self, engine: Engine) -> Callable[..., Any]:
        """The function as the engine runs it fastest."""
        found: Callable[..., Any] = engine.compile(self.function, static=("engine", "settings"))
        return found


class Units(Protocol):
    """Blocks of units."""

    @property
    def count(self) -> int:
        """How many units there are."""

    @property
    def is_sparse(self) -> bool:
        """Whether blocks store only what was observed, which is a small part."""

    def each(self, step: Step, *arrays: Any) -> Iterator[Any]:
        """The step's result on every block, in order."""

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""


class Layout(Protocol):
    """How units lie, apart from their data: what a program that works on all of them must know."""

    def total(self, engine: Engine, data: Any, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together, also inside compiled code."""


@dataclass(frozen=True, eq=False)
class UnitsInMemory:
    """Blocks that are all at hand, one after the other.

    Attributes
    ----------
    blocks : channels in blocks of units (units × entities each).
    count : how many units there are.
    groups : the group of every unit, block by block, where their population has several.
    order : which unit comes when, where blocks do not hold them in order.
    bands : the band of each block, where units come in bands.
    """

    engine: Engine
    blocks: list[Block]
    count: int
    groups: tuple[Array, ...] | None = field(default=None)
    order: Array | None = None
    bands: tuple[int, ...] | None = None

    @property
    def is_sparse(self) -> bool:
        """Whether blocks store only what was observed."""
        return any(is_sparse(channel) for channel in self.blocks[0])

    def each(self, step: Step, *arrays: Any) -> Iterator[Any]:
        """The step's result on every block, in order.

        Products of sparse blocks run on one processor each, so several blocks are worked on at a
        time; those of dense ones take all processors by themselves.
        """
        run = step.compiled(self.engine)
        groups = self.groups or (None,) * len(self.blocks)

        bands = self.bands or (0,) * len(self.blocks)

        def result(block: Block, own: Array | None, band: int) -> Any:
            return run(self.engine, step.of(band), block, own, *arrays)

        if self.engine.name == "numpy" and self.is_sparse and len(self.blocks) > 1:
            yield from map_in_threads(result, self.blocks, groups, bands)
        else:
            yield from map(result, self.blocks, groups, bands)

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""
        return reduce(step.merge, self.each(step, *arrays))


@dataclass(frozen=True, eq=False)
class AsTheyLie:
    """The layout of units that are asked block by block."""

    units: Units

    def total(self, engine: Engine, data: Any, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""
        return self.units.total(step, *arrays)


def layout_of(units: Units) -> tuple[Layout, Any]:
    """How units lie, and their data as compiled code takes them."""
    layout: Layout | None = getattr(units, "layout", None)
    return (AsTheyLie(units), None) if layout is None else (layout, getattr(units, "data", None))


def fits_one_program(units: Units, engine: Engine) -> bool:
    """Whether a program of this engine can hold the work on all units."""
    return not engine.compiles or hasattr(units, "layout")


def rows_of(units: Units, step: Step, *arrays: Any) -> Any:
    """What a step gives of every unit (units × …), of all units."""
    rows: Callable[..., Any] | None = getattr(units, "rows", None)
    if rows is not None:
        return rows(step, *arrays)
    found = np.concatenate([np.asarray(part) for part in units.each(step, *arrays)])
    order: Array | None = getattr(units, "order", None)
    if order is None:
        return found
    back = np.empty_like(found)
    back[order] = found
    return back
