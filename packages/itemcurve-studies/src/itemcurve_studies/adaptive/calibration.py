"""Data sets as items of two models, and how well they infer measurements never seen (table I)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.datasets.dataset_table import DatasetTable
from itemcurve.estimation.fit import fit
from itemcurve.estimation.result import FitResult
from itemcurve.responses.matrix import Responses

Floats = NDArray[np.float64]

# The paper's two models, and β³'s curves under log-loss beside them.
MODELS: Mapping[str, Mapping[str, Any]] = {
    "logit-normal": {"model": "logit-normal", "method": "marginal"},
    "beta3": {"model": "beta3", "method": "joint", "boundary": "clip"},
    "fractional-beta3": {"model": "fractional-beta3", "method": "joint"},
}
PAPER_MODELS = ("logit-normal", "beta3")
_TRAINED = 0.5


@dataclass(frozen=True, eq=False)
class Inference:
    """Errors of inferred measurements, one per random half.

    Attributes
    ----------
    rmse : by model.
    mean, sd : of all measurements of the pool.
    floor : root mean square of half the differences between repeats: what no model can beat; NaN
        without repeats.
    repeated : share of the cells that were measured more than once.
    """

    rmse: Mapping[str, Floats]
    mean: float
    sd: float
    floor: float
    repeated: float


def calibrate(
    responses: Responses, name: str, *, discrimination: str = "positive", **settings: Any
) -> FitResult:
    """Fit a model of `MODELS` to the pool's measurements."""
    chosen = {**MODELS[name], **settings}
    found: FitResult = fit(responses, discrimination=discrimination, on_failure="ignore", **chosen)
    return found


def infer_unseen(table: DatasetTable, measure: str, halves: int) -> Inference:
    """Fit random halves of the pool's measurements and infer the others, `halves` times."""
    found: dict[str, list[float]] = {name: [] for name in MODELS}
    pool = [place for place, group in enumerate(table.groups) if group == "pool"]
    values = table.values[table.measures.index(measure)][pool].astype(np.float64)
    for seed in range(halves):
        is_known = np.random.default_rng([seed, 2]).random(values.shape) < _TRAINED
        known = mask_measurements(table, measure, pool, is_known)
        unseen = np.where(is_known, np.nan, values)
        for name in MODELS:
            result = calibrate(known, name)
            expected = expect_measurements(result)
            found[name].append(float(np.sqrt(np.nanmean((unseen - expected[..., None]) ** 2))))
    spread, share = _floor(values)
    return Inference(
        {name: np.array(errors) for name, errors in found.items()},
        float(np.nanmean(values)),
        float(np.nanstd(values)),
        spread,
        share,
    )


def expect_measurements(result: FitResult) -> Floats:
    """Expected measurement of every pool member on every data set (respondents × items)."""
    abilities = result.respondents["ability"].to_numpy(dtype=float)
    return np.asarray(result.bank.expected_response(abilities))


def mask_measurements(
    table: DatasetTable, measure: str, pool: list[int], is_known: NDArray[np.bool_]
) -> Responses:
    """Give the pool's measurements of one kind, only those that are known."""
    values = table.values.copy()
    own = values[table.measures.index(measure)]
    own[pool] = np.where(is_known, own[pool], np.nan)
    return replace(table, values=values).responses(measure, "pool")


def _floor(values: Floats) -> tuple[float, float]:
    """Noise of one measurement by repeats of the same cell, and the share of cells with any."""
    counts = np.isfinite(values).sum(axis=-1)
    repeated = values[counts > 1]
    share = float((counts > 1).mean())
    if not len(repeated):
        return np.nan, share
    variances = np.nanvar(repeated, axis=-1, ddof=1)
    return float(np.sqrt(variances.mean())), share
