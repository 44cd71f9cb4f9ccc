"""Respondents in blocks on disk: while some are worked on, the next are read."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from itemcurve.estimation.marginal.e_step import expect_block
from itemcurve.estimation.marginal.tabulated_units import (
    channel_totals,
    expected_by_table,
    unit_table,
)
from itemcurve.estimation.marginal.units import Step
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.products.sparse_blocks import is_sparse
from itemcurve.numerics.products.threads import map_in_threads
from itemcurve.numerics.row_blocks import Block, split_rows
from itemcurve.numerics.shapes import PerEntity
from itemcurve.responses.matrix import Responses

# Blocks that are read ahead of the work.
_AHEAD = 2
# Cells and respondents of what is worked on at a time; the nodes of an integration multiply these.
_CELLS = 2**24
_ROWS = 2**12


def looked_up(units: Any, step: Step, arrays: tuple[Any, ...]) -> Any:
    """The total of an E-step where complete units are looked up in a table; None where not."""
    if step.function.__name__ != expect_block.__name__ or not units.is_complete:
        return None
    curves, log_density, grid = arrays
    known = unit_table(step.settings, curves, log_density, grid)
    if known is None:
        return None
    return expected_by_table(units.engine, units.total, units.totals, known, curves)


@dataclass(frozen=True, eq=False)
class StreamedUnits:
    """Blocks that are read, turned into channels, worked on and forgotten, on each pass."""

    engine: Engine
    likelihood: Likelihood
    responses: Responses

    @property
    def count(self) -> int:
        """How many units there are."""
        return self.responses.shape[0]

    @property
    def is_sparse(self) -> bool:
        """Whether blocks store only what was observed."""
        return any(is_sparse(channel) for channel in self._first)

    @property
    def is_complete(self) -> bool:
        """Whether every cell was observed once."""
        statistics = len(self.likelihood.model.family.statistics)
        return self._is_complete and all(part is None for part in self._first[statistics:])

    def each(self, step: Step, *arrays: Any) -> Iterator[Any]:
        """The step's result on every block, in order."""
        run = step.compiled(self.engine)

        def result(block: Block) -> Any:
            return run(self.engine, step.settings, block, None, *arrays)

        if self.engine.name == "numpy":
            yield from map_in_threads(result, self._blocks())
        else:
            yield from map(result, self._blocks())

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""
        found = looked_up(self, step, arrays)
        return reduce(step.merge, self.each(step, *arrays)) if found is None else found

    @cached_property
    def totals(self) -> PerEntity:
        """The first channel, added up over all units; of complete ones no step changes it."""
        return np.asarray(self.total(Step(channel_totals)))

    @cached_property
    def _first(self) -> Block:
        return self.channels(0)[0]

    @cached_property
    def _is_complete(self) -> bool:
        n_respondents, n_items = self.responses.shape
        return int(self.responses.counts(axis=0).sum()) == n_respondents * n_items

    def _blocks(self) -> Iterator[Block]:
        """All blocks; a thread reads the next ones meanwhile."""
        cells: Any = self.responses.cells
        waiting: deque[Future[list[Block]]] = deque()
        with ThreadPoolExecutor(1) as reader:
            for number in range(len(cells.source.rows)):
                waiting.append(reader.submit(self.channels, number))
                if len(waiting) > _AHEAD:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()

    def channels(self, number: int) -> list[Block]:
        """One block as steps take it, in pieces."""
        cells: Any = self.responses.cells
        own = cells.source.load(number)
        names = tuple(map(str, range(own.shape[0])))
        channels = self.likelihood.channels(Responses(names, self.responses.items, own))
        rows = min(_ROWS, max(256, _CELLS // own.shape[1])) if own.shape[1] < 2**16 else 256
        with self.engine.double_precision():
            return split_rows(self.engine, channels, own.shape[0], own.shape[1], rows)
