"""Answers of language models that were left out: one ability against as many as are chosen."""

from os import environ
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_SEEDS = 5
_SHARE = 0.15
_MOST_ITEMS = 1000
_EDGE = 1e-4
_NOT_ANSWERED = 255


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Leave 15 % of the cells out, five times each; rows that were measured before are kept."""
    folder = Path(environ.get("ITEMCURVE_DATA", "")) / "data" / "llm"
    rows = list(cached) if options.keep_peers else []
    done = {(row["matrix"], row["seed"]) for row in rows}
    for path in sorted(folder.glob("*.npz")):
        for seed in range(1 if options.small else _SEEDS):
            if (path.stem, seed) in done:
                continue
            rows.append({"matrix": path.stem, "seed": seed} | _trial(path, seed))
            show_progress(f"  {rows[-1]}")
    return rows


def _trial(path: Path, seed: int) -> Row:
    values = _read(path)
    rng = np.random.default_rng(seed)
    if values.shape[1] > _MOST_ITEMS:
        chosen = np.sort(rng.choice(values.shape[1], _MOST_ITEMS, replace=False))
        values = values[:, chosen]
    held = (rng.random(values.shape) < _SHARE) & ~np.isnan(values)
    seen = np.where(held, np.nan, values)
    answered = (~np.isnan(seen)).any(axis=0)
    values, held, seen = values[:, answered], held[:, answered], seen[:, answered]
    responses = ic.Responses.from_array(seen)
    one = ic.fit(responses, "2pl", on_failure="ignore")
    plain = _loss(one.expected_response(one.estimates.abilities), values, held)
    began = process_time()
    many = ic.fit(responses, "2pl", dimensions="auto", on_failure="ignore")
    seconds = process_time() - began
    several = _loss(many.predict().mean, values, held)
    means = np.broadcast_to(np.nanmean(seen, axis=0), values.shape)
    return {
        "item_mean": _loss(means, values, held),
        "one_ability": plain,
        "several": several,
        "dimensions": many.pattern.size,
        "gain": 1 - several / plain,
        "status": many.status.name.lower(),
        "seconds": seconds,
    }


def _read(path: Path) -> Any:
    with np.load(path) as arrays:
        found = next(arrays[name] for name in arrays.files if arrays[name].ndim == 2)
    values = found.astype(float)
    values[values == _NOT_ANSWERED] = np.nan
    return values


def _loss(expected: Any, values: Any, held: Any) -> float:
    chance = np.clip(expected, _EDGE, 1 - _EDGE)[held]
    answers = values[held]
    return float(-(answers * np.log(chance) + (1 - answers) * np.log1p(-chance)).mean())


SECTION = Section(
    "dimensions_held_out",
    "Answers left out: one ability against as many as are chosen",
    "Log-loss of 15 % of the cells. The number of abilities is chosen inside the other 85 %.",
    (
        Column("matrix", "matrix"),
        Column("seed", "seed"),
        Column("item_mean", "each item's share", ".4f"),
        Column("one_ability", "2PL", ".4f"),
        Column("several", "several abilities", ".4f"),
        Column("dimensions", "chosen"),
        Column("gain", "gain", ".1%"),
        Column("status", "status"),
        Column("seconds", "CPU s", ".1f"),
    ),
    measure,
)
