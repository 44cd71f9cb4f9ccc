"""The IRT confusion matrix of classifiers on a table, without further ado (Cardoso et al.)."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.confusion.confusion_matrix import Confusion, confusion
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.result import FitResult
from itemcurve.evaluation.classifiers import evaluate_classifiers
from itemcurve.evaluation.collecting.answer_collection import Progress
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool, check_kind
from itemcurve.evaluation.tables.labelled_table import choose_task
from itemcurve.evaluation.tables.row_parts import part_rows
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import part_table

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class TableConfusion:
    """Confusion matrices opened by items that another pool calibrated.

    Attributes
    ----------
    view : of the classifiers asked for.
    fit : the pool's right and wrong answers to the same rows.
    positions : of the rows predicted, in the table.
    notes : what was left out, in words.
    """

    view: Confusion
    fit: FitResult
    positions: NDArray[np.intp]
    notes: tuple[str, ...]


def confusion_of_table(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str | None = None,
    *,
    models: str | Pool = "families",
    pool: str | Pool = "random:200",
    model: str = "3pl",
    positive: object = None,
    test_share: float = 0.3,
    drop: Sequence[str] = (),
    groups: str | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
) -> TableConfusion:
    """Calibrate the rows held out with one pool, and open the matrices of other classifiers.

    Parameters
    ----------
    table, target, test_share, drop, groups : as for `evaluate_table`.
    models : whose matrices are opened.
    pool : whose right and wrong answers say what the rows are like; 200 random ones in the paper.
    model : of these answers.
    positive : the positive of two classes.
    seed, n_jobs, cache, progress : as for `evaluate_classifiers`.
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    source = part_table(frame, target, drop, groups=groups)
    _refuse_numbers(source.target)
    asked, known = (choose_pool(one, "classification", seed) for one in (models, pool))
    for one in (asked, known):
        check_kind(one, "classification")
    parts, notes = part_rows(source, "classification", None, test_share, seed)
    settings: dict[str, Any] = {
        **{name: parts[name] for name in ("X_train", "y_train", "X_test", "y_test", "items")},
        "response": "correct",
        "prepare": "always",
        "on_failure": "ignore",
        "seed": seed,
        "n_jobs": n_jobs,
        "cache": cache,
        "progress": progress,
    }
    fit = evaluate_classifiers(known, model=model, **settings).fit
    found = evaluate_classifiers(asked, model="rasch", **settings).predictions
    assert isinstance(found, Predictions)
    classes = np.array(found.classes)
    named = zip(found.respondents, classes[found.chosen], strict=True)
    # One model alone is evaluated beside an answer that nobody asked for.
    chosen = {name: answers for name, answers in named if name in asked.names}
    # Names of items are ids of the fit; the labels stand in the same order.
    view = confusion(fit, classes[found.labels], chosen, items=found.items, positive=positive)
    rows = {name: place for place, name in enumerate(parts["items"])}
    tested = source.target.index.get_indexer(parts["y_test"].index)
    positions = source.positions[tested[[rows[item] for item in found.items]]]
    held = _say_hold_out(len(found.items), len(source.target), groups)
    return TableConfusion(view, fit, positions, (held, *source.notes, *notes))


def _say_hold_out(held: int, total: int, groups: str | None) -> str:
    whole = f", whole groups of {groups!r}" if groups else ""
    return (
        f"Matrices are of the {held:,} of {total:,} rows that were held out{whole} (a share of "
        f"{held / total:.0%}); models were trained on the others. itemcurve evaluate --cv 5 "
        "predicts every row, so that its accuracy is another one."
    )


def _refuse_numbers(target: "pandas.Series") -> None:
    if choose_task(target, "auto") != "classification":
        raise EvaluationError(
            "Confusion matrices need classes to predict;",
            f"the target {target.name!r} holds numbers.",
            "Use itemcurve evaluate for numbers, or choose another --target.",
        )
