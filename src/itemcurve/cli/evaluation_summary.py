"""An evaluation for people and for machines: who is ahead, which labels look wrong.

`evaluate --json` prints::

    itemcurve, command, run, model, task
    shape            {respondents, items}
    status           {name, message, is_converged}
    leaderboard      [{rank, respondent, ability, ability_se, ability_lower, …, tier, accuracy, …}]
    audit            [{item, verdict, label_error_probability, …}]
    failures, warnings   [{respondent, reason | text}]
    notes            what was decided about the data
    flipped          {count, suspects, found}, with --flip-labels
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve import __version__
from itemcurve.analysis.verdicts import SUSPECT
from itemcurve.cli.tables import Column, print_table
from itemcurve.cli.terminal import clean, estimate, number

if TYPE_CHECKING:
    import pandas
    from rich.console import Console

    from itemcurve.evaluation.noise import Noisy
    from itemcurve.evaluation.study import EvaluationStudy

_SHOWN_ROWS = 30


def print_study(study: "EvaluationStudy", noisy: "Noisy | None", console: "Console") -> None:
    """Print notes, failures, the leaderboard and the verdicts on items."""
    for note in study.notes:
        console.print(clean(note), soft_wrap=True)
    for failure in study.failures:
        console.print(clean(f"Left out {failure.respondent}: {failure.reason}"), soft_wrap=True)
    if study.cautions:
        who = sorted({caution.respondent for caution in study.cautions})
        named = ", ".join(who[:5]) + (", …" if len(who) > 5 else "")
        console.print(clean(f"Warnings of {len(who)} estimators ({named}) are in the run."))
    console.print(f"{study.settings['split']}; {study.fit.model}, {study.fit.status}.\n")
    _print_leaderboard(study, console)
    _print_verdicts(study, noisy, console)


def describe_study(
    study: "EvaluationStudy", noisy: "Noisy | None", run: Path | None
) -> dict[str, Any]:
    """Give the object that `--json` prints."""
    found: dict[str, Any] = {
        "itemcurve": __version__,
        "command": "evaluate",
        "run": None if run is None else str(run),
        "model": study.fit.model,
        "task": study.task,
        "shape": dict(zip(("respondents", "items"), study.responses.shape, strict=True)),
        "status": {
            "name": study.fit.status.name.lower(),
            "message": str(study.fit.status),
            "is_converged": study.fit.status.is_converged,
        },
        "leaderboard": study.leaderboard().frame().to_dict("records"),
        "failures": [{"respondent": f.respondent, "reason": f.reason} for f in study.failures],
        "warnings": [{"respondent": c.respondent, "text": c.text} for c in study.cautions],
        "notes": list(study.notes),
    }
    audit = study.audit().frame()
    found["audit"] = audit.to_dict("records")
    if noisy is not None:
        found["flipped"] = _count_found(audit, study, noisy)
    return found


def _print_leaderboard(study: "EvaluationStudy", console: "Console") -> None:
    board = study.leaderboard()
    table = board.frame()
    shown = table.head(_SHOWN_ROWS)
    pairs = zip(shown["ability"], shown["ability_se"], strict=True)
    columns = [
        Column("respondent", list(shown["respondent"])),
        Column("rank", [str(rank) for rank in shown["rank"]]),
        Column("tier", [str(tier) for tier in shown["tier"]]),
        Column("ability ± se", [estimate(value, error) for value, error in pairs]),
    ]
    metrics = [*board.metrics, "mean_response"]
    columns += [
        Column(name.replace("_", " "), [number(v, 3) for v in shown[name]], is_optional=True)
        for name in metrics
    ]
    print_table(console, f"Leaderboard ({len(shown):,} of {len(table):,})", columns)


def _print_verdicts(study: "EvaluationStudy", noisy: "Noisy | None", console: "Console") -> None:
    audit = study.audit().frame()
    counts = audit["verdict"].value_counts()
    words = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
    console.print(f"Items: {words}.", soft_wrap=True)
    if noisy is not None:
        found = _count_found(audit, study, noisy)
        console.print(
            f"Of {found['count']:,} flipped labels {found['found']:,} are among the "
            f"{found['suspects']:,} suspect ones.",
            soft_wrap=True,
        )


def _count_found(
    audit: "pandas.DataFrame", study: "EvaluationStudy", noisy: "Noisy"
) -> dict[str, int]:
    verdicts = audit.set_index("item")["verdict"].reindex(list(study.predictions.items))
    is_suspect = (verdicts == SUSPECT).to_numpy()
    return {
        "count": int(noisy.changed.sum()),
        "suspects": int(is_suspect.sum()),
        "found": int((is_suspect & noisy.changed).sum()),
    }
