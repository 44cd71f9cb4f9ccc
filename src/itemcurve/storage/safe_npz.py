"""npz files, written without pickle and safe to read from strangers."""

import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from itemcurve.errors import StorageError
from itemcurve.storage.atomic_files import atomic_file
from itemcurve.storage.npy_header import ALLOWED_KINDS, ArrayHeader, read_header

LARGEST_TOTAL = 8 * 2**30
MOST_MEMBERS = 10_000
# Deflate cannot shrink by more than 1032 to 1; a member that claims more is lying.
_BEST_RATIO = 1032
_CHUNK = 2**24
_MAX_CODE_POINT = 0x10FFFF
# A fixed date makes equal arrays give equal bytes, so that checksums of runs can be compared.
_DATE = (1980, 1, 1, 0, 0, 0)
_READ_FAILURES = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    MemoryError,
    LookupError,
)


def write_npz(path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays to an npz file, atomically and without pickle; equal arrays give equal bytes.

    Parameters
    ----------
    path
        The file to create or replace.
    arrays
        Numbers or text, by name.
    """
    plain = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in plain.items():
        if array.dtype.kind not in ALLOWED_KINDS or not _is_plain(name):
            raise StorageError(
                "Arrays to store must hold numbers or text, under a plain name;",
                f"{name!r} holds values of type {array.dtype}.",
                "Convert it, for example with `.astype(float)` or `.astype(str)`.",
            )
    with (
        atomic_file(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive,
    ):
        for name, array in plain.items():
            member = zipfile.ZipInfo(f"{name}.npy", _DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as stream:
                npy_format.write_array(stream, array, allow_pickle=False)


def read_npz(
    source: str | os.PathLike[str] | IO[bytes],
    *,
    limit: int = LARGEST_TOTAL,
    name: str | None = None,
) -> dict[str, NDArray[Any]]:
    """Read all arrays of an npz file, refusing anything that is not plain and sound.

    Sizes are checked against the file itself before memory is set aside, so a small file cannot
    ask for a large array.

    Parameters
    ----------
    source
        A path, or an open file.
    limit
        Most bytes that all arrays together may take.
    name
        How to name the file in an error; its path when left out.
    """
    shown = name or (str(source) if isinstance(source, (str, os.PathLike)) else "the npz file")
    try:
        with zipfile.ZipFile(source) as archive:
            members = _check_members(archive, shown, limit)
            return {key: _read_member(archive, members[key], shown) for key in members}
    except StorageError:
        raise
    except FileNotFoundError:
        raise StorageError(
            "The file to read must exist;", f"there is no {shown!r}.", "Check the path."
        ) from None
    except _READ_FAILURES as error:
        raise _refusal(shown, f"it cannot be read ({error or type(error).__name__})") from None


def _check_members(archive: zipfile.ZipFile, shown: str, limit: int) -> dict[str, zipfile.ZipInfo]:
    """Check names, sizes and compression of all members, before any is opened."""
    infos = archive.infolist()
    members: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        key = info.filename.removesuffix(".npy")
        if not info.filename.endswith(".npy") or not _is_plain(key) or key in members:
            raise _refusal(shown, f"it holds a member named {info.filename!r}")
        if info.comment:
            # No writer of arrays has any: a flipped length makes one of the members that follow.
            raise _refusal(shown, f"its member {info.filename!r} has a comment")
        if info.flag_bits & 0x1:
            raise _refusal(shown, f"its member {info.filename!r} is encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _refusal(shown, f"its member {info.filename!r} is compressed in an unusual way")
        if info.file_size > _BEST_RATIO * info.compress_size + 64:
            raise _refusal(shown, f"its member {info.filename!r} claims an impossible size")
        members[key] = info
    total = sum(info.file_size for info in infos)
    if total > limit or len(infos) > MOST_MEMBERS:
        raise _refusal(shown, f"its {len(infos)} arrays take {total} bytes, over {limit}")
    return members


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, shown: str) -> NDArray[Any]:
    """Read one array whose header agrees with the size of its member."""
    what = f"{info.filename!r} in {shown!r}"
    with archive.open(info) as stream:
        header = read_header(stream, what)
        if header.header_bytes + header.data_bytes != info.file_size:
            raise _refusal(shown, f"the header of {info.filename!r} disagrees with its size")
        array = _read_data(stream, header)
        # Reading past the end makes zipfile compare the checksum of the whole member.
        if array is None or stream.read(1):
            raise _refusal(shown, f"the data of {info.filename!r} end early or late")
    if not _is_sound(array):
        raise _refusal(shown, f"{info.filename!r} holds bytes that are no {array.dtype}")
    shape = header.shape
    return array.reshape(shape[::-1]).T if header.is_column_major else array.reshape(shape)


def _read_data(stream: IO[bytes], header: ArrayHeader) -> NDArray[Any] | None:
    """Fill an array in chunks; None when the stream ends early."""
    array = np.empty(header.count, dtype=header.dtype)
    # Viewed as single bytes, an array of any type can be filled in pieces.
    view = array.view(np.uint8)
    filled = 0
    while filled < header.data_bytes:
        chunk = stream.read(min(_CHUNK, header.data_bytes - filled))
        if not chunk:
            return None
        view[filled : filled + len(chunk)] = np.frombuffer(chunk, dtype=np.uint8)
        filled += len(chunk)
    return array


def _is_sound(array: NDArray[Any]) -> bool:
    """Say whether booleans are 0 or 1 and text is Unicode: NumPy itself never checks."""
    if array.dtype.kind == "b" and array.size:
        return bool(array.view(np.uint8).max() <= 1)
    if array.dtype.kind == "U" and array.size:
        codes = array.view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
        return bool(codes.max() <= _MAX_CODE_POINT)
    return True


def _is_plain(name: str) -> bool:
    """Say whether a member name stays inside the file: no folders, no parents."""
    return bool(name) and not set(name) & set("/\\:\0") and not name.startswith(".")


def _refusal(shown: str, reason: str) -> StorageError:
    return StorageError(
        "An npz file must hold plain, undamaged arrays within the size limit;",
        f"{shown!r} is refused: {reason}.",
        "Write or download it again; for larger files raise `limit`.",
    )
