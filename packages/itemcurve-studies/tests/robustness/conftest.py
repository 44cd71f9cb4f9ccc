"""A small data set of two classes."""

import gzip
from pathlib import Path

import numpy as np
import pandas
import pytest

from itemcurve_studies.robustness.data import LoadedSet, TableSet


@pytest.fixture(scope="module")
def loaded() -> LoadedSet:
    """Three numbers and a category; the first number says something of the class."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=90) > 0, "yes", "no").astype(np.str_)
    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    table["kind"] = rng.choice(["red", "green", "blue"], size=90)
    return LoadedSet(TableSet("toy", "toy.csv.gz", 0.1), table, y, 90, 0.1)


@pytest.fixture
def data(loaded: LoadedSet, tmp_path: Path) -> Path:
    """Give a folder with the data of `toy`, where studies look for them."""
    there = tmp_path / "data" / "table1"
    there.mkdir(parents=True)
    with gzip.open(there / loaded.source.file, "wt") as file:
        loaded.X.assign(target=loaded.y).to_csv(file, index=False)
    return tmp_path
