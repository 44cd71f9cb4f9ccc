"""The largest data sets with 10,000 rows instead of 2,000: what the cap on rows changes."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.bounded_measures import MEASURES
from itemcurve.datasets.dataset_table import DatasetTable, load_dataset_table
from itemcurve.storage.safe_npz import read_npz
from itemcurve_studies.dataset_table import collection
from itemcurve_studies.dataset_table.classifier_settings import list_settings

if TYPE_CHECKING:
    import pandas

ROWS, LARGEST = 10_000, 20
# One is enough to see what more rows change on average; each of the table's own has its noise.
SPLITS = 1


def measure_larger(shards: Path, data: Path) -> str:
    """Measure what has no file yet, and say in words and numbers what more rows change.

    Parameters
    ----------
    shards : where the files go; what is there is kept.
    data : the folder of the data sets, see `read_tables`.
    """
    collection.collect(shards, data, rows=ROWS, largest=LARGEST, splits=SPLITS)
    found = compare_rows(shards / collection.fingerprint(list_settings(), ROWS))
    return found.to_string(index=False, float_format=lambda value: f"{value:.3f}")


def compare_rows(folder: Path, table: DatasetTable | None = None) -> "pandas.DataFrame":
    """Set the first split with more rows beside the same classifiers in the table of 2,000.

    One row per measure: how much it is higher with more rows, on average over classifiers and data
    sets and as the standard deviation of the single cells' changes (the noise of both splits is in
    it); how far that is the same for all classifiers of a data set (rank correlation within it,
    mean), and how alike the classifiers are ordered by their means over the data sets.

    Parameters
    ----------
    folder : of the finished files, a folder per split.
    table : with 2,000 rows; the one that comes with itemcurve when left out.
    """
    import pandas

    known = load_dataset_table() if table is None else table
    paths = sorted((folder / "00").glob("*.npz"))
    # The table keeps single precision.
    more = np.stack([read_npz(path)["values"].astype(np.float32) for path in paths])
    places = [known.datasets.index(path.stem) for path in paths]
    rows = []
    for number, measure in enumerate(MEASURES):
        at = list(known.measures).index(measure)
        own = np.asarray(known.values[at][:, places, 0], dtype=float).T
        change = more[:, :, number] - own
        rows.append(
            {
                "measure": measure,
                "data_sets": len(paths),
                "change": float(np.nanmean(change)),
                "sd": float(np.nanstd(change)),
                "within": float(np.nanmean(_correlate_rows(more[:, :, number], own))),
                "means": _correlate(np.nanmean(more[:, :, number], 0), np.nanmean(own, 0)),
            }
        )
    return pandas.DataFrame(rows)


def _correlate_rows(
    first: NDArray[np.floating], second: NDArray[np.floating]
) -> NDArray[np.float64]:
    return np.array([_correlate(a, b) for a, b in zip(first, second, strict=True)])


def _correlate(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Spearman's rank correlation of what both have."""
    from scipy.stats import spearmanr

    both = np.isfinite(first) & np.isfinite(second)
    return float(spearmanr(first[both], second[both]).statistic)
