"""The 2PL fitted by each tool to the same simulated data."""

import datetime
import hashlib

import numpy as np
from numpy.typing import NDArray

import itemcurve
from benchmarks.evaluator import correlation, marginal_log_likelihood, rmse
from benchmarks.section import Column, Options, Row, Section, show_progress
from benchmarks.tools import ENOUGH, INCLUDED, ITEMCURVE, MODULES, RUNS, TOOLS, fit_apart
from benchmarks.worker import Arrays
from itemcurve.datasets.simulation import Simulation

_SIZES = ((200, 81), (1_000, 100), (2_000, 1_000), (30, 1_000))
_SMALL = ((100, 20), (20, 60))
_SEED = 1


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Time and judge every tool at every size."""
    rows: list[Row] = []
    for n_respondents, n_items in _SMALL if options.small else _SIZES:
        rows += _measure_size(n_respondents, n_items, options, cached)
    return rows


def _measure_size(
    n_respondents: int, n_items: int, options: Options, cached: list[Row]
) -> list[Row]:
    size = f"{n_respondents:,} × {n_items:,}"
    truth = itemcurve.simulate("2pl", respondents=n_respondents, items=n_items, seed=_SEED)
    Y = np.ascontiguousarray(truth.responses.array().astype(np.int8))
    known: Row = {"size": size, "data": hashlib.sha256(Y.tobytes()).hexdigest()[:12]}
    kept = {
        row["tool"]: row
        for row in cached
        if options.keep_peers and known.items() <= row.items() and _is_measured(row)
    }
    rows: list[Row] = []
    for tool in TOOLS:
        if tool in MODULES and tool in kept:
            rows.append(kept[tool])
            continue
        row = known | {"tool": tool} | _measure_tool(tool, Y, truth, options)
        row["date"] = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        show_progress(f"  {size}  {tool}: {_in_short(row)}")
        rows.append(row)
    return _with_ratios(rows)


def _measure_tool(
    tool: str,
    Y: NDArray[np.int8],
    truth: Simulation,
    options: Options,
) -> Row:
    outcome = fit_apart(tool, Y, options)
    if outcome.failure:
        return {"note": outcome.failure}
    return _judge(outcome.arrays, Y, truth)


def _judge(found: Arrays, Y: NDArray[np.int8], truth: Simulation) -> Row:
    slope, difficulty, abilities = (
        found[key].astype(float) for key in ("discrimination", "difficulty", "abilities")
    )
    true_slope, true_difficulty = (
        truth.items[key].to_numpy(float) for key in ("discrimination", "difficulty")
    )
    return {
        "seconds": float(found["seconds"]),
        "runs": int(found["runs"]),
        "log_likelihood": marginal_log_likelihood(Y, slope, difficulty),
        "rmse_a": rmse(slope, true_slope),
        "corr_a": correlation(slope, true_slope),
        "rmse_b": rmse(difficulty, true_difficulty),
        "corr_b": correlation(difficulty, true_difficulty),
        "max_b": float(np.abs(difficulty).max()),
        "rmse_ability": rmse(abilities, truth.abilities),
        "converged": str(found["converged"]),
        "note": "" if np.isfinite(abilities).all() else "abilities are NaN",
    }


def _is_measured(row: Row) -> bool:
    """A time, or the knowledge that the limit was hit; not an absent or failing tool."""
    return row.get("seconds") is not None or str(row["note"]).startswith("over")


def _with_ratios(rows: list[Row]) -> list[Row]:
    base = next((row for row in rows if row["tool"] == ITEMCURVE and row.get("seconds")), None)
    for row in rows:
        seconds = row.get("seconds")
        row["ratio"] = float(seconds) / float(base["seconds"]) if base and seconds else None
    return rows


def _in_short(row: Row) -> str:
    if row.get("seconds") is None:
        return str(row["note"])
    return f"{row['seconds']:.3f} s, log-likelihood {row['log_likelihood']:.3f}"


SECTION = Section(
    name="fitting",
    title="2PL on the same simulated data",
    notes=f"""\
Data: `itemcurve.simulate("2pl", …, seed={_SEED})`, complete. Seconds: best of {RUNS} runs, fewer \
once {ENOUGH:.0f} s are spent, so slow tools ran once; imports are not timed. Ratio: seconds \
divided by those of itemcurve with its default priors. Log-likelihood: of the returned items with \
abilities N(0, 1), by one dense quadrature (2,001 nodes on ±8) for all tools; maximum likelihood \
has the highest, priors give some of it up. At 30 respondents itemcurve's default integrates the \
items out, not the abilities, so this is not what it maximises. With `--keep-peers` the other \
tools' seconds come from an earlier run under another load, so the ratios are then only rough.

Seconds include:

{INCLUDED}""",
    columns=(
        Column("tool", "tool"),
        Column("seconds", "seconds", ".3f"),
        Column("ratio", "ratio", ",.1f"),
        Column("log_likelihood", "log-likelihood", ",.3f"),
        Column("rmse_a", "a: RMSE", ".3f"),
        Column("corr_a", "a: corr.", ".3f"),
        Column("rmse_b", "b: RMSE", ".3f"),
        Column("corr_b", "b: corr.", ".3f"),
        Column("max_b", "max abs. b", ".1f"),
        Column("rmse_ability", "θ: RMSE", ".3f"),
        Column("converged", "says it converged"),
        Column("note", "note"),
    ),
    measure=measure,
    group_by="size",
)
