"""Data sets of the study on robustness: those of its table 1 that are at hand."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.data_complexity import data_complexity
from itemcurve_studies.study.data_files import find_data

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class TableSet:
    """A data set of table 1.

    Attributes
    ----------
    status : `complete`, or in what it differs from the paper's.
    published : its complexity in the paper.
    """

    name: str
    file: str
    published: float
    status: str = "complete"


def _complete(name: str, published: float) -> TableSet:
    return TableSet(name, f"{name}.csv.gz", published)


SETS: tuple[TableSet, ...] = (
    _complete("nursery", 0.0),
    _complete("wall-robot-navigation", 0.0),
    _complete("page-blocks", 0.01),
    TableSet("gesture-phase", "gesture_phase_a1_partial.csv.gz", 0.02, "partial: 1,743 of 9,873"),
    _complete("letter", 0.02),
    _complete("waveform-5000", 0.02),
    _complete("spambase", 0.03),
    _complete("satimage", 0.03),
    _complete("mfeat-morphological", 0.03),
    _complete("analcatdata_dmft", 0.04),
    TableSet(
        "first-order-theorem-proving", "first-order-theorem-proving.csv.gz", 0.05, "5 rows short"
    ),
    TableSet("gas-drift", "gas-drift_partial.csv.gz", 0.06, "partial: 6,697 of 13,910"),
    _complete("segment", 0.06),
    _complete("yeast", 0.06),
    _complete("texture", 0.08),
    _complete("optdigits", 0.12),
    _complete("vowel", 0.14),
    _complete("mfeat-zernike", 0.24),
    _complete("mfeat-karhunen", 0.32),
    _complete("mfeat-fourier", 0.38),
    TableSet(
        "gina_prior2",
        "gina_prior2_STANDIN_mnist3468.csv.gz",
        2.26,
        "stand-in: other images of the same kind",
    ),
    _complete("cnae-9", 7.14),
)
# Above so many columns half as many rows are taken where rows are limited: trees search them all.
_WIDE = 200
# Three simple and three complex ones, all complete.
QUICK_SETS = ("nursery", "analcatdata_dmft", "segment", "optdigits", "vowel", "mfeat-karhunen")


@dataclass(frozen=True, eq=False)
class LoadedSet:
    """A data set in memory; `complexity` is that of all its rows, also where fewer are used."""

    source: TableSet
    X: "pandas.DataFrame"
    y: NDArray[np.str_]
    rows: int
    complexity: float


def is_there(data: Path, source: TableSet) -> bool:
    """Say whether the folder has a data set."""
    return (data / "data" / "table1" / source.file).is_file()


def load_set(data: Path, source: TableSet, most_rows: int | None = None) -> LoadedSet:
    """Read a data set; of larger ones take a stratified sample of so many rows.

    Parameters
    ----------
    data : folder with `data/table1`.
    most_rows : of data sets with more than 200 columns half as many; None for all.
    """
    import pandas
    from sklearn.model_selection import train_test_split

    path = find_data(data, f"table1/{source.file}", "the data sets of the paper's table 1")[0]
    table = pandas.read_csv(path)
    complexity = data_complexity(*table.shape, table["target"].nunique())
    rows = len(table)
    if most_rows is not None and table.shape[1] > _WIDE:
        most_rows //= 2
    if most_rows is not None and rows > most_rows:
        counts = table["target"].value_counts()
        # A class of one or two rows can be in no sample of all classes; it joins by chance.
        strata = table["target"].where(table["target"].map(counts) > 5, "(rare)")
        table = train_test_split(table, train_size=most_rows, random_state=0, stratify=strata)[0]
        table = table.sort_index().reset_index(drop=True)
    labels = np.array(table["target"].tolist()).astype(np.str_)
    return LoadedSet(source, table.drop(columns="target"), labels, rows, complexity)


def training_cost(one: LoadedSet) -> int:
    """Give about how long trainings on a data set take, in units of its own."""
    return len(one.y) * (20 + one.X.shape[1]) * (5 + len(set(one.y)))
