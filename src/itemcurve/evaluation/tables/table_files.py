"""Tables of instances: from files, and those that come with scikit-learn."""

import csv
import zlib
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.errors import EvaluationError, MissingExtraError
from itemcurve.showing.event_log import event_log
from itemcurve.storage.text_files import look_over, open_text

if TYPE_CHECKING:
    import pandas

# Small sets that need no download; the target is called `target`.
BUILT_IN = ("breast_cancer", "diabetes", "digits", "iris", "wine")
_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_SEPARATOR_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_DECIMAL_COMMA = r"\s*[-+]?\d+(,\d+)?([eE][-+]?\d+)?\s*"


_LOG = event_log(__name__)


def read_table(source: str | PathLike[str]) -> "pandas.DataFrame":
    """Read a table with one row per instance: .csv, .tsv (also .gz) or .parquet.

    A file of text whose values are separated otherwise (semicolons, tabs, commas, bars) is read by
    its own separator, semicolons with decimal commas too; the table's `attrs["notes"]` say so.

    Parameters
    ----------
    source : a path, or one of `breast_cancer`, `diabetes`, `digits`, `iris`, `wine`, which come
        with scikit-learn.

    Examples
    --------
    >>> read_table("iris").shape
    (150, 5)
    """
    name = fspath(source)
    # A folder of that name, as a run written there, is no table.
    if name in BUILT_IN and not Path(name).is_file():
        from sklearn import datasets

        table: pandas.DataFrame = getattr(datasets, f"load_{name}")(as_frame=True).frame
        return table
    path = Path(name)
    if not path.is_file():
        raise EvaluationError(
            "The table must be a file, or a set that comes with scikit-learn;",
            f"there is no file {name!r}.",
            f"Check the path, or use one of {', '.join(BUILT_IN)}.",
        )
    kind = next((s for s in reversed(path.suffixes) if s not in (".gz", ".zip", ".bz2")), "")
    if kind == ".parquet":
        return _read_parquet(path)
    if kind not in _SEPARATORS:
        raise EvaluationError(
            "The table must be .csv, .tsv or .parquet;",
            f"{path.name!r} is none of these.",
            "Export it as CSV with column names in the first row.",
        )
    return _read_text(path, _SEPARATORS[kind])


def _read_text(path: Path, usual: str) -> "pandas.DataFrame":
    import pandas
    from pandas.errors import EmptyDataError, ParserError

    try:
        # One line, whatever separates its values.
        line = pandas.read_csv(path, sep="\x1f", header=None, nrows=1, dtype=str, quoting=3)
        header = str(line.iloc[0, 0])
        separator = _find_separator(header, usual)
        names = pandas.read_csv(path, sep=separator, header=None, nrows=1, dtype=str).iloc[0]
        if path.suffix in (".gz", *_SEPARATORS):
            with open_text(path, path.suffix == ".gz") as stream:
                look_over(stream, separator, path.name)
        table = pandas.read_csv(path, sep=separator, low_memory=False)
        has_commas = separator == ";" and _has_decimal_commas(table)
        if has_commas:
            table = pandas.read_csv(path, sep=separator, decimal=",", low_memory=False)
    except (ParserError, EmptyDataError, OSError, EOFError, zlib.error, ValueError) as error:
        raise EvaluationError(
            "The table must have column names in its first row and equally long rows, in UTF-8;",
            f"{path.name!r} cannot be read: {str(error).strip()}.",
            "Correct it, or export it again.",
        ) from None
    # pandas would rename the second of two columns, and the target's double would be a feature.
    check_names(names.dropna())
    _LOG.info("Read %s: %d rows, %d columns", path.name, *table.shape)
    if separator != usual:
        commas = ", numbers have decimal commas" if has_commas else ""
        words = f"Values are separated by {_SEPARATOR_WORDS[separator]}{commas}."
        table.attrs["notes"] = (words,)
    return table


def _find_separator(header: str, usual: str) -> str:
    """Give the usual separator, or the one that parts a header which that leaves whole."""
    counts = {sign: len(next(csv.reader([header], delimiter=sign))) for sign in _SEPARATOR_WORDS}
    if counts[usual] > 1:
        return usual
    return max(counts, key=lambda sign: (counts[sign], sign == usual))


def _has_decimal_commas(table: "pandas.DataFrame") -> bool:
    """Whether some column of text is one of numbers like 3,14."""
    texts = [table[name].dropna() for name in table.columns if table[name].dtype.kind not in "biuf"]
    return any(len(text) and text.astype(str).str.fullmatch(_DECIMAL_COMMA).all() for text in texts)


def check_names(names: "pandas.Series | pandas.Index") -> None:
    """Raise where two columns have the same name."""
    repeated = names[names.duplicated()]
    if len(repeated):
        raise EvaluationError(
            "Columns must have different names;",
            f"{str(next(iter(repeated)))!r} occurs more than once.",
            "Rename or remove all but one.",
        )


def _read_parquet(path: Path) -> "pandas.DataFrame":
    import pandas

    try:
        return pandas.read_parquet(path)
    except ImportError:
        raise MissingExtraError(
            "Parquet files need pyarrow;",
            "it is not installed.",
            "Install itemcurve[io], or export the table as CSV.",
        ) from None
