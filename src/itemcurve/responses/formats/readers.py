"""Reading responses from files, by the end of their name."""

import os
import zlib
from pathlib import Path

from itemcurve.errors import ResponsesError
from itemcurve.responses.formats.delimited_files import read_delimited
from itemcurve.responses.formats.file_formats import SEPARATORS, find_format
from itemcurve.responses.formats.json_lines import read_json_lines
from itemcurve.responses.formats.npz_layout import unpack_parts
from itemcurve.responses.formats.parquet_files import read_parquet
from itemcurve.responses.input.parts import Parts
from itemcurve.responses.input.table_input import Layout, parts_from_table
from itemcurve.storage.safe_npz import read_npz
from itemcurve.storage.text_files import open_text

# What run folders of fits and evaluations call their responses.
RUN_RESPONSES = "responses.npz"


def read_parts(path: str | os.PathLike[str], layout: Layout) -> Parts:
    """Read a file of responses in any format this library knows, or those of a run folder."""
    file = Path(path)
    if (file / RUN_RESPONSES).is_file():
        file = file / RUN_RESPONSES
    # Asked before its kind: of what is not there, the end of its name is beside the point.
    format_, is_compressed = find_format(file) if file.exists() else (None, False)
    if not file.is_file():
        raise ResponsesError(
            "The file of responses must exist;",
            f"there is no file {str(file)!r} (seen from {str(Path.cwd())!r}).",
            "Check the path; the folder of a run is read, too.",
        )
    assert format_ is not None
    if format_ == "npz":
        return unpack_parts(read_npz(file), str(file))
    if format_ == "parquet":
        return read_parquet(file, layout)
    try:
        with open_text(file, is_compressed) as stream:
            if format_ == "jsonl":
                return parts_from_table(read_json_lines(stream, str(file)), layout)
            return parts_from_table(
                read_delimited(stream, SEPARATORS[format_], str(file), layout), layout
            )
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ResponsesError(
            "A text file of responses must be readable, whole and in UTF-8;",
            f"{str(file)!r} is not: {error}.",
            "Save it again as UTF-8, or download it again.",
        ) from None
