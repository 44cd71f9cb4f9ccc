"""JSON documents: readable, sorted, without NaN, and safe to read from strangers."""

import json
import math
import sys
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NoReturn

from itemcurve.errors import StorageError

LARGEST_DOCUMENT = 256 * 2**20
_CHECKSUM = "checksum"


def pack_json(document: Mapping[str, Any], name: str) -> bytes:
    """Give the bytes of a document: UTF-8, keys sorted, null for NaN and infinities.

    Parameters
    ----------
    document
        Text keys; values None, booleans, numbers, text, lists, mappings or NumPy arrays of these.
    name
        How to name the document in an error.
    """
    return _encode(document, name, 2) + b"\n"


def pack_line(document: Mapping[str, Any], name: str) -> bytes:
    """Give the bytes of a document as `pack_json` does, in one line without its end."""
    return _encode(document, name, None)


def unpack_json(content: bytes, name: str) -> dict[str, Any]:
    """Read a document, or say why it is not one.

    Parameters
    ----------
    content
        The bytes of the file.
    name
        How to name the document in an error.
    """
    try:
        document = json.loads(content.decode(), parse_constant=_refuse_constant)
    except RecursionError:
        raise _damaged(name, "it is nested too deeply") from None
    except (ValueError, MemoryError) as error:
        raise _damaged(name, f"it is not valid JSON ({error})") from None
    if not isinstance(document, dict):
        raise _damaged(name, f"it holds a {type(document).__name__}, not an object")
    return document


def pack_signed(document: Mapping[str, Any], name: str) -> bytes:
    """Give the bytes of a document and of its checksum, which tells damage."""
    return pack_json({**document, _CHECKSUM: _checksum(document, name)}, name)


def unpack_signed(content: bytes, name: str) -> tuple[dict[str, Any], bool]:
    """Read what `pack_signed` wrote; give it without its checksum, and whether that agrees."""
    document = unpack_json(content, name)
    written = document.pop(_CHECKSUM, None)
    return document, written == _checksum(document, name)


def _checksum(document: Mapping[str, Any], name: str) -> str:
    return sha256(pack_json(document, name)).hexdigest()


def _encode(document: Mapping[str, Any], name: str, indent: int | None) -> bytes:
    try:
        plain = _plain(document, name)
        text = json.dumps(plain, ensure_ascii=False, sort_keys=True, indent=indent, allow_nan=False)
    except (RecursionError, ValueError) as error:
        if isinstance(error, StorageError):
            raise
        raise _unsuitable(name, f"it is nested too deeply or in a circle ({error})") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair has no UTF-8 form, but JSON can escape it.
        return json.dumps(plain, sort_keys=True, indent=indent, allow_nan=False).encode()


def _plain(value: object, name: str) -> object:
    """Turn a value into what JSON knows."""
    # Whoever has an array has imported NumPy; others need not wait for it.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [_plain(element, name) for element in value]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise _unsuitable(name, f"its key {key!r} is not text")
        return {key: _plain(element, name) for key, element in value.items()}
    raise _unsuitable(name, f"it holds a {type(value).__name__}")


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not allowed")


def _unsuitable(name: str, reason: str) -> StorageError:
    return StorageError(
        "A document must be made of text keys, numbers, text, lists and mappings;",
        f"{name!r} cannot be written: {reason}.",
        "Convert it to plain values first; arrays belong into `arrays`.",
    )


def _damaged(name: str, reason: str) -> StorageError:
    return StorageError(
        "A document must be a JSON object in UTF-8;",
        f"{name!r} is refused: {reason}.",
        "Restore it from a copy, or run the step that wrote it again.",
    )
