"""Answers of students: β³ against 2PL-ND on held-out answers (Chen et al. 2019, section 4).

The 33 courses of the paper are private; public logs and tests take their place.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.estimation.fit import fit
from itemcurve.estimation.joint.settings import Joint
from itemcurve.estimation.pointwise_log_likelihood import CellDensities
from itemcurve.models.likelihood import Likelihood
from itemcurve.responses.matrix import Responses
from itemcurve_studies.beta3.students.answers import (
    REPEATED,
    Answers,
    Scenario,
    find_sets,
    hold_out,
    read_answers,
)
from itemcurve_studies.beta3.students.training import (
    STEPS,
    Curves,
    Start,
    Step,
    descend,
    draw_start,
)
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

if TYPE_CHECKING:
    import pandas

# Trained as the paper says; then what tells why they differ.
TRAINED: Mapping[str, tuple[Start, Step]] = {
    "beta3": ("counts", "mean"),
    "2pl-nd": ("normal", "mean"),
    "beta3, sum": ("counts", "sum"),
    "2pl-nd, sum": ("normal", "sum"),
    "beta3, δ reversed": ("reversed counts", "mean"),
    "beta3, δ reversed, sum": ("reversed counts", "sum"),
}
# Maximum a posteriori under log-loss, and a 2PL with the students integrated out.
REGULARISED: Mapping[str, Mapping[str, Any]] = {
    "beta3, priors": {
        "model": "fractional-beta3",
        "method": Joint(tolerance=1e-6, max_iterations=200),
    },
    "2pl, regularised": {"model": "fractional-2pl", "method": "marginal"},
}
METHODS = (*TRAINED, *REGULARISED)
PRINTED = ("beta3", "2pl-nd")
# Whose questions are kept, with the slopes that they started from.
DESCRIBED = ("beta3", "beta3, sum", "beta3, δ reversed")


def study_students(
    parts: FinishedParts,
    data: Path,
    names: Sequence[str] | None,
    hold_outs: int,
    report: Report,
    steps: int = STEPS,
) -> Tables:
    """Give the tables `losses` (one row per hold-out) and `questions` (of the first one).

    Parameters
    ----------
    names : data sets; all there are when None.
    hold_outs : of 90/10.
    steps : of gradient descent.
    """
    done = []
    for name in find_sets(data) if names is None else names:
        scenarios: tuple[Scenario, ...] = ("average", "first") if name in REPEATED else ("first",)
        for scenario in scenarios:
            answers = read_answers(data, name, scenario)
            for seed in range(hold_outs):
                key = f"students-2-{name}-{scenario}-{seed}-{steps}"
                make = partial(compare_once, answers, name, scenario, seed, steps)
                done.append(parts.tables(key, make))
            report(f"{name}, {scenario}: {len(answers):,} answers, {hold_outs} hold-outs")
    return join_parts(done)


def compare_once(
    answers: Answers, name: str, scenario: str, seed: int, steps: int = STEPS
) -> Tables:
    """Train everything on one hold-out."""
    import pandas

    held = hold_out(answers, seed)
    known, asked = answers.take(~held), answers.take(held)
    keys: dict[str, Any] = {"data": name, "scenario": scenario, "hold_out": seed}
    losses, tables = {}, {}
    for place, (method, (start, step)) in enumerate(TRAINED.items()):
        rng = np.random.default_rng([23, seed, place])
        begun = draw_start(known, start, answers.shape, rng)
        found = descend(known, begun, step, rng, steps)
        losses[method] = found.log_loss(asked)
        if seed == 0 and method in DESCRIBED:
            tables[method] = _describe(found, begun).assign(method=method, **keys)
    for method, settings in REGULARISED.items():
        losses[method] = _fitted_loss(known, asked, settings)
    # What a question's own mean says of every student.
    losses["question means"] = _mean_loss(known, asked)
    rows = pandas.DataFrame([{**keys, "method": m, "log_loss": v} for m, v in losses.items()])
    if not tables:
        return {"losses": rows}
    return {"losses": rows, "questions": pandas.concat(tables.values(), ignore_index=True)}


def _describe(curves: Curves, start: Curves) -> "pandas.DataFrame":
    import pandas

    difficulty = 0.5 * (1 + np.tanh(curves.difficulties / 2))
    columns = {"discrimination": curves.slopes, "start": start.slopes}
    return pandas.DataFrame({"difficulty": difficulty, **columns})


def _fitted_loss(known: Answers, asked: Answers, settings: Mapping[str, Any]) -> float:
    shape = known.shape
    found = fit(_responses(known, shape), on_failure="ignore", **settings)
    estimates = found.estimates
    cells = CellDensities.of(Likelihood(estimates.model), _responses(asked, shape))
    return float(-cells.log_density(estimates.abilities, estimates.values).mean())


def _mean_loss(known: Answers, asked: Answers) -> float:
    count = known.shape[1]
    right = np.bincount(known.questions, known.scores, count) + 0.5
    share = right / (np.bincount(known.questions, minlength=count) + 1)
    expected = share[asked.questions]
    loss = asked.scores * np.log(expected) + (1 - asked.scores) * np.log1p(-expected)
    return float(-loss.mean())


def _responses(answers: Answers, shape: tuple[int, int]) -> Responses:
    from scipy.sparse import coo_array

    places = (answers.students, answers.questions)
    return Responses.from_array(coo_array((answers.scores, places), shape=shape))
