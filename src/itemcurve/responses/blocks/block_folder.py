"""A folder of blocks of respondents: a small JSON header, then one plain file for each block.

Bits for right and wrong (a second plane of bits says what was observed, where cells are missing),
a byte for other small integers (-1 where missing), npz for everything else. Nothing in a header
names a file or is run: sizes are checked against it before anything is read.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.numerics.products.packed_bits import PackedBlock
from itemcurve.responses.formats.npz_layout import pack_parts, unpack_parts
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.layouts.bit_cells import BitCells, bit_cells
from itemcurve.responses.layouts.cells import ResponseCells
from itemcurve.responses.layouts.dense_cells import DenseCells, dense_cells
from itemcurve.storage.atomic_files import atomic_file, write_bytes
from itemcurve.storage.safe_npz import read_npz, write_npz

FORMAT = "itemcurve-blocks-1"
HEADER, IDS = "responses.json", "ids.npz"
_LARGEST_HEADER = 2**26
Kind = Literal["bits", "bytes", "npz"]


@dataclass(frozen=True)
class BlockFolder:
    """Blocks in a folder of this library's own.

    Attributes
    ----------
    has_gaps : whether bits are followed by those of what was observed.
    """

    path: Path
    kind: Kind
    n_items: int
    rows: tuple[int, ...]
    has_gaps: bool

    def load(self, block: int) -> ResponseCells:
        """Read one block into memory."""
        file, rows = block_file(self.path, block, self.kind), self.rows[block]
        if self.kind == "npz":
            cells = unpack_parts(read_npz(file), str(file)).cells
            if cells.shape != (rows, self.n_items):
                raise _damaged(self.path, f"{file.name} has another shape than the header says")
            return cells
        width = -(-self.n_items // 8) if self.kind == "bits" else self.n_items
        planes = 2 if self.kind == "bits" and self.has_gaps else 1
        content = _whole_file(file, planes * rows * width, self.path)
        if self.kind == "bytes":
            values = content.view(np.int8).reshape(rows, width)
            return dense_cells(values, values >= 0 if self.has_gaps else None)
        found = [self._plane(part) for part in content.reshape(planes, rows, width)]
        return BitCells(found[0], found[1] if self.has_gaps else None)

    def _plane(self, bits: NDArray[np.uint8]) -> PackedBlock:
        spare = 8 * bits.shape[1] - self.n_items
        if spare and (bits[:, -1] & ((1 << spare) - 1)).any():
            raise _damaged(self.path, "there are bits beyond the last item")
        return PackedBlock(bits, np.zeros((bits.shape[0], self.n_items, 0)))


def block_file(folder: Path, block: int, kind: Kind) -> Path:
    """The file of a block: its name goes by its number, whatever a header says."""
    return folder / f"block_{block:06d}.{'npz' if kind == 'npz' else 'bin'}"


def _whole_file(file: Path, size: int, folder: Path) -> NDArray[np.uint8]:
    try:
        if file.stat().st_size != size:
            raise _damaged(folder, f"{file.name} has not the {size} bytes that the header says")
        return np.fromfile(file, dtype=np.uint8)
    except OSError as error:
        raise _damaged(folder, f"{file.name} cannot be read ({error})") from None


def read_folder(path: Path) -> BlockFolder:
    """Read the header of a folder, and trust none of it."""
    file = path / HEADER
    try:
        if file.stat().st_size > _LARGEST_HEADER:
            raise _damaged(path, "its header is too large")
        header = json.loads(file.read_text("utf-8"))
        rows = tuple(header["rows"])
        n_items, kind, has_gaps = header["n_items"], header["kind"], header["has_gaps"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, ResponsesError):
            raise
        raise _damaged(path, f"its header cannot be read ({error})") from None
    counts = (*rows, n_items)
    is_sound = all(type(count) is int and 0 < count < 2**40 for count in counts) and rows
    if not is_sound or header.get("format") != FORMAT or kind not in ("bits", "bytes", "npz"):
        raise _damaged(path, "its header says something else")
    return BlockFolder(path, kind, n_items, rows, bool(has_gaps))


def write_folder(
    path: Path, kind: Kind, n_items: int, has_gaps: bool, blocks: Iterator[ResponseCells]
) -> BlockFolder:
    """Write blocks one by one into an empty folder, and the header last."""
    rows = []
    for number, cells in enumerate(blocks):
        file = block_file(path, number, kind)
        rows.append(cells.shape[0])
        if kind == "npz":
            write_npz(file, pack_parts(Parts(*_numbers(cells.shape), cells)))
        else:
            with atomic_file(file) as stream:
                for plane in _planes(cells, kind, has_gaps):
                    stream.write(np.ascontiguousarray(plane).data)
    found = BlockFolder(path, kind, n_items, tuple(rows), has_gaps)
    header = {"format": FORMAT} | {k: v for k, v in asdict(found).items() if k != "path"}
    write_bytes(path / HEADER, json.dumps(header).encode())
    return found


def _numbers(shape: tuple[int, int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids of a block, which the folder keeps apart."""
    return tuple(map(str, range(shape[0]))), tuple(map(str, range(shape[1])))


def _planes(cells: ResponseCells, kind: Kind, has_gaps: bool) -> list[NDArray[Any]]:
    if kind == "bits":
        own = cells if isinstance(cells, BitCells) else _bits(cells)
        observed = own.observed
        if has_gaps and observed is None:
            observed = bit_cells(np.ones(own.shape), None).values
        return [own.values.bits, *([observed.bits] if has_gaps and observed is not None else [])]
    full = cells.array()
    return [np.where(np.isnan(full), -1, full).astype(np.int8)]


def _bits(cells: ResponseCells) -> BitCells:
    if isinstance(cells, DenseCells):
        return bit_cells(cells.values, None if cells.weights is None else cells.observed)
    full = cells.array()
    return bit_cells(np.nan_to_num(full), ~np.isnan(full))


def _damaged(folder: Path, reason: str) -> ResponsesError:
    return ResponsesError(
        f"A folder of blocks must follow the layout {FORMAT};",
        f"{str(folder)!r} does not: {reason}.",
        "Write it again with `responses.write_blocks`.",
    )
