"""Tables of models × benchmarks with scores left out: whether intervals cover, and how far off."""

from os import environ
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_SHARE = 0.15
_NO_SCORES = (
    *("Model", "Model Family", "Model Size (B)", "Pretraining Data Size (T)", "FLOPs (1E21)"),
    "Arena-Elo",
)
_SETTINGS: dict[str, dict[str, Any]] = {
    "one ability": {},
    "as many as are chosen": {"dimensions": "auto"},
}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Leave 15 % of the scores out, five and twenty times."""
    folder = Path(environ.get("ITEMCURVE_DATA", "")) / "data" / "llm"
    rows: list[Row] = []
    for path in sorted(folder.glob("obsscaling_*.parquet")):
        table = pandas.read_parquet(path)
        values = table.drop(columns=list(_NO_SCORES), errors="ignore").to_numpy(float)
        for name, settings in _SETTINGS.items():
            drawn = [_trial(values, seed, settings) for seed in range(2 if options.small else 20)]
            means = {key: float(np.mean([own[key] for own in drawn])) for key in drawn[0]}
            means["covered"] = _pooled(drawn)
            rows.append(
                {
                    "table": path.stem,
                    "settings": name,
                    "splits": len(drawn),
                    "first_covered": _pooled(drawn[:5]),
                    **means,
                }
            )
            show_progress(f"  {rows[-1]}")
    return rows


def _pooled(drawn: list[dict[str, float]]) -> float:
    return sum(own["inside"] for own in drawn) / sum(own["cells"] for own in drawn)


def _trial(values: Any, seed: int, settings: dict[str, Any]) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    held = (rng.random(values.shape) < _SHARE) & ~np.isnan(values)
    seen = np.where(held, np.nan, values)
    known = (~np.isnan(seen)).any(axis=1)
    held, truth = held[known], values[known]
    began = process_time()
    responses = ic.Responses.from_array(seen[known])
    fit: Any = ic.fit(responses, "logit-normal", on_failure="ignore", **settings)
    found = fit.predict()
    seconds = process_time() - began
    means = np.broadcast_to(np.nanmean(seen, axis=0), truth.shape)
    inside = (found.lower <= truth) & (truth <= found.upper)
    return {
        "cells": float(held.sum()),
        "inside": float(inside[held].sum()),
        "width": float((found.upper - found.lower)[held].mean()),
        "rmse": float(np.sqrt(np.mean((found.mean - truth)[held] ** 2))),
        "mean_rmse": float(np.sqrt(np.mean((means - truth)[held] ** 2))),
        "seconds": seconds,
    }


SECTION = Section(
    "score_tables",
    "Tables of models × benchmarks, scores left out",
    "15 % of the scores, predicted by `logit-normal` with 90 % intervals; `covered` over all "
    "splits and over the first five. The rival is each benchmark's mean.",
    (
        Column("table", "table"),
        Column("settings", "abilities"),
        Column("splits", "splits"),
        Column("cells", "scores a split", ".0f"),
        Column("covered", "covered", ".3f"),
        Column("first_covered", "first five", ".3f"),
        Column("width", "width", ".3f"),
        Column("rmse", "RMSE", ".4f"),
        Column("mean_rmse", "the mean's", ".4f"),
        Column("seconds", "CPU s", ".1f"),
    ),
    measure,
)
