"""Robustness measured on a table with a target column, without further ado."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.evaluation.collecting.answer_collection import Progress
from itemcurve.evaluation.difficulty.instance_difficulty import (
    Difficulty,
    DifficultyModel,
    estimate_difficulty,
)
from itemcurve.evaluation.difficulty.robustness import SHARES, check_noise_plan, system_curves
from itemcurve.evaluation.pools.named_pools import choose_pool
from itemcurve.evaluation.pools.pool import Pool, as_pool
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import part_table
from itemcurve.evaluation.tables.target_column import check_columns

if TYPE_CHECKING:
    import pandas


def measure_table_robustness(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str | None = None,
    *,
    models: str | Pool = "families",
    pool: str | Pool = "random:100",
    model: DifficultyModel = "1pl",
    noise: float = 0.2,
    shares: Sequence[float] = SHARES,
    bins: int = 5,
    cv: int = 5,
    attributes: int | Sequence[str] | None = None,
    drop: Sequence[str] = (),
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
) -> tuple[Difficulty, SystemCurves]:
    """Estimate the difficulty of all rows with one pool, and measure models with it.

    Parameters
    ----------
    table : a pandas table, or what `read_table` takes.
    target : the column to predict.
    models : who is measured: `"families"` (`classifier_families`), `"standard"`, `"random:N"`, or
        a pool.
    pool : who says what is hard, likewise.
    model : of difficulty, as for `estimate_difficulty`.
    drop : columns not to use.
    noise, shares, bins, cv, attributes, seed, n_jobs, cache, progress : as for
        `system_curves`.

    Returns
    -------
    The difficulties and the curves.
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    parts = part_table(frame, target, drop, can_group=False)
    X, y = parts.features, parts.target
    settings: Any = {"cv": cv, "seed": seed, "prepare": "always", "n_jobs": n_jobs, "cache": cache}
    known, measured = (choose_pool(one, "classification", seed) for one in (pool, models))
    # Difficulties come first and take longest; what cannot be measured with them is said before.
    check_noise_plan(as_pool(measured), noise, shares, bins, len(y))
    check_columns(X, [] if isinstance(attributes, int | None) else list(attributes))
    total = (len(known) + len(measured)) * cv
    difficulty = estimate_difficulty(
        X,
        y,
        known,
        model=model,
        items=parts.names,
        on_failure="ignore",
        progress=_joint_progress(progress, 0, total),
        **settings,
    )
    curves = system_curves(
        measured,
        X,
        y,
        difficulty=difficulty,
        noise=noise,
        shares=shares,
        bins=bins,
        attributes=attributes,
        progress=_joint_progress(progress, len(known) * cv, total),
        **settings,
    )
    return difficulty, replace(curves, notes=(*parts.notes, *curves.notes))


def _joint_progress(
    progress: bool | Progress | None, before: int, total: int
) -> bool | Progress | None:
    """Count the trainings of both pools as one piece of work; bars come one after the other."""
    if progress is None or isinstance(progress, bool):
        return progress
    return lambda done, _, name: progress(before + done, total, name)
