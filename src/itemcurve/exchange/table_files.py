"""Tables for papers and pages: CSV, Markdown and LaTeX."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from itemcurve.errors import StorageError
from itemcurve.exchange.latex_text import escape_latex, latex_column
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import make_folders
from itemcurve.storage.spreadsheet_text import table_text

if TYPE_CHECKING:
    import pandas

Kind = Literal["csv", "md", "tex"]
KINDS = {".csv": "csv", ".md": "md", ".tex": "tex"}
_DIGITS = 3


def write_table(source: Any, path: str | os.PathLike[str]) -> Path:
    """Write a result as a table; the ending of the file says how: .csv, .md or .tex.

    Parameters
    ----------
    source : a pandas table, or anything with `.frame()`: a leaderboard, an audit, findings, a
        comparison. CSV has all columns and digits; Markdown and LaTeX have what one reads
        (`.brief()` where there is one), numbers with three digits.

    Examples
    --------
    >>> import itemcurve as ic
    >>> fit = ic.fit(ic.simulate("2pl", respondents=50, items=8, seed=1).responses)
    >>> ic.exchange.write_table(fit.respondents, "abilities.md").name
    'abilities.md'
    """
    target = Path(path)
    kind = KINDS.get(target.suffix.lower())
    if kind is None:
        raise StorageError(
            f"A table is written to a file ending in {', '.join(KINDS)};",
            f"{str(path)!r} is none.",
            "Use .csv for numbers, .md for pages, .tex for papers.",
        )
    try:
        make_folders(target.parent)
    except OSError as error:
        raise StorageError(
            "The folder of a file to write must exist, or be possible to make;",
            f"{str(target.parent)!r} is not: {error.strerror or error}.",
            "Choose another path.",
        ) from error
    write_bytes(target, format_table(source, kind).encode())  # type: ignore[arg-type]
    return target


def format_table(source: Any, kind: Kind) -> str:
    """Give a result as the text of a table.

    Parameters
    ----------
    source : as for `write_table`.
    kind : `"csv"`, `"md"` or `"tex"`.
    """
    if kind == "csv":
        return table_text(_frame(source))
    if kind not in KINDS.values():
        raise StorageError(
            "A table is written as 'csv', 'md' or 'tex';", f"given is {kind!r}.", "Choose one."
        )
    table = source.brief() if hasattr(source, "brief") else _frame(source)
    names = [str(name) for name in table.columns]
    rows = [[_write(value) for value in row] for row in table.itertuples(index=False)]
    is_number = [all(_is_number(row[place]) for row in rows) for place in range(len(names))]
    return _markdown(names, rows, is_number) if kind == "md" else _latex(names, rows, is_number)


def _frame(source: Any) -> "pandas.DataFrame":
    if hasattr(source, "to_csv"):
        return source  # type: ignore[no-any-return]
    if not hasattr(source, "frame"):
        raise StorageError(
            "Tables are written of results that have one;",
            f"{type(source).__name__} has no .frame().",
            "Give a leaderboard, an audit, findings, or a pandas table.",
        )
    return source.frame()  # type: ignore[no-any-return]


def _write(value: Any) -> str:
    import pandas

    if pandas.isna(value):
        return ""
    if isinstance(value, float):
        return f"{round(value, _DIGITS) or 0.0:.{_DIGITS}f}" if abs(value) < 1e4 else f"{value:.3e}"
    # One line: a line break would end the row.
    return " ".join(str(value).split())


def _is_number(cell: str) -> bool:
    try:
        float(cell or 0)
    except ValueError:
        return False
    return True


def _markdown(names: list[str], rows: list[list[str]], is_number: list[bool]) -> str:
    lines = [
        [_escape_markdown(name) for name in names],
        ["---:" if right else "---" for right in is_number],
        *([_escape_markdown(cell) for cell in row] for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _escape_markdown(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _latex(names: list[str], rows: list[list[str]], is_number: list[bool]) -> str:
    """Give a table in the style of booktabs."""
    columns = [[row[place] for row in rows] for place in range(len(names))]
    spec = "".join(map(latex_column, columns, is_number))
    body = "".join(f"{' & '.join(map(escape_latex, row))} \\\\\n" for row in rows)
    head = " & ".join(map(escape_latex, names))
    return (
        f"% needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{spec}}}\n\\toprule\n"
        f"{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"
    )
