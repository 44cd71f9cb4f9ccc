"""Files of responses as blocks: each holds some of the respondents, and is read when needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.numerics.products.threads import map_in_threads
from itemcurve.responses.formats.readers import read_parts
from itemcurve.responses.ids import refuse_repeated_ids
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import Layout
from itemcurve.responses.layouts.cell_layout import arrange_cells
from itemcurve.responses.layouts.cells import ResponseCells


@dataclass(frozen=True, eq=False)
class FileBlocks:
    """One block per file.

    Attributes
    ----------
    places : of each file's items among all of them; None where a file has all, in order.
    """

    files: tuple[Path, ...]
    layout: Layout
    rows: tuple[int, ...]
    n_items: int
    places: tuple[tuple[int, ...] | None, ...]

    def load(self, block: int) -> ResponseCells:
        """Read one file into memory."""
        cells = read_parts(self.files[block], self.layout).cells
        places, rows = self.places[block], self.rows[block]
        if cells.shape != (rows, self.n_items if places is None else len(places)):
            raise ResponsesError(
                "Files must stay as they are while they are used;",
                f"{str(self.files[block])!r} has changed since it was scanned.",
                "Scan the files again.",
            )
        if places is None:
            return cells
        own = cells.entries()
        columns = np.array(places)[own.columns]
        return arrange_cells(own.rows, columns, own.values, own.weights, (rows, self.n_items))


def scan_files(
    files: Sequence[Path], layout: Layout
) -> tuple[FileBlocks, tuple[str, ...], tuple[str, ...]]:
    """Read every file once, for its ids: blocks, respondents, items."""

    def ids(file: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
        parts: Parts = read_parts(file, layout)
        return parts.respondents, parts.items

    found = list(map_in_threads(ids, files))
    respondents = tuple(name for own, _ in found for name in own)
    refuse_repeated_ids(
        respondents, "respondent", "All responses of a respondent must be in one file."
    )
    items = tuple(dict.fromkeys(name for _, own in found for name in own))
    position = {name: place for place, name in enumerate(items)}
    places = tuple(
        None if own == items else tuple(position[name] for name in own) for _, own in found
    )
    rows = tuple(len(own) for own, _ in found)
    return FileBlocks(tuple(files), layout, rows, len(items), places), respondents, items
