"""JSON lines, each sealed by a checksum over itself and the seal before: damage anywhere shows.

A file of such lines grows at its end. What a crash cuts off there was never acknowledged and is
told apart from damage: a line that lost its end, or of which blocks never reached the disk.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from itemcurve.storage.json_documents import pack_line, unpack_json

# Before the first line.
NO_SEAL = ""
_SEAL = re.compile(rb', "checksum": "([0-9a-f]{64})"\}\Z')


@dataclass(frozen=True)
class SealedLines:
    """What a file of sealed lines holds.

    Attributes
    ----------
    documents : one per whole line.
    seal : of the last of them, which the next line continues.
    size : bytes of all whole lines.
    cut_off : bytes after them, of a line that was never finished.
    """

    documents: tuple[dict[str, Any], ...]
    seal: str
    size: int
    cut_off: int


class BrokenLineError(ValueError):
    """A line is not as it was written."""


def seal_lines(documents: Iterable[Mapping[str, Any]], seal: str, name: str) -> tuple[bytes, str]:
    r"""Give documents as lines that continue those up to `seal`, and the seal of the last.

    Examples
    --------
    >>> line, seal = seal_lines([{"answer": 1}], NO_SEAL, "the example")
    >>> line == b'{"answer": 1, "checksum": "' + seal.encode() + b'"}\n'
    True
    >>> unseal_lines(line + b'{"answ', "the example").cut_off
    6
    """
    lines = []
    for document in documents:
        body = pack_line(document, name)
        seal = _next_seal(seal, body)
        lines.append(body[:-1] + f', "checksum": "{seal}"}}\n'.encode())
    return b"".join(lines), seal


def unseal_lines(content: bytes, name: str) -> SealedLines:
    """Read lines back; raise `BrokenLineError` where one is not as it was written.

    Parameters
    ----------
    name : how to name the file in an error.
    """
    size = whole_size(content)
    documents, seal = [], NO_SEAL
    for number, line in enumerate(content[:size].split(b"\n")[:-1], 1):
        found = _SEAL.search(line)
        body = line[: found.start()] + b"}" if found else b""
        seal = _next_seal(seal, body)
        if not found or found[1].decode() != seal:
            raise BrokenLineError(f"line {number} does not agree with its checksum")
        documents.append(unpack_json(body, f"line {number} of {name}"))
    if not documents:
        raise BrokenLineError("its first line is cut off, so that it has no checksum")
    return SealedLines(tuple(documents), seal, size, len(content) - size)


def whole_size(content: bytes) -> int:
    """Give where the last whole line ends; 0 when there is none."""
    end = content.rfind(b"\n") + 1
    start = content.rfind(b"\n", 0, max(end - 1, 0)) + 1
    # No line has a zero byte: a block of a last line that never reached the disk does.
    return start if b"\0" in content[start:end] else end


def last_seal(content: bytes) -> str:
    """Give the seal of the last whole line of some bytes; "" when there is none."""
    found = _SEAL.search(content[: whole_size(content)].rstrip(b"\n"))
    return found[1].decode() if found else ""


def _next_seal(seal: str, body: bytes) -> str:
    return sha256(seal.encode() + body).hexdigest()
