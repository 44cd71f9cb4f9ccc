"""Difficulty on features of items: whether slopes are shrunk, and whether intervals cover.

The rival is a regression of estimated difficulties on the same features, as one would do by hand.
"""

from typing import Any

import numpy as np
from scipy.stats import t

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_SLOPES, _LEFT, _ORIGIN = np.array([0.6, -0.4]), 0.5, -0.3
_REPLICATES = 100
# Respondents, items.
_DESIGNS = {
    "500 × 40": (500, 40),
    "1,000 × 20": (1000, 20),
    "60 × 300": (60, 300),
    "30 × 100": (30, 100),
}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Simulate, fit, regress."""
    rows: list[Row] = []
    for name, (respondents, items) in _DESIGNS.items():
        drawn = [
            _trial(respondents, items, seed) for seed in range(2 if options.small else _REPLICATES)
        ]
        means = {key: float(np.mean([own[key] for own in drawn])) for key in drawn[0]}
        rows.append({"design": name, "replicates": len(drawn), **means})
        show_progress(f"  {rows[-1]}")
    return rows


def _trial(respondents: int, items: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng([7, seed])
    features = rng.normal(size=(items, 2))
    difficulty = _ORIGIN + features @ _SLOPES + _LEFT * rng.normal(size=items)
    slope, ability = np.exp(0.3 * rng.normal(size=items)), rng.normal(size=respondents)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    fit = ic.fit(responses, "2pl", on_failure="ignore")
    found = fit.explain_items({"one": features[:, 0], "other": features[:, 1]})
    # On the scale of the sample.
    truth = _SLOPES / ability.std()
    table = found.coefficients.iloc[1:]
    design = np.column_stack([np.ones(items), features])
    estimates = np.clip(fit.items["difficulty"].to_numpy(float), -10, 10)
    plain = np.linalg.lstsq(design, estimates, rcond=None)[0]
    rest = estimates - design @ plain
    spread = np.linalg.inv(design.T @ design) * (rest @ rest) / (items - 3)
    reach = t.ppf(0.95, items - 3)
    wide = reach * np.sqrt(np.diag(spread))[1:]
    return {
        "ratio": float((table["estimate"].to_numpy() / truth).mean()),
        "covered": float((abs(table["estimate"] - truth) < reach * table["se"]).mean()),
        "left": found.residual_sd * ability.std() / _LEFT,
        "plain_ratio": float((plain[1:] / truth).mean()),
        "plain_covered": float((abs(plain[1:] - truth) < wide).mean()),
    }


SECTION = Section(
    "item_features",
    "What makes items hard: difficulty on features",
    "Simulated: difficulties follow two features with slopes .6 and −.4 and a residual of .5. 90 % "
    "intervals. `ratio`: estimated slopes over true ones; `left`: the residual's spread over the "
    "true one. The rival regresses estimated difficulties on the features.",
    (
        Column("design", "respondents × items"),
        Column("replicates", "replicates"),
        Column("ratio", "ratio", ".3f"),
        Column("covered", "covered", ".3f"),
        Column("left", "left", ".3f"),
        Column("plain_ratio", "the rival's ratio", ".3f"),
        Column("plain_covered", "the rival's covered", ".3f"),
    ),
    measure,
)
