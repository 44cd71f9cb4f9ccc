"""Responses from a folder of blocks or from many files, and back into a folder of blocks."""

import glob
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.responses.blocks.block_folder import (
    HEADER,
    IDS,
    BlockFolder,
    Kind,
    read_folder,
    write_folder,
)
from itemcurve.responses.blocks.file_blocks import scan_files
from itemcurve.responses.blocks.streamed_cells import StreamedCells
from itemcurve.responses.formats.npz_layout import pack_ids, unpack_ids
from itemcurve.responses.ids import check_ids, number_ids
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import Layout
from itemcurve.responses.layouts.bit_cells import BitCells
from itemcurve.responses.layouts.cells import ResponseCells
from itemcurve.responses.layouts.dense_cells import DenseCells
from itemcurve.storage.folder_swap import new_folder
from itemcurve.storage.safe_npz import read_npz, write_npz

# Of one block, on disk: large enough to be read at full speed, small beside memory.
_BLOCK_BYTES = 2**24
_BITS_PER_CELL = {"bits": 1, "bytes": 8, "npz": 64}


def scan_parts(path: str | os.PathLike[str], layout: Layout) -> Parts:
    """Find blocks: a folder of them, a folder of other files, or a pattern."""
    folder = Path(path)
    if (folder / HEADER).is_file():
        return _parts_of(read_folder(folder))
    if folder.is_dir():
        files = sorted(file for file in folder.iterdir() if file.is_file() and file.name[0] != ".")
    else:
        files = sorted(map(Path, glob.glob(str(path))))  # noqa: PTH207 - patterns may be absolute
    if not files:
        raise ResponsesError(
            "There must be files of responses to scan;",
            f"none is at {str(path)!r} (seen from {str(Path.cwd())!r}).",
            "Give a folder, or a pattern such as 'responses/*.parquet'.",
        )
    source, respondents, items = scan_files(files, layout)
    return Parts(respondents, items, StreamedCells(source))


def _parts_of(folder: BlockFolder) -> Parts:
    cells = StreamedCells(folder)
    if not (folder.path / IDS).is_file():
        n_respondents, n_items = cells.shape
        return Parts(number_ids("respondent", n_respondents), number_ids("item", n_items), cells)
    arrays = read_npz(folder.path / IDS)
    try:
        found = [unpack_ids(arrays[name]) for name in ("respondents", "items")]
    except (KeyError, ValueError, RecursionError) as error:
        raise ResponsesError(
            "Ids of a folder of blocks must be two lists of text;",
            f"those of {str(folder.path)!r} are not ({error}).",
            "Write it again with `responses.write_blocks`.",
        ) from None
    respondents = check_ids(found[0], cells.shape[0], "respondent")
    return Parts(respondents, check_ids(found[1], cells.shape[1], "item"), cells)


def write_parts_in_blocks(parts: Parts, path: str | os.PathLike[str]) -> None:
    """Write responses, wherever they lie, as a folder of blocks: the whole folder or none."""
    target, cells = Path(path), parts.cells
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ResponsesError(
            "Blocks are written into a new or empty folder;",
            f"{str(path)!r} is not.",
            "Choose another folder, or remove this one.",
        )
    kind, has_gaps = _kind_of(cells)
    rows = max(1, 8 * _BLOCK_BYTES // (_BITS_PER_CELL[kind] * cells.shape[1]))
    own = number_ids("respondent", cells.shape[0]), number_ids("item", cells.shape[1])
    with new_folder(target) as folder:
        write_folder(folder, kind, cells.shape[1], has_gaps, _pieces(cells, rows))
        if (parts.respondents, parts.items) != own:
            ids = {"respondents": pack_ids(parts.respondents), "items": pack_ids(parts.items)}
            write_npz(folder / IDS, ids)


def _pieces(cells: ResponseCells, rows: int) -> Iterator[ResponseCells]:
    """The responses in blocks of so many respondents."""
    if isinstance(cells, StreamedCells):
        for block in range(len(cells.source.rows)):
            yield from _pieces(cells.source.load(block), rows)
        return
    for first in range(0, cells.shape[0], rows):
        last = min(first + rows, cells.shape[0])
        yield cells.take(range(first, last), range(cells.shape[1]))


def _kind_of(cells: ResponseCells) -> tuple[Kind, bool]:
    """The smallest form that keeps every response, and whether some are missing."""
    if not isinstance(cells, StreamedCells):
        return _kind_of_block(cells)
    found = list(cells.map_blocks(_kind_of_block))
    order: tuple[Kind, ...] = ("bits", "bytes", "npz")
    return max((kind for kind, _ in found), key=order.index), any(gaps for _, gaps in found)


def _kind_of_block(cells: ResponseCells) -> tuple[Kind, bool]:
    if isinstance(cells, BitCells):
        return "bits", cells.observed is not None
    if not isinstance(cells, DenseCells) or cells.values.dtype != np.int8:
        return "npz", False
    has_gaps = cells.weights is not None
    if has_gaps and cells.weights is not None and cells.weights.dtype != np.bool_:
        return "npz", False
    return ("bits" if cells.values.max(initial=0) <= 1 else "bytes"), has_gaps
