"""Robustness measured on a table with a target column, without further ado."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.collecting.answer_collection import Progress
from itemcurve.evaluation.difficulty.instance_difficulty import (
    Difficulty,
    DifficultyModel,
    estimate_difficulty,
)
from itemcurve.evaluation.difficulty.robustness import SHARES, system_curves
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.robust_families import robust_families
from itemcurve.evaluation.tables.labelled_table import choose_pool
from itemcurve.evaluation.tables.table_files import read_table
from itemcurve.evaluation.tables.table_parts import part_table

if TYPE_CHECKING:
    import pandas


def measure_table_robustness(
    table: "pandas.DataFrame | str | PathLike[str]",
    target: str = "target",
    *,
    models: str | Pool = "standard",
    pool: str | Pool = "random:100",
    model: DifficultyModel = "1pl",
    noise: float = 0.2,
    shares: Sequence[float] = SHARES,
    bins: int = 5,
    cv: int = 5,
    drop: Sequence[str] = (),
    seed: int = 0,
    n_jobs: int | None = None,
    cache: str | PathLike[str] | None = None,
    report: Progress | None = None,
) -> tuple[Difficulty, SystemCurves]:
    """Estimate the difficulty of all rows with one pool, and measure models with it.

    Parameters
    ----------
    table : a pandas table, or what `read_table` takes.
    target : the column to predict.
    models : who is measured: `"standard"`, `"families"` (the paper's eighteen), `"random:N"`, or a
        pool.
    pool : who says what is hard, likewise.
    model : of difficulty, as for `estimate_difficulty`.
    drop : columns not to use.
    noise, shares, bins, cv, seed, n_jobs, cache, report : as for `robustness`.

    Returns
    -------
    The difficulties and the curves.
    """
    frame = read_table(table) if isinstance(table, str | PathLike) else table
    parts = part_table(frame, target, drop)
    X, y = parts.features, parts.target
    settings: dict[str, Any] = {
        "cv": cv,
        "seed": seed,
        "prepare": "always",
        "n_jobs": n_jobs,
        "cache": cache,
    }
    known, measured = (_pool(one, X.shape[1], seed) for one in (pool, models))
    total = (len(known) + len(measured)) * cv
    difficulty = estimate_difficulty(
        X,
        y,
        known,
        model=model,
        items=parts.names,
        on_failure="ignore",
        report=_joint_report(report, 0, total),
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
        report=_joint_report(report, len(known) * cv, total),
        **settings,
    )
    return difficulty, replace(curves, notes=(*parts.notes, *curves.notes))


def _joint_report(report: Progress | None, before: int, total: int) -> Progress | None:
    """Count the trainings of both pools as one piece of work."""
    if report is None:
        return None
    return lambda done, _, name: report(before + done, total, name)


def _pool(chosen: str | Pool, attributes: int, seed: int) -> Pool:
    if chosen == "families":
        return robust_families(attributes, seed=seed)
    if isinstance(chosen, str) and chosen.partition(":")[0] not in ("standard", "random"):
        raise EvaluationError(
            "Models are 'standard', 'families', or 'random:N' for N random classifiers;",
            f"given is {chosen!r}.",
            "Use 'standard' if unsure.",
        )
    return choose_pool(chosen, "classification", seed) if isinstance(chosen, str) else chosen
