"""Classifiers measured on several tables: data sets as items, after Song and Flach (2021)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.bounded_measures import MEASURES, measure_performance
from itemcurve.datasets.dataset_table import DatasetTable
from itemcurve.errors import EvaluationError, named_source
from itemcurve.evaluation.collecting.answer_collection import Collected, Progress
from itemcurve.evaluation.collecting.splits import hold_out
from itemcurve.evaluation.collecting.targets import check_labels, find_classes
from itemcurve.evaluation.collecting.training_plan import TrainingPlan
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool, check_kind
from itemcurve.evaluation.tables.labelled_table import choose_task
from itemcurve.evaluation.tables.row_parts import part_rows
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import TableParts, part_table

if TYPE_CHECKING:
    import pandas

# A row of every class on both sides of a split.
_FEWEST_PER_CLASS = 2


def measure_datasets(
    tables: "Mapping[str, Any] | Sequence[str | PathLike[str]]",
    pool: str | Pool = "families",
    *,
    target: str | None = None,
    drop: Sequence[str] = (),
    splits: int = 5,
    rows: int = 10_000,
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
) -> DatasetTable:
    """Measure classifiers on tables of one's own, by six measures between 0 and 1.

    Every split trains on one half of the rows, parted within classes, and predicts the other. What
    fails on a table is a missing cell, with its reason in `missing`.

    Parameters
    ----------
    tables : files (or names that `read_table` takes), or tables by name; at least two.
    pool : classifiers, as for `evaluate_table`.
    target : the column to predict in all of them; by its usual name in each when left out.
    drop : columns not to use, where a table has them.
    splits : of each table, each a repeated measurement.
    rows : of a table at most, drawn in proportion to the classes.
    seed, n_jobs, cache, progress : as for `evaluate_classifiers`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> some = "Naive Bayes; Decision tree; Nearest neighbours"
    >>> table = ic.metrics.measure_datasets(["iris", "wine"], some, splits=2)
    >>> table.responses("accuracy").shape
    (3, 2)
    """
    known = choose_pool(pool, "classification", seed)
    check_kind(known, "classification")
    _check_counts(splits, rows)
    sources = []
    for name, given in _named(tables).items():
        with named_source(fspath(given) if isinstance(given, str | PathLike) else name):
            sources.append(_read(name, given, target, drop, rows, seed))
    shape = (len(known), len(sources), splits)
    cube = _Cube(np.full((len(MEASURES), *shape), np.nan, np.float32), np.full(shape, np.nan), [])
    for item, source in enumerate(sources):
        for split in range(splits):
            before = (item * splits + split) * len(known)
            told = _counted(progress, before, len(known) * splits * len(sources))
            plan = TrainingPlan(seed + split, "always", n_jobs, cache, told)
            cube.fill(known, source, item, split, *_measure(plan, known, source, seed + split))
    return DatasetTable(
        known.names,
        known.names,
        ("pool",) * len(known),
        tuple(source.name for source in sources),
        np.array([source.shape for source in sources], dtype=np.int32),
        MEASURES,
        cube.values,
        cube.mean_seconds(),
        tuple(cube.missing),
        tuple(f"{source.name}: {note}" for source in sources for note in source.parts.notes),
        np.array([source.parts.target.value_counts(normalize=True).max() for source in sources]),
    )


@dataclass(frozen=True, eq=False)
class _Table:
    name: str
    parts: TableParts

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, features, classes."""
        return (*self.parts.features.shape, int(self.parts.target.nunique()))


@dataclass(frozen=True, eq=False)
class _Cube:
    """Measures (measures × classifiers × data sets × splits), seconds, and what failed."""

    values: NDArray[np.float32]
    seconds: NDArray[np.float64]
    missing: list[str]

    def fill(
        self,
        pool: Pool,
        source: _Table,
        item: int,
        split: int,
        found: Collected,
        measured: NDArray[np.float64],
    ) -> None:
        """Put in what one split of a data set gave."""
        places = [pool.names.index(name) for name in found.names]
        self.values[:, places, item, split] = measured.T
        self.seconds[places, item, split] = [found.seconds[name] for name in found.names]
        self.missing.extend(
            f"{one.respondent}\t{source.name}\t{split}\t{one.reason}" for one in found.failures
        )

    def mean_seconds(self) -> NDArray[np.float32]:
        """Mean over splits of those that answered; NaN where a classifier never did."""
        counts = np.isfinite(self.seconds).sum(axis=2)
        mean = np.nansum(self.seconds, axis=2) / np.where(counts > 0, counts, np.nan)
        return np.asarray(mean, dtype=np.float32)


