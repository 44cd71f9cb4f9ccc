"""What the commands for scores from few items are given: calibration, groups, new answers."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.estimation.result import FitResult
    from itemcurve.logs.harness.item_index import ItemIndex
    from itemcurve.responses.matrix import Responses

BY_TASK = "task"


def read_calibration(path: Path) -> "FitResult | Responses":
    """Read a run folder, or a file of responses."""
    from itemcurve.adaptive.score.score_test_file import read_calibration as read
    from itemcurve.errors import StorageError
    from itemcurve.storage.folder_swap import locate_folder

    if not locate_folder(path).exists():
        raise StorageError(
            "The calibration is a run folder or a file of responses;",
            f"there is none at {str(path)!r}.",
            "Make one with `itemcurve import logs/ --out responses.npz`.",
        )
    return read(path)


def item_names(calibration: "FitResult | Responses") -> tuple[str, ...]:
    """Items of a calibration."""
    from itemcurve.estimation.result import FitResult

    own = calibration.responses if isinstance(calibration, FitResult) else calibration
    return own.items


def find_items(calibration: Path, items_file: Path | None) -> "ItemIndex":
    """Give the list of items that was named, or the one beside the calibration."""
    from itemcurve.logs.harness.item_index import SUFFIX, ItemIndex, find_index

    if items_file is not None:
        return ItemIndex.load(items_file)
    own = calibration.with_name(calibration.name.partition(".")[0] + SUFFIX)
    return ItemIndex.load(own) if own.is_file() else find_index(calibration.resolve().parent)


def read_column(path: Path, column: str) -> dict[str, str]:
    """Read a CSV file with columns item and another one."""
    import csv

    from itemcurve.errors import ResponsesError

    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"item", column} <= set(rows[0]):
        raise ResponsesError(
            f"The file must have columns item and {column}.",
            f"{str(path)!r} has {', '.join(rows[0]) if rows else 'no rows'}.",
            f"Write it as item,{column}.",
        )
    return {row["item"]: row[column] for row in rows}


def read_numbers(path: Path, key: str, column: str) -> list[tuple[str, float]]:
    """Read a CSV file with a name and a number in every row."""
    import csv

    from itemcurve.errors import ResponsesError

    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return [(row[key], float(row[column])) for row in csv.DictReader(file)]
    except (KeyError, TypeError, ValueError) as error:
        raise ResponsesError(
            f"The file must have columns {key} and {column}, with a number in every row.",
            f"{str(path)!r} has not ({error}).",
            f"Write it as {key},{column}.",
        ) from None


def read_groups(given: str | None, calibration: Path, items_file: Path | None) -> dict[str, str]:
    """Groups of items from a CSV file, or the tasks that `itemcurve import` wrote down."""
    if given is None:
        return {}
    if given == BY_TASK:
        return {entry.item: entry.task for entry in find_items(calibration, items_file).entries}
    return read_column(Path(given), "group")


def read_weights(path: Path | None) -> dict[str, float] | None:
    """Weights of items from a CSV file."""
    return None if path is None else dict(read_numbers(path, "item", "weight"))


def find_costs(calibration: Path) -> tuple[dict[str, float], str]:
    """Costs that `itemcurve import` wrote beside the responses; none where there are none."""
    from itemcurve.logs.harness.item_costs import SUFFIX, load_costs

    own = calibration.with_name(calibration.name.partition(".")[0] + SUFFIX)
    found = [own] if own.is_file() else sorted(calibration.resolve().parent.glob(f"*{SUFFIX}"))
    return load_costs(found[0]) if len(found) == 1 else ({}, "")


def read_new(
    path: Path, index: "ItemIndex", model: str | None = None
) -> "tuple[Responses, list[str]]":
    """Read new answers: a file of responses, or a folder of logs; and what to say about them."""
    from itemcurve.responses.matrix import Responses

    endings = (".npz", ".csv", ".tsv", ".parquet", ".jsonl", ".gz")
    # lm-evaluation-harness writes its samples as JSON Lines too.
    is_table = path.is_file() and path.name.endswith(endings) and "samples_" not in path.name
    return (Responses.read(path), []) if is_table else _read_logs(path, index, model)


def _read_logs(path: Path, index: "ItemIndex", model: str | None) -> "tuple[Responses, list[str]]":
    import numpy as np

    from itemcurve.logs.log_folder import read_logs
    from itemcurve.responses.matrix import Responses

    logs = read_logs(path, cache=False)
    names: list[str | None] = [model] if model is not None else [*logs.respondents] or [None]
    found = {name: index.find_answers(logs, name) for name in names}
    items = list(dict.fromkeys(item for one in found.values() for item in one.responses))
    rows = [[one.responses.get(item, np.nan) for item in items] for one in found.values()]
    notes = []
    for name, one in found.items():
        for count, what in (
            (len(one.failed), "failed: left out"),
            (len(one.changed), "ask something else than the items they stand for: left out"),
            (one.repeated, "were asked repeatedly: the first answer counts"),
        ):
            if count:
                notes.append(f"{name}: {count} samples {what}.")
    return Responses.from_array(
        np.array(rows), respondents=[str(name) for name in found], items=items
    ), notes
