"""Responses: who answered what, and how."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.ids import find_positions
from itemcurve.responses.input.array_input import parts_from_array
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import Layout
from itemcurve.responses.layouts.cells import ResponseCells, Transform
from itemcurve.responses.layouts.compaction import integer_extremes
from itemcurve.responses.layouts.dense_cells import DenseCells
from itemcurve.responses.layouts.long_cells import LongCells
from itemcurve.responses.layouts.placed_cells import PlacedCells

if TYPE_CHECKING:
    import pandas
    from scipy.sparse import csr_array, sparray, spmatrix


@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """Observed responses, rows respondents and columns items; cells may be missing or repeated.

    Build one with `from_array`, `from_frame` or `read`. Small integers are kept in one byte each,
    sparse and repeated measurements as one entry per observation.

    Examples
    --------
    >>> from itemcurve.responses.matrix import Responses
    >>> Responses.from_array([[1, 0], [1, float("nan")]], items=["easy", "hard"])
    Responses(2 respondents × 2 items, 3 of 4 cells observed, values 0 to 1, dense int8)
    """

    respondents: tuple[str, ...]
    items: tuple[str, ...]
    cells: ResponseCells

    @classmethod
    def from_array(
        cls,
        Y: "ArrayLike | sparray | spmatrix",
        respondents: Iterable[object] | None = None,
        items: Iterable[object] | None = None,
        weights: ArrayLike | None = None,
    ) -> "Responses":
        """Take responses from an array, nested lists or a SciPy sparse matrix.

        Parameters
        ----------
        Y
            Respondents × items; NaN marks what was not observed. Of a sparse matrix the stored
            entries are the observations, explicit zeros included; an entry stored twice is a
            repeated measurement.
        respondents, items
            Ids in order; numbered when left out.
        weights
            One per cell, 0 for not observed; 1 each when left out.
        """
        return cls(*parts_from_array(Y, respondents, items, weights))

    @classmethod
    def from_frame(cls, frame: object, layout: Layout = "auto") -> "Responses":
        """Take responses from a pandas, polars or Arrow table.

        Parameters
        ----------
        frame
            Long: columns `respondent`, `item`, `response` and optionally `weight`, one row per
            observation. Wide: one row per respondent and one column per item; ids come from the
            column `respondent`, an unnamed first column, a pandas index of text or a first column
            that is not numeric, and are numbered otherwise.
        layout
            `"long"`, `"wide"`, or `"auto"` to go by the column names.
        """
        from itemcurve.responses.input.frame_input import parts_from_frame

        return cls(*parts_from_frame(frame, layout))

    @classmethod
    def read(cls, path: str | PathLike[str], layout: Layout = "auto") -> "Responses":
        """Read responses from a file: .npz, .csv, .tsv, .jsonl (also with .gz) or .parquet.

        Parameters
        ----------
        path
            The file, or the folder of a run, whose responses are taken. Tables follow the same
            rules as for `from_frame`; in text files empty cells and NA are missing, and true and
            false are 1 and 0.
        layout
            As for `from_frame`.
        """
        from itemcurve.responses.formats.readers import read_parts

        return cls(*read_parts(path, layout))

    @classmethod
    def scan(cls, path: str | PathLike[str], layout: Layout = "auto") -> "Responses":
        """Find responses larger than memory, which `fit` then reads block by block.

        Parameters
        ----------
        path
            A folder that `write_blocks` wrote, which is read fastest; or a folder of other files
            that `read` knows, or a pattern such as `"responses/*.parquet"`: each file then holds
            all responses of some respondents.
        layout
            As for `from_frame`.
        """
        from itemcurve.responses.blocks.scanning import scan_parts

        return cls(*scan_parts(path, layout))

    def write_blocks(self, folder: str | PathLike[str]) -> None:
        """Write the responses as blocks of respondents, one bit each where they are 0 and 1.

        Parameters
        ----------
        folder
            New or empty. `Responses.scan` finds what is written there.
        """
        from itemcurve.responses.blocks.scanning import write_parts_in_blocks

        write_parts_in_blocks(self._parts(), folder)

    def persist(self, client: object) -> "Responses":
        """Let the workers of a Dask cluster keep these blocks, and take the steps of fits on them.

        Parameters
        ----------
        client
            A `distributed.Client`. Its workers read the blocks themselves, so the files must be
            where they can.
        """
        from itemcurve.responses.blocks.streamed_cells import persisted

        return Responses(self.respondents, self.items, persisted(self.cells, client))

    @property
    def is_streamed(self) -> bool:
        """Whether the responses lie in blocks on disk and are never all in memory."""
        return hasattr(self.cells, "source")

    def blocks(self) -> "Iterator[Responses]":
        """The responses block by block where they lie in blocks, else all of them at once."""
        source = getattr(self.cells, "source", None)
        if source is None:
            yield self
            return
        first = 0
        for block, rows in enumerate(source.rows):
            own = self.respondents[first : first + rows]
            yield Responses(own, self.items, source.load(block))
            first += rows

    def values_by_block(self) -> Iterator[NDArray[Any]]:
        """Arrays that together hold every value that occurs, for checks."""
        if self.is_streamed:
            cells: Any = self.cells
            yield from cells.distinct_values()
        else:
            yield self.observed_values()

    @classmethod
    def unpack(cls, arrays: Mapping[str, NDArray[Any]]) -> "Responses":
        """Turn the arrays that `pack` gave back into responses."""
        from itemcurve.responses.formats.npz_layout import unpack_parts

        return cls(*unpack_parts(arrays, "arrays"))

    def pack(self) -> dict[str, NDArray[Any]]:
        """Give the responses as named plain arrays, as a run folder stores them."""
        from itemcurve.responses.formats.npz_layout import pack_parts

        return pack_parts(self._parts())

    def save(self, path: str | PathLike[str]) -> None:
        """Write the responses atomically to .npz, .csv, .tsv, .jsonl or .parquet.

        Only .npz keeps everything exactly; a long table may change the order of ids.
        """
        from itemcurve.responses.formats.writers import write_parts

        write_parts(self._parts(), path)

    def frame(self, layout: Literal["long", "wide"] = "long") -> "pandas.DataFrame":
        """Give a pandas table: one row per observation (long) or per respondent (wide)."""
        from itemcurve.responses.frame_output import frame_of

        return frame_of(self._parts(), layout)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of respondents and items."""
        return self.cells.shape

    @property
    def is_sparse(self) -> bool:
        """Whether `accumulate` and `weight` give sparse matrices."""
        return isinstance(self.cells, LongCells)

    @property
    def n_observed(self) -> int:
        """Number of observed cells; a repeated cell counts once."""
        return int(self.counts(axis=1).sum())

    def accumulate(self, transform: Transform) -> "NDArray[Any] | csr_array":
        """Sum weight · transform(value) over the observations of each cell, 0 where there is none.

        Parameters
        ----------
        transform
            Takes an array of observed values and gives one of the same shape. The values are int8
            where all are small integers: mind that `np.log` of int8 is 16-bit.

        Returns
        -------
        Respondents × items. With every cell observed exactly once this is `transform(values)`
        itself, not a copy.
        """
        return self.cells.accumulate(transform)

    def weight(self) -> "NDArray[Any] | csr_array | None":
        """Give the total weight of each cell, respondents × items; None when each is exactly 1."""
        return self.cells.weight()

    def observed_values(self) -> NDArray[Any]:
        """List the values of all observations in one dimension."""
        return self.cells.observed_values()

    def placed(self, place: Callable[[NDArray[Any]], Any]) -> "Responses":
        """Responses of one byte each where `place` puts them; others as they are."""
        if not isinstance(self.cells, DenseCells) or self.cells.weights is not None:
            return self
        if self.cells.values.dtype != np.int8:
            return self
        moved = PlacedCells(place(self.cells.values))
        return Responses(self.respondents, self.items, moved)

    def integer_range(self) -> tuple[int, int] | None:
        """Bounds between which all values are integers; None where some are not."""
        return self._between

    @cached_property
    def _between(self) -> tuple[int, int] | None:
        values = getattr(self.cells, "values", None)
        if hasattr(values, "bits"):
            return 0, 1
        if values is None or values.dtype.kind not in "iub" or not values.size:
            return None
        return integer_extremes(values)

    def counts(self, axis: int) -> NDArray[np.int64]:
        """Count the observed cells per respondent (`axis=1`) or per item (`axis=0`)."""
        return self.cells.counts(_check_axis(axis))

    def means(self, axis: int) -> NDArray[np.float64]:
        """Give the weighted mean response per respondent (`axis=1`) or per item (`axis=0`).

        NaN marks those with no response at all; `drop_empty` removes them.
        """
        sums, weights = self.cells.totals(_check_axis(axis))
        means = np.full(sums.shape, np.nan)
        np.divide(sums, weights, out=means, where=weights > 0)
        return means

    def array(self) -> NDArray[np.float64]:
        """Give respondents × items, the weighted mean of repeats, NaN where not observed."""
        return self.cells.array()

    def select(
        self,
        respondents: Iterable[object] | None = None,
        items: Iterable[object] | None = None,
    ) -> "Responses":
        """Keep these respondents and items, by id and in this order; None keeps all."""
        rows = find_positions(respondents, self.respondents, "respondent")
        columns = find_positions(items, self.items, "item")
        return self.take(rows, columns)

    def drop_empty(self) -> "Responses":
        """Remove respondents and items with no response at all."""
        rows = np.flatnonzero(self.counts(axis=1)).tolist()
        columns = np.flatnonzero(self.counts(axis=0)).tolist()
        if not rows:
            raise ResponsesError(
                "At least one cell must be observed;",
                f"all {self.shape[0]} × {self.shape[1]} are missing.",
                "Check the file or the table the responses came from.",
            )
        return self.take(rows, columns)

    def split(self, share: float, seed: int) -> "tuple[Responses, Responses]":
        """Part the observed cells at random into (kept, held out).

        Parameters
        ----------
        share
            The share of cells held out, strictly between 0 and 1. Repeats of a cell stay together.
        seed
            The same seed gives the same parts.
        """
        if not 0 < share < 1 or self.n_observed < 2:
            raise ResponsesError(
                "A share strictly between 0 and 1, of at least 2 observed cells, can be held out;",
                f"given are share {share} and {self.n_observed} observed cells.",
                "Use for example `responses.split(0.2, seed=1)`.",
            )
        kept, held = self.cells.part(np.random.default_rng(seed), share)
        return (
            Responses(self.respondents, self.items, kept),
            Responses(self.respondents, self.items, held),
        )

    def __repr__(self) -> str:
        if self.is_streamed:
            n_blocks = len(getattr(self.cells, "source").rows)  # noqa: B009 - of streamed cells
            return (
                f"Responses({self.shape[0]} respondents × {self.shape[1]} items, "
                f"in {n_blocks} blocks on disk)"
            )
        values = self.observed_values()
        total = self.shape[0] * self.shape[1]
        spread = f"values {values.min():g} to {values.max():g}, " if values.size else ""
        return (
            f"Responses({self.shape[0]} respondents × {self.shape[1]} items, "
            f"{self.n_observed} of {total} cells observed, {spread}"
            f"{'long' if self.is_sparse else 'dense'} {values.dtype})"
        )

    def _parts(self) -> Parts:
        cells = self.cells.on_host if isinstance(self.cells, PlacedCells) else self.cells
        return Parts(self.respondents, self.items, cells)

    def take(self, rows: list[int] | None = None, columns: list[int] | None = None) -> "Responses":
        """Keep rows and columns by position, in this order; None keeps all."""
        return Responses(
            self.respondents if rows is None else tuple(self.respondents[row] for row in rows),
            self.items if columns is None else tuple(self.items[column] for column in columns),
            self.cells.take(rows, columns),
        )


def _check_axis(axis: int) -> int:
    """Accept 0 (per item) and 1 (per respondent)."""
    if axis not in (0, 1):
        raise ResponsesError(
            "The axis must be 0 (per item) or 1 (per respondent);", f"given is {axis!r}.", "Use 1."
        )
    return axis
