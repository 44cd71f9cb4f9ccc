"""Predicted labels of classifiers from a table file."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from itemcurve.errors import EvaluationError
from itemcurve.storage.text_files import look_over, open_text

_TRUTH = ("y_true", "label", "target")


@dataclass(frozen=True)
class LabelTable:
    """Given and predicted labels, as text.

    Attributes
    ----------
    items : ids, or None when the file names none.
    y_true : the given label of each item.
    y_pred : predicted labels, by classifier.
    """

    items: tuple[str, ...] | None
    y_true: tuple[str, ...]
    y_pred: dict[str, tuple[str, ...]]


def read_labels(path: str | PathLike[str]) -> LabelTable:
    """Read a CSV file with a column `y_true`, optionally `item`, and one column per classifier.

    Parameters
    ----------
    path : one row per item; `label` and `target` are understood for `y_true`.
    """
    import pandas

    try:
        with open_text(Path(path), False) as stream:
            look_over(stream, ",", str(path))
            table = pandas.read_csv(stream, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise EvaluationError(
            "A file of predictions must be a readable CSV file in UTF-8 with equally long rows;",
            f"{str(path)!r} is not: {str(error).strip()}.",
            "Correct it, or write it again.",
        ) from None
    truth = next((name for name in _TRUTH if name in table.columns), None)
    named = [name for name in table.columns if name not in (truth, "item")]
    if truth is None or not named:
        raise EvaluationError(
            "A file of predictions must have a column y_true and one per classifier;",
            f"the columns are {', '.join(map(str, table.columns[:6]))}.",
            "Write a header such as: item,y_true,forest,svm.",
        )
    empty = [name for name in (truth, *named) if (table[name] == "").any()]
    if empty:
        raise EvaluationError(
            "Every item must have a label from every classifier;",
            f"column {empty[0]!r} has empty cells.",
            "Leave out items that were not predicted by all.",
        )
    return LabelTable(
        tuple(table["item"]) if "item" in table.columns else None,
        tuple(table[truth]),
        {str(name): tuple(table[name]) for name in named},
    )
