"""The units that are integrated out: where their data lie, and how a step is taken on all of them.

A fit asks two things of its units: the results of a step on every block of them in turn, or all
of those put together. Who answers decides where blocks are kept (in memory, on disk, on devices,
on other machines) and in which order they are worked on; the steps themselves do not know.
"""

from collections.abc import Callable, Iterable, Iterator
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
    merge : puts the results of two blocks together.
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

    @property
    def is_complete(self) -> bool:
        """Whether every unit was observed with every entity, once, and there are many of them."""

    def each(self, step: Step, *arrays: Any) -> Iterator[Any]:
        """The step's result on every block, in order."""

    def arranged(self, parts: Iterable[Array]) -> Array:
        """What `each` gave of every unit, as one array in the order of the units."""

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""


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

    @property
    def is_complete(self) -> bool:
        """Whether it is worth to look units up in a table: not where all are in memory."""
        return False

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

    def arranged(self, parts: Iterable[Array]) -> Array:
        """What `each` gave of every unit, as one array in the order of the units."""
        found = np.concatenate([np.asarray(part) for part in parts])
        if self.order is None:
            return found
        back = np.empty_like(found)
        back[self.order] = found
        return back

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""
        return reduce(step.merge, self.each(step, *arrays))
