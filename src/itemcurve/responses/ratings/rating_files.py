"""Ratings from files."""

import json
import os
import zlib
from pathlib import Path

from itemcurve.errors import ResponsesError
from itemcurve.responses.formats.file_formats import SEPARATORS, find_format
from itemcurve.responses.input.column_numbers import MISSING_TEXTS, Column
from itemcurve.responses.ratings.rating_input import ratings_from_columns
from itemcurve.responses.ratings.rating_table import RatingColumns, Ratings
from itemcurve.storage.text_files import look_over, open_text


def read_ratings(path: str | os.PathLike[str], columns: RatingColumns, repeats: bool) -> Ratings:
    """Read a long table of ratings."""
    file = Path(path)
    format_, is_compressed = find_format(file)
    if format_ == "npz":
        raise ResponsesError(
            "Ratings are read from a long table;",
            f"{str(file)!r} holds arrays.",
            "Give a .csv, .tsv, .jsonl or .parquet file.",
        )
    if not file.is_file():
        raise ResponsesError(
            "The file of ratings must exist;",
            f"there is no file {str(file)!r} (seen from {str(Path.cwd())!r}).",
            "Check the path.",
        )
    import pandas

    ids = {columns.respondent, columns.item, columns.rater}
    try:
        if format_ == "parquet":
            frame = pandas.read_parquet(file)
        elif format_ == "jsonl":
            with open_text(file, is_compressed) as stream:
                frame = pandas.DataFrame([json.loads(line) for line in stream if line.strip()])
        else:
            with open_text(file, is_compressed) as stream:
                look_over(stream, SEPARATORS[format_], str(file))
                frame = pandas.read_csv(
                    stream,
                    sep=SEPARATORS[format_],
                    dtype=dict.fromkeys(ids, object),
                    na_values={columns.rating: list(MISSING_TEXTS)},
                    keep_default_na=False,
                )
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise ResponsesError(
            "A file of ratings must be a readable table;",
            f"{str(file)!r} is not: {str(error).strip()}.",
            "Check how it was written.",
        ) from None
    found: dict[str, Column] = {str(name): frame[name].to_numpy() for name in frame.columns}
    return ratings_from_columns(found, columns, repeats, parse_text=True)
