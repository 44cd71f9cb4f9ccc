"""Writing responses to files, by the end of their name."""

import gzip
import io
import json
import os
from typing import IO, TYPE_CHECKING

from itemcurve.errors import ResponsesError
from itemcurve.responses.formats.file_formats import SEPARATORS, find_format
from itemcurve.responses.formats.npz_layout import pack_parts
from itemcurve.responses.formats.parquet_files import require_arrow, write_parquet
from itemcurve.responses.frame_output import lossless_frame
from itemcurve.responses.input.parts import Parts
from itemcurve.storage.atomic_files import atomic_file
from itemcurve.storage.safe_npz import write_npz
from itemcurve.storage.spreadsheet_text import table_text

if TYPE_CHECKING:
    import pandas


def write_parts(parts: Parts, path: str | os.PathLike[str]) -> None:
    """Write responses atomically in the format the name asks for."""
    format_, is_compressed = find_format(path)
    if format_ == "npz":
        write_npz(path, pack_parts(parts))
        return
    if format_ == "parquet":
        require_arrow()
    with atomic_file(path) as file:
        if format_ == "parquet":
            write_parquet(lossless_frame(parts), file)
        elif is_compressed:
            with gzip.GzipFile(
                fileobj=file, mode="wb", filename="", mtime=0, compresslevel=4
            ) as packed:
                _write_text(parts, format_, packed)
        else:
            _write_text(parts, format_, file)


def _write_text(parts: Parts, format_: str, file: IO[bytes] | gzip.GzipFile) -> None:
    """Write lines of UTF-8, and leave the file open for its owner to close."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    if format_ == "jsonl":
        _write_records(lossless_frame(parts), text)
    else:
        _refuse_zero_bytes(parts)
        text.write(table_text(lossless_frame(parts), separator=SEPARATORS[format_]))
    text.flush()
    text.detach()


def _refuse_zero_bytes(parts: Parts) -> None:
    """Raise where a name holds a zero byte: where one is read, a part of the file is lost."""
    found = next((name for name in (*parts.respondents, *parts.items) if "\0" in name), None)
    if found is not None:
        raise ResponsesError(
            "Names in a text file must not hold zero bytes;",
            f"one is {found!r}.",
            "Rename it, or save as .npz or .jsonl.",
        )


def _write_records(frame: "pandas.DataFrame", text: IO[str]) -> None:
    """Write one JSON object per row, null for what is missing."""
    names = list(frame.columns)
    columns = [frame[name].astype(object).where(frame[name].notna(), None) for name in names]
    for row in zip(*columns, strict=True):
        text.write(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n")
