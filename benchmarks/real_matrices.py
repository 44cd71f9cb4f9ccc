"""Real language models on real benchmarks: time, status, and cells that were left out."""

import os
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_RESPONDENTS, _ITEMS, _SEEDS = 60, 1_500, 3
_LEFT_OUT = 0.15
_SIDES = ("items", "respondents")


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Every matrix, both sides; the rows of before where the data are not at hand."""
    folder = Path(os.environ.get("ITEMCURVE_DATA", "")) / "data" / "llm"
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        show_progress("  skipped: ITEMCURVE_DATA names no folder with data/llm")
        return cached
    rows: list[Row] = []
    for path in paths[:1] if options.small else paths:
        for over in _SIDES:
            rows.append(_measure_matrix(path, over, 1 if options.small else _SEEDS))
            show_progress(f"  {rows[-1]}")
    return rows


def _cut(path: Path, seed: int) -> NDArray[np.float64]:
    """At most 60 models and 1,500 items, drawn by a seed; NaN where nothing was observed."""
    with np.load(path) as file:
        codes = file["R"]
    values = np.where(codes == 255, np.nan, codes.astype(float))
    rng = np.random.default_rng(seed)
    values = values[rng.choice(len(values), min(_RESPONDENTS, len(values)), False)]
    if values.shape[1] > _ITEMS:
        values = values[:, rng.choice(values.shape[1], _ITEMS, False)]
    return values[:, np.isfinite(values).any(axis=0)]


def _measure_matrix(path: Path, over: str, seeds: int) -> Row:
    method = ic.Marginal(over="items" if over == "items" else "respondents")
    seconds, status, losses, plain = [], [], [], []
    for seed in range(seeds):
        values = _cut(path, seed)
        began = process_time()
        fit = ic.fit(ic.Responses.from_array(values), "2pl", method=method, on_failure="ignore")
        seconds.append(process_time() - began)
        status.append(fit.status.name.lower())
        loss, rival = _held_out(values, method, seed)
        losses.append(loss)
        plain.append(rival)
    return {
        "matrix": path.stem,
        "over": over,
        "seconds": float(np.median(seconds)),
        "slowest": float(np.max(seconds)),
        "status": ", ".join(sorted(set(status))),
        "loss": float(np.mean(losses)),
        "plain": float(np.mean(plain)),
    }


def _held_out(values: NDArray[np.float64], method: ic.Marginal, seed: int) -> tuple[float, float]:
    """Log-loss of cells left out: of the fit, and of each item's share of right answers."""
    rng = np.random.default_rng(1000 + seed)
    out = (rng.random(values.shape) < _LEFT_OUT) & np.isfinite(values)
    seen = np.where(out, np.nan, values)
    kept = np.isfinite(seen).any(axis=0)
    seen, out, values = seen[:, kept], out[:, kept], values[:, kept]
    fit = ic.fit(ic.Responses.from_array(seen), "2pl", method=method, on_failure="ignore")
    share = (np.nansum(seen, axis=0) + 0.5) / (np.isfinite(seen).sum(axis=0) + 1)
    rival = np.broadcast_to(share, values.shape)
    found = fit.expected_response(fit.estimates.abilities)
    return _loss(values[out], found[out]), _loss(values[out], rival[out])


def _loss(right: NDArray[np.float64], chance: NDArray[np.float64]) -> float:
    chance = np.clip(chance, 1e-4, 1 - 1e-4)
    return float(-np.mean(right * np.log(chance) + (1 - right) * np.log1p(-chance)))


SECTION = Section(
    name="real_matrices",
    title="Real matrices of language models",
    notes=f"2PL on up to {_RESPONDENTS} models × {_ITEMS:,} items of eight benchmarks, {_SEEDS} "
    f"draws each; processor seconds. {_LEFT_OUT:.0%} of the cells are left out and predicted; the "
    "plain rival is each item's share of right answers.",
    columns=(
        Column("matrix", "matrix"),
        Column("over", "integrated out"),
        Column("seconds", "median s", ".2f"),
        Column("slowest", "slowest s", ".2f"),
        Column("status", "ended"),
        Column("loss", "log-loss left out", ".4f"),
        Column("plain", "plain rival", ".4f"),
    ),
    measure=measure,
)
