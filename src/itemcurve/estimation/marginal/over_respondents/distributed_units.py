"""Respondents on the workers of a Dask cluster: each holds its blocks, and steps go to them.

A step is sent once to every worker, with the arrays it needs; the worker runs it on its blocks and
puts their results together; two by two, on the workers, these become one. So what travels is as
large as the estimates, whatever the number of respondents.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from itemcurve.estimation.marginal.over_respondents.streamed_units import StreamedUnits, looked_up
from itemcurve.estimation.marginal.tabulated_units import channel_totals
from itemcurve.estimation.marginal.units import Step
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.row_blocks import Block
from itemcurve.numerics.shapes import PerEntity
from itemcurve.responses.matrix import Responses


@dataclass(frozen=True, eq=False)
class DistributedUnits:
    """Blocks that stay on workers.

    Attributes
    ----------
    client : of a Dask cluster (`distributed.Client`); its workers can read the files of the blocks.
    """

    engine: Engine
    likelihood: Likelihood
    responses: Responses
    client: Any

    @property
    def count(self) -> int:
        """How many units there are."""
        return self.responses.shape[0]

    @property
    def is_sparse(self) -> bool:
        """Whether blocks store only what was observed."""
        return self._here.is_sparse

    @property
    def is_complete(self) -> bool:
        """Whether every cell was observed once."""
        return self._here.is_complete

    def each(self, step: Step, *arrays: Any) -> Iterator[Any]:
        """The step's result on every block, in order."""
        shared = self._shared(arrays)
        found = [
            self.client.submit(_run_each, self.engine, step, part, *shared, pure=False)
            for part in self._parts
        ]
        for future in found:
            yield from future.result()

    def total(self, step: Step, *arrays: Any) -> Any:
        """The results of all blocks put together."""
        known = looked_up(self, step, arrays)
        if known is not None:
            return known
        shared = self._shared(arrays)
        found = [
            self.client.submit(_run_total, self.engine, step, part, *shared, pure=False)
            for part in self._parts
        ]
        while len(found) > 1:
            pairs = [
                self.client.submit(step.merge, *found[first : first + 2], pure=False)
                for first in range(0, len(found) - 1, 2)
            ]
            found = [*pairs, *found[2 * len(pairs) :]]
        return found[0].result()

    def _shared(self, arrays: tuple[Any, ...]) -> list[Any]:
        """Arrays on every worker."""
        if not arrays:
            return []
        placed: list[Any] = self.client.scatter(list(arrays), broadcast=True, hash=False)
        return placed

    @cached_property
    def totals(self) -> PerEntity:
        """The first channel, added up over all units; of complete ones no step changes it."""
        return np.asarray(self.total(Step(channel_totals)))

    @cached_property
    def _here(self) -> StreamedUnits:
        """The same respondents as one process sees them, to ask what they are like."""
        return StreamedUnits(self.engine, self.likelihood, self.responses)

    @cached_property
    def _parts(self) -> list[Any]:
        """The blocks of each worker, in order, read by the worker itself."""
        cells: Any = self.responses.cells
        workers = sorted(self.client.scheduler_info(n_workers=-1)["workers"])
        rows = np.array(cells.source.rows)
        # As many respondents on each, in runs, so that results come in order.
        share = np.cumsum(rows) - rows / 2
        owner = np.minimum((share / rows.sum() * len(workers)).astype(int), len(workers) - 1)
        (source,) = self.client.scatter(
            [(self.engine, self.likelihood, replace(cells, client=None), self.responses.items)],
            broadcast=True,
            hash=False,
        )
        return [
            self.client.submit(
                _load, source, np.flatnonzero(owner == place).tolist(), workers=[name], pure=False
            )
            for place, name in enumerate(workers)
            if (owner == place).any()
        ]


def _load(shared: Any, numbers: list[int]) -> list[Block]:
    """Read blocks and keep them as steps take them."""
    engine, likelihood, cells, items = shared
    units = StreamedUnits(engine, likelihood, Responses((), items, cells))
    return [block for number in numbers for block in units.channels(number)]


def _run_each(engine: Engine, step: Step, blocks: list[Block], *arrays: Any) -> list[Any]:
    run = step.compiled(engine)
    return [_result(engine, run, step, block, arrays) for block in blocks]


def _run_total(engine: Engine, step: Step, blocks: list[Block], *arrays: Any) -> Any:
    return reduce(step.merge, _run_each(engine, step, blocks, *arrays))


def _result(engine: Engine, run: Any, step: Step, block: Block, arrays: tuple[Any, ...]) -> Any:
    with engine.double_precision():
        found = run(engine, step.settings, block, None, *arrays)
    return found if engine.name == "numpy" else _as_numpy(found)


def _as_numpy(found: Any) -> Any:
    """Arrays of a device as those of memory, to travel."""
    if isinstance(found, tuple | list):
        parts = map(_as_numpy, found)
        return type(found)(*parts) if hasattr(found, "_fields") else type(found)(parts)
    return np.asarray(found)
