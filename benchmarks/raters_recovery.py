"""Ratings with known truth: are odd judges found, others left alone, and do intervals cover?"""

from time import process_time
from typing import Any

import numpy as np

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

# Seeds that no setting was chosen by.
_FIRST, _SEEDS = 2000, 20
_PANEL: dict[str, Any] = {"respondents": 20, "items": 100, "raters": 6}
_ODD = {"severe": 0, "inconsistent": 1, "prefers own family": 2}
_PANELS: dict[str, tuple[str, dict[str, Any]]] = {
    "one harsh, one random, one biased": (
        "grm",
        {**_PANEL, "harsh": [0], "random": [1], "biased": [2]},
    ),
    "nobody odd": ("grm", _PANEL),
}


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Draw, fit, report."""
    seeds = range(_FIRST, _FIRST + (2 if options.small else _SEEDS))
    rows: list[Row] = []
    for name, (model, panel) in _PANELS.items():
        # A panel that was measured is not measured again; delete the file to begin anew.
        done = [row for row in cached if row["panel"] == name and options.keep_peers]
        if done:
            rows += done
            continue
        rows.append({"panel": name, "model": model} | _measure_panel(model, panel, seeds))
        show_progress(f"  {rows[-1]}")
    return rows


def _measure_panel(model: str, panel: dict[str, Any], seeds: range) -> Row:
    planned = {(kind, judge) for kind, judge in _ODD.items() if judge in _odd_judges(panel)}
    found, flags, unplanned, covered, seconds = 0, 0, 0, [], []
    for seed in seeds:
        drawn = ic.judges.simulate_ratings(seed=seed, **panel)
        began = process_time()
        fit = ic.fit(drawn.ratings, model, raters=ic.judges.Raters(families=drawn.families))
        seconds.append(process_time() - began)
        report = ic.judges.judge_report(fit)
        raised = {
            (kind, int(judge))
            for kind, is_flagged in report.flags().items()
            for judge in np.flatnonzero(is_flagged)
        }
        if raised != planned:
            show_progress(f"    seed {seed}: {sorted(raised ^ planned)}")
        found += planned <= raised
        flags, unplanned = flags + len(raised), unplanned + len(raised - planned)
        truth = (drawn.abilities - drawn.abilities.mean()) / drawn.abilities.std()
        table = fit.respondents
        covered += (np.abs(table["ability"] - truth) < 1.645 * table["ability_se"]).tolist()
    return {
        "seeds": len(seeds),
        "found": found if planned else None,
        "flags": flags,
        "unplanned": unplanned,
        "share": unplanned / max(flags, 1) if planned else None,
        "cover": float(np.mean(covered)),
        "seconds": float(np.median(seconds)),
    }


def _odd_judges(panel: dict[str, Any]) -> set[int]:
    return {judge for kind in ("harsh", "random", "biased") for judge in panel.get(kind, ())}


SECTION = Section(
    name="raters_recovery",
    title="Odd judges among good ones",
    notes=f"""\
`itemcurve.judges.simulate_ratings`: 20 models, 100 items, 6 judges, five grades, seeds \
{_FIRST} to {_FIRST + _SEEDS - 1}, by which no setting was chosen. The harsh judge is 1.5 logits \
more severe, the random one follows quality by a slope of .05 instead of 1.3, the biased one \
gives its family one logit more. Found: seeds in which all three are flagged for what they are. \
Unplanned: every other flag, also on judges whose drawn severity (sd .2 logits) happens to be far \
from the others'. Cover: 90 % intervals of ability. Seconds of a processor for one fit, the \
median.""",
    columns=(
        Column("panel", "panel"),
        Column("model", "model"),
        Column("seeds", "seeds"),
        Column("found", "all three found"),
        Column("flags", "flags"),
        Column("unplanned", "unplanned"),
        Column("share", "unplanned share", ".3f"),
        Column("cover", "cover", ".3f"),
        Column("seconds", "seconds", ".1f"),
    ),
    measure=measure,
)
