"""Do data sets need negative discriminations? Asked of cells that no fit has seen."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.datasets.dataset_table import DatasetTable
from itemcurve_studies.adaptive.calibration import (
    PAPER_MODELS,
    calibrate,
    expect_measurements,
    mask_measurements,
)

if TYPE_CHECKING:
    import pandas

SIGN_SEEDS = 5
# Not those that were looked at when the rule was written.
_FIRST_SEED = 100


def compare_signs(table: DatasetTable, seeds: int) -> "pandas.DataFrame":
    """Fit half of the cells with positive and with free slopes, and infer the other half.

    Whole cells are left out, so that no repeat of the same cell is known.

    Returns
    -------
    One row per measure, seed and model: RMSE with `positive` and with `free` slopes.
    """
    import pandas

    pool = [place for place, group in enumerate(table.groups) if group == "pool"]
    rows = []
    for measure in table.measures:
        values = table.values[table.measures.index(measure)][pool].astype(np.float64)
        for seed in range(_FIRST_SEED, _FIRST_SEED + seeds):
            cells = np.random.default_rng([seed, 9]).random(values.shape[:2]) < 0.5
            is_known = np.repeat(cells[..., None], values.shape[2], axis=2)
            known = mask_measurements(table, measure, pool, is_known)
            unseen = np.where(is_known, np.nan, values)
            for model in PAPER_MODELS:
                row = {"measure": measure, "seed": seed, "model": model}
                for sign in ("positive", "free"):
                    expected = expect_measurements(calibrate(known, model, discrimination=sign))
                    squares = (unseen - expected[..., None]) ** 2
                    row[sign] = float(np.sqrt(np.nanmean(squares)))
                rows.append(row)
    return pandas.DataFrame(rows)
