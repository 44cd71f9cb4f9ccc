"""Both sides of the data on the same responses: whichever is chosen, difficulties are as good."""

from collections import defaultdict

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress
from itemcurve.estimation.identification.integrated_side import choose_side

_SIZES = ((149, 150), (151, 150), (20, 19), (20, 21), (60, 40), (15, 400), (30, 400), (300, 100))
_SEEDS = 100
# Longer ones: the sides differ least there.
_FEWER = {(15, 400): 20, (30, 400): 20, (300, 100): 20}
_SMALL = ((20, 21),)
_WIDTH = 1.645
_TRUTHS = (("items", "difficulty"), ("items", "discrimination"), ("respondents", "ability"))


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Errors and coverage of both sides at every size."""
    sizes = _SMALL if options.small else _SIZES
    rows: list[Row] = []
    for size in sizes:
        seeds = 3 if options.small else _FEWER.get(size, _SEEDS)
        for over in ("items", "respondents"):
            rows.append(_measure_side(*size, over, seeds))
            show_progress(f"  {rows[-1]}")
    return rows


def _measure_side(n_respondents: int, n_items: int, over: str, seeds: int) -> Row:
    method = ic.Marginal(over="items" if over == "items" else "respondents")
    found: dict[str, list[float]] = defaultdict(list)
    for seed in range(seeds):
        truth = ic.simulate("2pl", respondents=n_respondents, items=n_items, seed=seed)
        fit = ic.fit(truth.responses, "2pl", method=method, on_failure="ignore")
        for table, name in _TRUTHS:
            own = getattr(fit, table)
            gap = own[name] - getattr(truth, table)[name]
            found[f"{name}_square"].append(float(np.mean(gap**2)))
            found[f"{name}_cover"].append(float(np.mean(gap.abs() < _WIDTH * own[f"{name}_se"])))
        found["slope"].append(
            float(fit.items["discrimination"].mean() / truth.items["discrimination"].mean())
        )
        found["seconds"].append(fit.seconds)
        found["converged"].append(float(fit.status.is_converged))
    default = choose_side(truth.responses, ic.get_model("2pl"))
    errors = {n: float(np.sqrt(np.mean(found[f"{n}_square"]))) for _, n in _TRUTHS}
    covers = {f"{n}_cover": float(np.mean(found[f"{n}_cover"])) for _, n in _TRUTHS}
    rest = {key: float(np.mean(found[key])) for key in ("slope", "converged", "seconds")}
    return {
        "size": f"{n_respondents} × {n_items}",
        "seeds": seeds,
        "over": over + (" (default)" if over == default else ""),
        **errors,
        **covers,
        **rest,
    }


SECTION = Section(
    name="sides",
    title="Both sides of the data",
    notes="2PL simulated (log a ~ N(0, .4²), b ~ N(0, 1)), true abilities standardised in the "
    "sample, fitted with items and with respondents integrated out. Errors are root mean squares "
    f"over all seeds; cover is the share with |estimate − truth| < {_WIDTH}·se, where 90 % is "
    "right; slope is the mean estimated over the mean true discrimination.",
    columns=(
        Column("size", "respondents × items"),
        Column("seeds", "seeds"),
        Column("over", "integrated out"),
        Column("difficulty", "error of b", ".3f"),
        Column("discrimination", "of a", ".3f"),
        Column("ability", "of ability", ".3f"),
        Column("difficulty_cover", "b covered", ".1%"),
        Column("discrimination_cover", "a", ".1%"),
        Column("ability_cover", "ability", ".1%"),
        Column("slope", "slope", ".2f"),
        Column("converged", "converged", ".0%"),
        Column("seconds", "seconds", ".2f"),
    ),
    measure=measure,
)
