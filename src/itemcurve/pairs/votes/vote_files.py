"""Tables of votes from wherever they are: files, tables in memory, columns by name."""

import json
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.responses.formats.delimited_files import refuse_other_separators
from itemcurve.responses.formats.file_formats import SEPARATORS, find_format
from itemcurve.responses.formats.json_lines import read_json_lines
from itemcurve.responses.formats.parquet_files import require_arrow
from itemcurve.responses.input.column_numbers import Column
from itemcurve.responses.input.frame_input import columns_of
from itemcurve.storage.text_files import look_over, open_text

Choice = Callable[[list[str]], list[str]]
Columns = dict[str, Column]


def read_columns(votes: object, choose: Choice) -> Columns:
    """Give the columns of votes that are wanted, by name.

    Parameters
    ----------
    votes : a path (.csv, .tsv, .jsonl, also with .gz; .json with a list of records; .parquet), a
        table that pandas, polars or Arrow hold, or a mapping from names to columns.
    choose : which columns of those that are there; texts of whole conversations stay unread.
    """
    if isinstance(votes, str | os.PathLike):
        return _read_file(Path(votes), choose)
    if isinstance(votes, Mapping):
        return _from_mapping(votes, choose)
    return _from_frame(votes, choose)


def _from_mapping(votes: Mapping[Any, Any], choose: Choice) -> Columns:
    wanted = choose([str(name) for name in votes])
    found = {name: _as_column(votes[name], name) for name in wanted}
    lengths = {name: len(column) for name, column in found.items()}
    if len(set(lengths.values())) > 1:
        raise ResponsesError(
            "Columns of votes must be equally long;",
            f"their lengths are {', '.join(f'{n} {k:,}' for n, k in lengths.items())}.",
            "Give one entry per vote in each.",
        )
    return dict(found)


def _as_column(values: Any, name: str) -> np.typing.NDArray[Any]:
    column = np.asarray(values)
    if column.dtype.kind in "US":
        column = column.astype(object)
    if column.ndim != 1:
        raise ResponsesError(
            "Columns of votes must have one entry per vote;",
            f"{name!r} has {column.ndim} dimensions.",
            "Give a list of values.",
        )
    return column


def _from_frame(votes: Any, choose: Choice) -> Columns:
    names = getattr(votes, "column_names", None) or getattr(votes, "columns", None)
    if names is None or not hasattr(votes, "__getitem__"):
        raise ResponsesError(
            "Votes are a table, a mapping from names to columns, or the path of a file;",
            f"given is a {type(votes).__name__}.",
            "Use columns respondent_a, respondent_b and winner.",
        )
    texts = [str(name) for name in names]
    repeated = sorted({name for name in texts if texts.count(name) > 1})
    if repeated:
        raise ResponsesError(
            "Columns of votes must have different names;",
            f"{repeated[0]!r} occurs more than once.",
            "Rename or remove all but one.",
        )
    wanted = choose(texts)
    some = votes.select(wanted) if hasattr(votes, "select") else votes[wanted]
    return dict(zip(wanted, columns_of(some), strict=True))


def _read_file(file: Path, choose: Choice) -> Columns:
    is_json = file.name.lower().removesuffix(".gz").endswith(".json")
    format_, is_compressed = (
        ("json", file.name.lower().endswith(".gz")) if is_json else find_format(file)
    )
    if not file.is_file():
        raise ResponsesError(
            "The file of votes must exist;",
            f"there is no file {str(file)!r} (seen from {str(Path.cwd())!r}).",
            "Check the path.",
        )
    if format_ == "npz":
        raise ResponsesError(
            "Votes are read from .csv, .tsv, .jsonl, .json or .parquet;",
            f"given is {str(file)!r}, which would hold responses.",
            "Use itemcurve.fit for responses.",
        )
    if format_ == "parquet":
        return _read_parquet(file, choose)
    try:
        with open_text(file, is_compressed) as stream:
            if format_ == "json":
                return _read_json(stream, str(file), choose)
            if format_ == "jsonl":
                table = read_json_lines(stream, str(file))
                return {name: table.column(name) for name in choose(table.names)}
            return _read_delimited(stream, SEPARATORS[format_], str(file), choose)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise _unreadable(file, error) from None


def _read_delimited(stream: IO[str], separator: str, shown: str, choose: Choice) -> Columns:
    import pandas

    try:
        names = pandas.read_csv(stream, sep=separator, nrows=0).columns
        stream.seek(0)
        if len(names) == 1:
            refuse_other_separators(str(names[0]), separator, shown)
        look_over(stream, separator, shown)
        wanted = choose([str(name) for name in names])
        # Ids stay text, so that 007 and NA are names; numbers are made where they are needed.
        table = pandas.read_csv(
            stream, sep=separator, usecols=wanted, dtype=str, keep_default_na=False
        )
    except (pandas.errors.ParserError, pandas.errors.EmptyDataError) as error:
        raise _unreadable(Path(shown), error) from None
    return {name: table[name].to_numpy(dtype=object) for name in wanted}


def _read_json(stream: IO[str], shown: str, choose: Choice) -> Columns:
    try:
        records = json.load(stream)
    except (ValueError, RecursionError) as error:
        raise _unreadable(Path(shown), error) from None
    is_list = isinstance(records, list) and all(isinstance(one, dict) for one in records)
    if not is_list or not records:
        raise ResponsesError(
            "A .json file of votes must hold a list of records, one per vote;",
            f"{shown!r} does not.",
            "Write one JSON object per line and name the file .jsonl.",
        )
    names = list(dict.fromkeys(name for record in records for name in record))
    return {
        name: np.fromiter((record.get(name) for record in records), object, len(records))
        for name in choose(names)
    }


def _read_parquet(file: Path, choose: Choice) -> Columns:
    require_arrow()
    import pyarrow.lib
    import pyarrow.parquet

    try:
        wanted = choose(pyarrow.parquet.read_schema(file).names)
        with file.open("rb") as stream:
            table = pyarrow.parquet.read_table(stream, columns=wanted)
    except ResponsesError:
        raise
    except (pyarrow.lib.ArrowException, OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    return dict(zip(wanted, columns_of(table.select(wanted)), strict=True))


def _unreadable(file: Path, error: Exception) -> ResponsesError:
    return ResponsesError(
        "A file of votes must be whole, readable and, if text, in UTF-8 with equally long rows;",
        f"{str(file)!r} is not: {str(error).strip()}.",
        "Write or download it again.",
    )
