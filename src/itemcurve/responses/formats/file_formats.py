"""Which format a file has, by the end of its name."""

import os
from pathlib import Path
from typing import Literal

from itemcurve.errors import ResponsesError

Format = Literal["npz", "csv", "tsv", "jsonl", "parquet"]
_FORMATS: dict[str, Format] = {
    ".npz": "npz",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
SEPARATORS = {"csv": ",", "tsv": "\t"}


def find_format(path: str | os.PathLike[str]) -> tuple[Format, bool]:
    """Give the format of a file, and whether it is compressed with gzip."""
    name = Path(path).name.lower()
    is_compressed = name.endswith(".gz")
    suffix = Path(name.removesuffix(".gz")).suffix
    format_ = _FORMATS.get(suffix)
    if format_ is None or (is_compressed and format_ in ("npz", "parquet")):
        raise ResponsesError(
            "A file of responses must end in .npz, .csv, .tsv, .jsonl (also with .gz) or .parquet;",
            f"given is {'the folder ' if Path(path).is_dir() else ''}{str(path)!r}.",
            "Rename it, or read it yourself and use `Responses.from_frame`.",
        )
    return format_, is_compressed
