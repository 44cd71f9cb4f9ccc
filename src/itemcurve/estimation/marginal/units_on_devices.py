"""Units whose data lie on devices, as they are: a step on all of them is one compiled program."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from itemcurve.estimation.marginal.units import Step, Units, UnitsInMemory
from itemcurve.numerics.devices.row_layout import RowLayout, lay_rows
from itemcurve.numerics.engine import Array, Engine, Matrix, as_dense
from itemcurve.numerics.row_blocks import Block, split_rows

_STATIC = ("engine", "layout", "step")


@dataclass(frozen=True)
class DeviceLayout:
    """How units lie on devices."""

    layout: RowLayout

    def total(self, engine: Engine, data: Any, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together, also inside compiled code."""
        return self.layout.fold(_on_rows(engine, step), step.merge, data, *arrays)

    def rows(self, engine: Engine, data: Any, step: Step, *arrays: Any) -> Any:
        """What a step gives of every unit, of all units."""
        return self.layout.rows(_on_rows(engine, step), data, *arrays)


@dataclass(frozen=True, eq=False)
class UnitsOnDevices:
    """Units on one device, or on several that share them.

    Attributes
    ----------
    blocks : channels (units × entities each): of the units that devices share, then of the rest.
    groups : the group of every unit, part by part, where their population has several.
    """

    engine: Engine
    layout: DeviceLayout
    blocks: tuple[Block, ...]
    count: int
    groups: tuple[Array, ...] | None = None

    @property
    def data(self) -> tuple[tuple[Block, Array | None], ...]:
        """What compiled code takes."""
        return tuple(zip(self.blocks, self.groups or (None,) * len(self.blocks), strict=True))

    @property
    def is_sparse(self) -> bool:
        """Full matrices suit devices better."""
        return False

    def each(self, step: Step, *arrays: Any) -> Iterator[Any]:
        """The step's result on every block, in order."""
        run = step.compiled(self.engine)
        for block, groups in self.layout.layout.each(self.data):
            yield run(self.engine, step.settings, block, groups, *arrays)

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""
        run = self.engine.compile(_total, static=_STATIC)
        return run(self.engine, self.layout, step, self.data, *arrays)

    def rows(self, step: Step, *arrays: Any) -> Any:
        """What a step gives of every unit, of all units."""
        run = self.engine.compile(_rows, static=_STATIC)
        return run(self.engine, self.layout, step, self.data, *arrays)


def place_units(
    engine: Engine, channels: Sequence[Matrix | None], units: int, entities: int, size: int
) -> Units:
    """Put the data of units (units × entities each; None for ones) where the engine computes.

    Parameters
    ----------
    size : most units of a block, where blocks are taken one by one.
    """
    if not engine.compiles:
        return UnitsInMemory(engine, split_rows(engine, channels, units, entities, size), units)
    dense = tuple(None if channel is None else as_dense(channel) for channel in channels)
    layout, blocks = lay_rows(engine.mesh, dense)
    return UnitsOnDevices(engine, DeviceLayout(layout), blocks, units)


def _on_rows(engine: Engine, step: Step) -> Callable[..., Any]:
    def run(part: tuple[Block, Array | None], *arrays: Any) -> Any:
        return step.function(engine, step.settings, *part, *arrays)

    return run


def _total(engine: Engine, layout: DeviceLayout, step: Step, data: Any, *arrays: Any) -> Any:
    return layout.total(engine, data, step, *arrays)


def _rows(engine: Engine, layout: DeviceLayout, step: Step, data: Any, *arrays: Any) -> Any:
    return layout.rows(engine, data, step, *arrays)