def _named(tables: "Mapping[str, Any] | Sequence[str | PathLike[str]]") -> dict[str, Any]:
    """Give the tables by name: that of the file where they are files."""
    if isinstance(tables, Mapping):
        found = dict(tables)
    else:
        names = [Path(fspath(path)).name.split(".")[0] for path in tables]
        found = dict(zip(names, tables, strict=True))
        if len(found) < len(names):
            repeated = next(name for name in names if names.count(name) > 1)
            raise EvaluationError(
                "Data sets must have different names;",
                f"{repeated!r} occurs more than once.",
                "Rename a file, or give tables by name.",
            )
    if len(found) < 2:
        raise EvaluationError(
            "Data sets are items when there are two or more;",
            f"given {'is one' if found else 'are none'}.",
            "Add tables, or use evaluate_table (itemcurve evaluate) for a single one.",
        )
    return found


def _check_counts(splits: int, rows: int) -> None:
    if splits < 1 or rows < 20:
        raise EvaluationError(
            "There must be one split or more, and 20 rows or more to part;",
            f"given are {splits} splits and {rows} rows.",
            "Leave them out for 5 and 10,000.",
        )


def _read(
    name: str, given: Any, target: str | None, drop: Sequence[str], rows: int, seed: int
) -> _Table:
    """Read a table and leave out what cannot be parted, before anything is trained."""
    frame = read_table(given) if isinstance(given, str | PathLike) else given
    dropped = [column for column in drop if column in frame.columns]
    parts = part_table(frame, target, dropped, can_group=False)
    if choose_task(parts.target, "auto") != "classification":
        raise EvaluationError(
            "Data sets as items need classes to predict;",
            f"the target {parts.target.name!r} of {name!r} holds numbers.",
            "Leave that table out, or choose another --target.",
        )
    labels = parts.target.astype(str)
    counts = labels.map(labels.value_counts())
    kept = _draw(labels[counts >= _FEWEST_PER_CLASS], rows, seed)
    if labels.iloc[kept].nunique() < 2:
        raise EvaluationError(
            "A data set needs two classes with two rows or more each;",
            f"{name!r} has {labels.nunique()}.",
            "Leave that table out.",
        )
    notes = []
    if (rare := int((counts < _FEWEST_PER_CLASS).sum())) > 0:
        notes.append(f"{rare} rows of classes with a single row are left out.")
    if len(kept) < len(labels) - rare:
        notes.append(f"{len(kept):,} of {len(labels):,} rows are used.")
    return _Table(
        name,
        replace(
            parts,
            features=parts.features.iloc[kept].reset_index(drop=True),
            target=labels.iloc[kept].reset_index(drop=True),
            names=None,
            positions=parts.positions[kept],
            notes=(*parts.notes, *notes),
        ),
    )


def _draw(labels: "pandas.Series", rows: int, seed: int) -> NDArray[np.intp]:
    """Draw so many rows at most, of every class in proportion, two at least."""
    if len(labels) <= rows:
        return labels.index.to_numpy()
    rng = np.random.default_rng(seed)
    share = rows / len(labels)
    drawn = []
    for _, own in labels.groupby(labels, sort=True):
        count = max(_FEWEST_PER_CLASS, round(share * len(own)))
        drawn.append(rng.permutation(own.index.to_numpy())[:count])
    return np.sort(np.concatenate(drawn))


def _measure(
    plan: TrainingPlan, pool: Pool, source: _Table, seed: int
) -> tuple[Collected, NDArray[np.float64]]:
    """Train on one half, predict the other; give measures of those that answered."""
    parts, _ = part_rows(source.parts, "classification", None, 0.5, seed)
    train, test = (check_labels(parts[name], name) for name in ("y_train", "y_test"))
    classes = find_classes(train, test, may_be_rare=True)
    split = hold_out(parts["X_train"], train, parts["X_test"], test)
    found, _ = plan.collect(pool, split, classes, fewest=1)
    places = classes.positions(test)
    return found, np.array([measure_performance(places, own) for own in found.values])


def _counted(progress: bool | Progress | None, before: int, total: int) -> bool | Progress | None:
    """Count the trainings of all tables and splits as one piece of work."""
    if progress is None or isinstance(progress, bool):
        return progress
    return lambda done, _, name: progress(before + done, total, name)
