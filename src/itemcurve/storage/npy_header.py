"""The header of an array inside an npz file, checked before any memory is set aside."""

import math
import re
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from itemcurve.errors import StorageError

# Boolean, integer, real, complex, text: everything this library stores. Objects would need
# pickle, which runs the code of whoever wrote the file.
ALLOWED_KINDS = "biufcSU"
LONGEST_HEADER = 65536
MOST_DIMENSIONS = 32
MOST_DIGITS = 12
_LENGTH_BYTES = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}
# The header is a Python dictionary in text form. Matching the three entries it may have, in any
# order, does without the evaluation of foreign text that numpy.load performs.
_ENTRY = r"'(descr|fortran_order|shape)'\s*:\s*('[^']*'|True|False|\([\d,\s]*\))\s*,?\s*"
_HEADER = re.compile(rf"\{{\s*(?:{_ENTRY}){{3}}\}}\s*")
_TYPE = re.compile(rf"'[<>|=]?[{ALLOWED_KINDS}][1-9]\d{{0,8}}'")


@dataclass(frozen=True)
class ArrayHeader:
    """What the header promises, and how many bytes header and data take."""

    shape: tuple[int, ...]
    is_column_major: bool
    dtype: np.dtype[Any]
    header_bytes: int

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def data_bytes(self) -> int:
        """Number of bytes that must follow the header."""
        return self.count * self.dtype.itemsize


def read_header(stream: IO[bytes], what: str) -> ArrayHeader:
    """Read and check the header at the start of a stream.

    The format is that of `numpy.lib.format`, versions 1.0 and 2.0.

    Parameters
    ----------
    stream
        At the first byte of the array; left at the first byte of its data.
    what
        How to name the array in an error.
    """
    magic = stream.read(8)
    if magic not in _LENGTH_BYTES:
        raise _refusal(what, "it does not start as a NumPy array")
    length = stream.read(_LENGTH_BYTES[magic])
    size = int.from_bytes(length, "little")
    if size > LONGEST_HEADER:
        raise _refusal(what, f"its header claims {size} bytes")
    text = stream.read(size).decode("latin1")
    entries = dict(re.findall(_ENTRY, text)) if _HEADER.fullmatch(text) else {}
    if set(entries) != {"descr", "fortran_order", "shape"} or "(" not in entries["shape"]:
        raise _refusal(what, "its header cannot be read, or describes a compound type")
    lengths = re.findall(r"\d+", entries["shape"])
    # Each length alone is limited too: times 0, a huge one would pass for an empty array.
    if len(lengths) > MOST_DIMENSIONS or max(map(len, lengths), default=0) > MOST_DIGITS:
        raise _refusal(what, f"its shape is {entries['shape'][:80]}")
    header_bytes = len(magic) + len(length) + size
    dtype = _read_type(entries["descr"], what)
    return ArrayHeader(
        tuple(map(int, lengths)), entries["fortran_order"] == "True", dtype, header_bytes
    )


def _read_type(description: str, what: str) -> np.dtype[Any]:
    """Give the type of plain numbers or text; anything else is refused."""
    try:
        if _TYPE.fullmatch(description):
            return np.dtype(description.strip("'"))
    except (TypeError, ValueError):
        pass
    raise _refusal(what, f"it holds values of type {description}")


def _refusal(what: str, reason: str) -> StorageError:
    return StorageError(
        "Arrays in a file must be plain numbers or text with a sound header;",
        f"{what} is refused: {reason}.",
        "Write it again with `numpy.savez`, without objects, or ask its author for a sound copy.",
    )
