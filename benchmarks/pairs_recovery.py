"""Votes with known truth: whether intervals cover it, and how long a fit takes."""

from time import process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_SEEDS, _FEW_SEEDS = 100, 20
_DESIGNS: dict[str, dict[str, Any]] = {
    "10 models, 400 votes": {"respondents": 10, "votes": 400, "order": 0.3},
    "20 models, 3,000 votes": {"respondents": 20, "votes": 3000, "order": 0.3},
    "20 models, 3,000 votes, no ties": {
        **{"respondents": 20, "votes": 3000, "order": 0.3},
        "ties": 0.0,
    },
    "20 models, 6,000 votes on 300 items": {
        **{"respondents": 20, "votes": 6000, "order": 0.3},
        "items": 300,
    },
    "50 models, 20,000 votes": {"respondents": 50, "votes": 20_000, "order": 0.5, "ties": 0.1},
    "300 models, 100,000 votes": {
        **{"respondents": 300, "votes": 100_000, "order": 0.2},
        "ties": 0.3,
    },
}
_LARGE = {"respondents": 300, "votes": 1_000_000, "order": 0.2}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Simulate, fit, compare."""
    rows = []
    for name, design in _DESIGNS.items():
        if options.small and int(design["votes"]) > 5000:
            continue
        seeds = _FEW_SEEDS if int(design["votes"]) > 50_000 else _SEEDS
        rows.append({"design": name} | _cover(design, 3 if options.small else seeds))
        show_progress(f"  {rows[-1]}")
    if not options.small:
        rows.append({"design": "300 models, 1,000,000 votes", "seconds": _time_large()})
        show_progress(f"  {rows[-1]}")
    return rows


def _cover(design: dict[str, Any], seeds: int) -> Row:
    covered, ranked, order, ties, seconds = [], [], [], [], []
    for seed in range(seeds):
        drawn = ic.pairs.simulate_votes(seed=seed, **design)
        table = drawn.frame()
        began = process_time()
        fit = ic.fit_pairs(table, on_failure="ignore")
        seconds.append(process_time() - began)
        board = fit.frame().set_index("respondent").loc[list(drawn.respondents)]
        truth = drawn.strengths
        covered += ((board["lower"] <= truth) & (truth <= board["upper"])).tolist()
        ranks = np.argsort(np.argsort(-truth)) + 1
        ranked.append(((board["best_rank"] <= ranks) & (ranks <= board["worst_rank"])).all())
        effects = fit.effects().set_index("effect")
        order.append(_holds(effects.loc["order"], design["order"]))
        share = design.get("ties", 0.2)
        if share:
            ties.append(_holds(effects.loc["ties"], np.log(2 * share / (1 - share))))
    return {
        "intervals": len(covered),
        "strengths": float(np.mean(covered)),
        "ranks": float(np.mean(ranked)),
        "order": float(np.mean(order)),
        "ties": float(np.mean(ties)) if ties else None,
        "seconds": min(seconds),
    }


def _holds(row: Any, truth: float) -> bool:
    return bool(row["lower"] <= truth <= row["upper"])


def _time_large() -> float:
    """From a table in memory to the leaderboard, the fastest of three."""
    drawn = ic.pairs.simulate_votes(seed=1, **_LARGE)
    table = drawn.frame()[["respondent_a", "respondent_b", "winner"]]
    times = []
    for _ in range(3):
        began = process_time()
        ic.fit_pairs(table).frame()
        times.append(process_time() - began)
    return min(times)


SECTION = Section(
    name="pairs_recovery",
    title="Votes with known truth",
    notes=f"""\
`itemcurve.pairs.simulate_votes`, seeds 0 to {_SEEDS - 1} ({_FEW_SEEDS} seeds of 300 models): \
Davidson's ties (two in ten between equals unless the row says otherwise), an advantage of side a. \
Shares of 90 % intervals that hold the true strength, order and ties; ranks: share of seeds in \
which all ranks lie within their bounds, which have 95 % together. Seconds of a processor, one \
BLAS thread, the fastest fit, from a table.""",
    columns=(
        Column("design", "design"),
        Column("intervals", "intervals", ","),
        Column("strengths", "strengths", ".3f"),
        Column("ranks", "all ranks", ".2f"),
        Column("order", "order", ".2f"),
        Column("ties", "ties", ".2f"),
        Column("seconds", "seconds", ".3f"),
    ),
    measure=measure,
)
