"""Hold-outs that no rule was made on: β³ as printed, with δ reversed, and 2PL-ND."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from itemcurve_studies.beta3.students.answers import (
    REPEATED,
    Answers,
    Scenario,
    hold_out,
    read_answers,
)
from itemcurve_studies.beta3.students.training import STEPS, Start, descend, draw_start
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

_STARTS: Mapping[str, Start] = {
    "beta3": "counts",
    "beta3, δ reversed": "reversed counts",
    "2pl-nd": "normal",
}
_FIRST_SEED = 1_000


def study_fresh(
    parts: FinishedParts,
    data: Path,
    names: Sequence[str],
    hold_outs: int,
    report: Report,
    steps: int = STEPS,
) -> Tables:
    """Give the table `fresh_students`: one row per data set, scenario, hold-out and method."""
    done = []
    for name in names:
        scenarios: tuple[Scenario, ...] = ("average", "first") if name in REPEATED else ("first",)
        for scenario in scenarios:
            answers = read_answers(data, name, scenario)
            for seed in range(_FIRST_SEED, _FIRST_SEED + hold_outs):
                key = f"fresh-students-{name}-{scenario}-{seed}-{steps}"
                make = partial(train_once, answers, name, scenario, seed, steps)
                done.append(parts.tables(key, make))
            report(f"{name}, {scenario}: {hold_outs} fresh hold-outs")
    return join_parts(done)


def train_once(answers: Answers, name: str, scenario: str, seed: int, steps: int) -> Tables:
    """Train the three on one hold-out; of the questions, where they started and ended."""
    import pandas

    held = hold_out(answers, seed)
    known, asked = answers.take(~held), answers.take(held)
    rows: list[dict[str, Any]] = []
    for place, (method, start) in enumerate(_STARTS.items()):
        rng = np.random.default_rng([24, seed, place])
        begun = draw_start(known, start, answers.shape, rng)
        found = descend(known, begun, "mean", rng, steps)
        slopes = found.slopes
        rows.append(
            {
                "data": name,
                "scenario": scenario,
                "hold_out": seed,
                "method": method,
                "log_loss": found.log_loss(asked),
                "questions": len(slopes),
                "flat": int((np.abs(slopes) < 1).sum()),
                "negative": int((slopes < 0).sum()),
                "flat_at_start": int((np.abs(begun.slopes) < 1).sum()),
                "median_move": float(np.median(np.abs(slopes - begun.slopes))),
            }
        )
    return {"fresh_students": pandas.DataFrame(rows)}
