"""Responses larger than memory: what can be had of them block by block."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.numerics.products.threads import map_in_threads
from itemcurve.responses.blocks.block_source import BlockSource
from itemcurve.responses.layouts.bit_cells import BitCells
from itemcurve.responses.layouts.cell_layout import arrange_cells
from itemcurve.responses.layouts.cells import Entries, ResponseCells, Transform

# More cells than these are not taken out of the blocks into memory.
_MOST_TAKEN = 2**30


@dataclass(frozen=True, eq=False)
class StreamedCells:
    """Blocks of respondents that are read when they are needed, and never all kept here.

    Attributes
    ----------
    client : of the Dask cluster whose workers keep them; None where they are read here.
    """

    source: BlockSource
    client: Any = None

    @property
    def shape(self) -> tuple[int, int]:
        """Respondents × items."""
        return sum(self.source.rows), self.source.n_items

    @property
    def edges(self) -> list[int]:
        """Where blocks begin, and the number of all respondents."""
        return [0, *np.cumsum(self.source.rows).tolist()]

    def accumulate(self, transform: Transform) -> NoReturn:
        """Refuse: this would be as large as the responses."""
        self._refuse()

    def weight(self) -> NoReturn:
        """Refuse: this would be as large as the responses."""
        self._refuse()

    def observed_values(self) -> NoReturn:
        """Refuse: this would be as large as the responses."""
        self._refuse()

    def array(self) -> NoReturn:
        """Refuse: this would be larger than the responses."""
        self._refuse()

    def entries(self) -> Entries:
        """Refuse: this would be larger than the responses."""
        self._refuse()

    def part(self, rng: np.random.Generator, share: float) -> NoReturn:
        """Refuse: this would be as large as the responses."""
        self._refuse()

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the observed cells along an axis."""
        found: NDArray[np.int64] = self._margins[axis][0].astype(np.int64)
        return found

    def totals(self, axis: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sum weight · value and weight along an axis."""
        _, sums, weights = self._margins[axis]
        return sums, weights

    def distinct_values(self) -> Iterator[NDArray[Any]]:
        """Arrays that hold every value that occurs."""
        yield from self.map_blocks(_values_of)

    def take(self, rows: Sequence[int] | None, columns: Sequence[int] | None) -> ResponseCells:
        """Keep these rows and columns, in this order, in memory."""
        rows = range(self.shape[0]) if rows is None else rows
        columns = range(self.shape[1]) if columns is None else columns
        if len(rows) * len(columns) > _MOST_TAKEN:
            self._refuse()
        wanted, edges = np.asarray(rows, dtype=np.int64), self.edges
        owners = np.searchsorted(edges, wanted, side="right") - 1

        def taken(block: int) -> tuple[NDArray[np.int64], Entries]:
            places = np.flatnonzero(owners == block)
            own = (wanted[places] - edges[block]).tolist()
            return places, self.source.load(block).take(own, columns).entries()

        found = list(map_in_threads(taken, np.unique(owners).tolist()))
        weights = [part.weights for _, part in found]
        is_weighted = any(own is not None for own in weights)
        return arrange_cells(
            np.concatenate([places[part.rows] for places, part in found]),
            np.concatenate([part.columns.astype(np.int64) for _, part in found]),
            np.concatenate([part.values for _, part in found]),
            np.concatenate(
                [np.ones(p.values.size) if p.weights is None else p.weights for _, p in found]
            )
            if is_weighted
            else None,
            (len(rows), len(columns)),
        )

    def map_blocks(self, function: Callable[[ResponseCells], Any]) -> Iterator[Any]:
        """The function of every block, in order."""
        if self.client is not None:
            numbers = range(len(self.source.rows))
            found = self.client.map(
                _of_block, numbers, function=function, source=self.source, pure=False
            )
            return iter(self.client.gather(found))
        return map_in_threads(
            lambda block: function(self.source.load(block)), range(len(self.source.rows))
        )

    @cached_property
    def _margins(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Counts, sums and weights per item and per respondent, in one pass."""
        by_item = np.zeros((3, self.source.n_items))
        by_respondent = []
        for items, respondents in self.map_blocks(_margins_of):
            by_item += items
            by_respondent.append(respondents)
        return by_item, np.concatenate(by_respondent, axis=1)

    def _refuse(self) -> NoReturn:
        n_respondents, n_items = self.shape
        raise ResponsesError(
            "This needs all responses in memory at once;",
            f"these are {n_respondents:,} × {n_items:,} in {len(self.source.rows)} blocks on disk.",
            "Blocks serve ic.fit with method='marginal' over respondents. For anything else take "
            "some: `responses.take(rows)`, or read all with `Responses.read`.",
        )


def _of_block(block: int, function: Callable[[ResponseCells], Any], source: BlockSource) -> Any:
    return function(source.load(block))


def _values_of(cells: ResponseCells) -> NDArray[Any]:
    if isinstance(cells, BitCells):
        return cells.distinct_values()
    values = cells.observed_values()
    return np.unique(values) if values.dtype == np.int8 else values


def _margins_of(cells: ResponseCells) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    by_item, by_respondent = (np.stack([cells.counts(a), *cells.totals(a)]) for a in (0, 1))
    return by_item, by_respondent


def persisted(cells: ResponseCells, client: Any) -> StreamedCells:
    """The same blocks, kept by the workers of a client."""
    if not isinstance(cells, StreamedCells):
        raise ResponsesError(
            "Workers keep responses that lie in blocks on disk;",
            f"these, {cells.shape[0]:,} × {cells.shape[1]:,}, are in memory.",
            "Write them with `responses.write_blocks(folder)` and use `Responses.scan(folder)`.",
        )
    if not (hasattr(client, "submit") and hasattr(client, "scatter")):
        raise ResponsesError(
            "Blocks are kept by the workers of a Dask client;",
            f"given is a {type(client).__name__}.",
            "Give a `distributed.Client`.",
        )
    return replace(cells, client=client)
