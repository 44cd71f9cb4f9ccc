"""Classification data sets from files, made ready for any classifier."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

FOLDERS = ("pmlb", "extra_clf")
MOST_ROWS = 2_000
MOST_FEATURES = 200
MOST_CATEGORIES = 20
# Three rows per class in each half, as cross-validated probabilities need.
FEWEST_PER_CLASS = 6
# The same rows under two names would count one item twice.
REPEATED = {
    "agaricus_lepiota": "mushroom",
    "australian": "credit_a",
    "bands": "cylinder_bands",
    "car": "car_evaluation",
    "digits_sklearn": "optdigits",
    "flare": "solar_flare_2",
    "hypothyroid_weka": "allhypo",
    "kr_vs_kp": "chess",
    "prnn_fglass": "glass",
    "soybean_weka": "soybean",
}


@dataclass(frozen=True, eq=False)
class ClassificationTable:
    """Features and classes 0 to classes − 1 of one data set, capped in rows.

    Attributes
    ----------
    rows : of the file.
    """

    name: str
    features: "pandas.DataFrame"
    classes: NDArray[np.int64]
    rows: int

    @property
    def cost(self) -> int:
        """A rough cost of fitting classifiers, to do small data sets first."""
        return len(self.classes) * (10 + self.features.shape[1]) * (3 + int(self.classes.max()))


@dataclass(frozen=True, eq=False)
class Halves:
    """Standardised numbers and classes of a training and a test half."""

    train: NDArray[np.float64]
    test: NDArray[np.float64]
    train_classes: NDArray[np.int64]
    test_classes: NDArray[np.int64]


def read_tables(
    data: Path, most_rows: int = MOST_ROWS, largest: int | None = None
) -> list[ClassificationTable]:
    """Read all data sets that are no repetition and not too wide, the cheapest first.

    Parameters
    ----------
    data
        A folder with the folders `pmlb` and `extra_clf`: tables whose last column is `target`.
    most_rows
        Of each.
    largest
        So many data sets with the most rows; None for all.
    """
    paths = [path for folder in FOLDERS for path in sorted((data / folder).glob("*.csv.gz"))]
    kept = [path for path in paths if path.name.removesuffix(".csv.gz") not in REPEATED]
    tables = [read_table(path, most_rows) for path in kept]
    narrow = [table for table in tables if table.features.shape[1] <= MOST_FEATURES]
    narrow = sorted(narrow, key=lambda table: (-table.rows, table.name))[:largest]
    return sorted(narrow, key=lambda table: (table.cost, table.name))


def read_table(path: Path, most_rows: int = MOST_ROWS) -> ClassificationTable:
    """Read one data set: at most so many rows, drawn in proportion to the classes with seed 0."""
    import pandas

    frame = pandas.read_csv(path)
    labels = pandas.factorize(frame["target"].astype(str), sort=True)[0].astype(np.int64)
    rows = _draw_rows(labels, most_rows)
    counts = np.bincount(labels[rows])
    rows = rows[counts[labels[rows]] >= FEWEST_PER_CLASS]
    classes = np.unique(labels[rows], return_inverse=True)[1].astype(np.int64)
    features = frame.drop(columns="target").iloc[rows].reset_index(drop=True)
    return ClassificationTable(path.name.removesuffix(".csv.gz"), features, classes, len(frame))


def split_table(table: ClassificationTable, seed: int) -> Halves:
    """Part the rows evenly within each class, and encode both halves by what training shows.

    The larger half of an odd class trains. Numbers get the median where missing; text becomes one
    column per category (at most 20), missing being a category; all columns are standardised.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numeric = list(table.features.select_dtypes("number").columns)
    categories = OneHotEncoder(
        handle_unknown="ignore", max_categories=MOST_CATEGORIES, sparse_output=False
    )
    encoder = make_pipeline(
        ColumnTransformer(
            [("numbers", SimpleImputer(strategy="median", keep_empty_features=True), numeric)],
            remainder=categories,
        ),
        StandardScaler(),
    )
    train, test = _part_rows(table.classes, seed)
    return Halves(
        np.asarray(encoder.fit_transform(table.features.iloc[train]), dtype=np.float64),
        np.asarray(encoder.transform(table.features.iloc[test]), dtype=np.float64),
        table.classes[train],
        table.classes[test],
    )


def _draw_rows(labels: NDArray[np.int64], most_rows: int) -> NDArray[np.int64]:
    """Draw at most so many rows, every class in proportion."""
    if labels.size <= most_rows:
        return np.arange(labels.size)
    rng = np.random.default_rng(0)
    share = most_rows / labels.size
    drawn = [
        rng.permutation(np.flatnonzero(labels == label))[: round(share * np.sum(labels == label))]
        for label in np.unique(labels)
    ]
    return np.sort(np.concatenate(drawn))


def _part_rows(
    classes: NDArray[np.int64], seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the rows of two halves, each class parted evenly at random."""
    rng = np.random.default_rng(seed)
    train, test = [], []
    for label in np.unique(classes):
        rows = rng.permutation(np.flatnonzero(classes == label))
        half = -(-rows.size // 2)
        train.append(rows[:half])
        test.append(rows[half:])
    return rng.permutation(np.concatenate(train)), np.sort(np.concatenate(test))
