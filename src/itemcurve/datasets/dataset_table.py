"""Our own table of classifiers on data sets: each data set an item, each split a repeat."""

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses
from itemcurve.storage.safe_npz import read_npz, write_npz

if TYPE_CHECKING:
    import pandas

_TEXTS = ("classifiers", "algorithms", "groups", "datasets", "measures", "missing")
_SHIPPED = Path(__file__).with_name("dataset_table.npz")
Group = Literal["pool", "held out"]


@dataclass(frozen=True, eq=False)
class DatasetTable:
    """Performance of classifiers on data sets, six measures, repeated over random splits.

    Attributes
    ----------
    classifiers, algorithms, groups : name, algorithm and group (`"pool"` or `"held out"`).
    datasets : names of the items.
    shapes : rows, features and classes of each data set (data sets × 3).
    measures : names of the measures; all lie in [0, 1] and are better when larger.
    values : measures × classifiers × data sets × splits, NaN where missing.
    seconds : mean processor seconds of one fit with its predictions (classifiers × data sets).
    missing : one line `classifier, data set, split, reason` (by tabs) per failed fit.
    notes : what was left out of a data set, in words.
    commonest : share of the rows that are of the commonest class, by data set: the accuracy of a
        classifier that never looks at a row. None where it was not kept.
    """

    classifiers: tuple[str, ...]
    algorithms: tuple[str, ...]
    groups: tuple[str, ...]
    datasets: tuple[str, ...]
    shapes: NDArray[np.int32]
    measures: tuple[str, ...]
    values: NDArray[np.float32]
    seconds: NDArray[np.float32]
    missing: tuple[str, ...]
    notes: tuple[str, ...] = ()
    commonest: NDArray[np.float64] | None = None

    @cached_property
    def complete_splits(self) -> tuple[int, ...]:
        """Splits in which every data set was measured."""
        is_measured = np.isfinite(self.values).any(axis=(0, 1))
        return tuple(int(split) for split in np.flatnonzero(is_measured.all(axis=0)))

    def responses(self, measure: str, group: Group | None = None) -> Responses:
        """Give one measure as responses: classifiers × data sets, each split an observation.

        Parameters
        ----------
        measure
            One of `measures`.
        group
            `"pool"` or `"held out"`; None gives all classifiers.
        """
        from scipy.sparse import coo_array

        if measure not in self.measures or group not in (None, "pool", "held out"):
            raise ResponsesError(
                f"The measure must be one of {', '.join(self.measures)}, the group pool, held out "
                "or None;",
                f"given are {measure!r} and {group!r}.",
                'Use for example `table.responses("accuracy", "pool")`.',
            )
        rows = [i for i, own in enumerate(self.groups) if group in (None, own)]
        cube = self.values[self.measures.index(measure)][rows].astype(np.float64)
        row, column, split = np.nonzero(np.isfinite(cube))
        cells = coo_array((cube[row, column, split], (row, column)), shape=cube.shape[:2])
        return Responses.from_array(cells, [self.classifiers[i] for i in rows], self.datasets)

    def mean_accuracy(self) -> NDArray[np.float64]:
        """Mean over classifiers and splits, by data set."""
        values = self.values[self.measures.index("accuracy")].astype(np.float64)
        return np.asarray(np.nanmean(values, axis=(0, 2)))

    def frame(self) -> "pandas.DataFrame":
        """Give one row per classifier, data set and split, with a column per measure."""
        import pandas

        axes = [self.classifiers, self.datasets, range(self.values.shape[3])]
        index = pandas.MultiIndex.from_product(axes, names=["classifier", "dataset", "split"])
        cells = self.values.reshape(len(self.measures), -1).T
        table = pandas.DataFrame(cells, index=index, columns=list(self.measures))
        return table.dropna(how="all").reset_index()

    def save(self, path: str | PathLike[str]) -> None:
        """Write an npz file that `load_dataset_table` reads."""
        texts = {name: np.array(getattr(self, name), dtype=np.str_) for name in (*_TEXTS, "notes")}
        numbers = {name: getattr(self, name) for name in ("shapes", "values", "seconds")}
        if self.commonest is not None:
            numbers["commonest"] = self.commonest
        write_npz(path, {**texts, **numbers})

    def __repr__(self) -> str:
        return (
            f"DatasetTable({len(self.classifiers)} classifiers × {len(self.datasets)} data sets, "
            f"{len(self.measures)} measures, {len(self.complete_splits)} of "
            f"{self.values.shape[3]} splits complete)"
        )


def load_dataset_table(path: str | PathLike[str] | None = None) -> DatasetTable:
    """Load how 72 classifiers and five held-out ones perform on data sets from PMLB and others.

    Song and Flach (2021), Efficient and Robust Model Benchmarks, with our own measurements:
    even splits within classes, at most 2,000 rows, six measures.

    Parameters
    ----------
    path
        A table of other measurements, as `save` writes it; the shipped one when left out.

    Examples
    --------
    >>> import itemcurve as ic
    >>> table = ic.load_dataset_table()
    >>> table.measures
    ('accuracy', 'brier', 'log_loss', 'weighted_accuracy', 'auc', 'f1')
    >>> table.responses("auc", "pool").shape[0]
    72
    """
    arrays: dict[str, Any] = read_npz(_SHIPPED if path is None else path)
    given = [name for name in (*_TEXTS, "notes") if name in arrays]
    texts: Any = {name: tuple(str(text) for text in arrays[name]) for name in given}
    return DatasetTable(
        **texts,
        shapes=arrays["shapes"],
        values=arrays["values"],
        seconds=arrays["seconds"],
        commonest=arrays.get("commonest"),
    )
