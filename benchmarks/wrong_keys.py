"""Items with a wrong key: which tools can say that better respondents do worse."""

import numpy as np
from numpy.typing import NDArray

import itemcurve
from benchmarks.evaluator import correlation, rmse
from benchmarks.section import Column, Options, Row, Section, show_progress
from benchmarks.tools import ITEMCURVE_ML, MODULES, TOOLS, fit_apart

_RESPONDENTS, _ITEMS, _WRONG = 1_000, 40, 5
_SEED = 1


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Turn the answers of five items round, then fit with every tool."""
    n_respondents = 200 if options.small else _RESPONDENTS
    truth = itemcurve.simulate("2pl", respondents=n_respondents, items=_ITEMS, seed=_SEED)
    Y = np.ascontiguousarray(truth.responses.array().astype(np.int8))
    Y[:, :_WRONG] = 1 - Y[:, :_WRONG]
    slope = np.array(truth.items["discrimination"], dtype=float)
    slope[:_WRONG] *= -1
    kept = {row["tool"]: row for row in cached if options.keep_peers and row.get("rmse_a")}
    rows: list[Row] = [
        {"tool": "truth", "found": _WRONG, "false": 0, "wrong_slopes": _listed(slope)}
    ]
    for tool in TOOLS:
        # Wrong keys are found with and without priors; one row is enough here.
        if tool == ITEMCURVE_ML:
            continue
        row = kept.get(tool) if tool in MODULES else None
        rows.append(row or {"tool": tool} | _measure_tool(tool, Y, slope, options))
        show_progress(f"  {rows[-1]}")
    return rows


def _measure_tool(
    tool: str, Y: NDArray[np.int8], slope: NDArray[np.float64], options: Options
) -> Row:
    outcome = fit_apart(tool, Y, options)
    if outcome.failure:
        return {"note": outcome.failure}
    found = outcome.arrays["discrimination"].astype(float)
    return {
        "found": int((found[:_WRONG] < 0).sum()),
        "false": int((found[_WRONG:] < 0).sum()),
        "wrong_slopes": _listed(found),
        "rmse_a": rmse(found, slope),
        "corr_a": correlation(found, slope),
        "note": "",
    }


def _listed(slopes: NDArray[np.float64]) -> str:
    return ", ".join(f"{value:.2f}" for value in slopes[:_WRONG])


SECTION = Section(
    name="wrong_keys",
    title="Items with a wrong key",
    notes=f"""\
`itemcurve.simulate("2pl", {_RESPONDENTS:,} × {_ITEMS}, seed={_SEED})`, the answers of the first \
{_WRONG} items turned round, so that their discriminations are negative. Found: how many of them \
come out negative; false: how many of the other {_ITEMS - _WRONG} do. RMSE and correlation are of \
all discriminations. Settings as in the first section.""",
    columns=(
        Column("tool", "tool"),
        Column("found", f"found, of {_WRONG}"),
        Column("false", "false"),
        Column("wrong_slopes", "their discriminations"),
        Column("rmse_a", "a: RMSE", ".3f"),
        Column("corr_a", "a: corr.", ".3f"),
        Column("note", "note"),
    ),
    measure=measure,
)
