"""An evaluation for people and for machines: who is ahead, which labels look wrong.

`evaluate --json` prints::

    itemcurve, command, run, model, task
    shape            {respondents, items}
    status           {name, message, is_converged}
    order            what respondents are ranked by, in words
    slopes           which slopes the data bear, in words
    leaderboard      [{rank, respondent, tier, skill, …, ability, …, accuracy, …}]
    references       [{respondent, skill, …}], constant answers and oracles
    labels           what was found about labels, in words
    audit            [{item, verdict, label_error_probability, given_label, likely_label, …}]
    findings         [{code, severity, message, …}]
    failures, warnings   [{respondent, reason | text}]
    notes            what was decided about the data
    flipped          {count, suspects, found, metrics}, with --flip-labels
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from itemcurve import __version__
from itemcurve.analysis.items.verdicts import SUSPECT
from itemcurve.analysis.labels.brief_suspects import chance_words, range_words
from itemcurve.analysis.respondents.order_words import say_best, say_order_of
from itemcurve.cli.layout.tables import Column, print_table
from itemcurve.cli.layout.terminal import clean, estimate, number

if TYPE_CHECKING:
    import numpy as np
    import pandas
    from numpy.typing import NDArray
    from rich.console import Console

    from itemcurve.analysis.items.item_audit import ItemAudit
    from itemcurve.analysis.respondents.leaderboard import Leaderboard
    from itemcurve.evaluation.evaluation_result import Evaluation

_SHOWN_ROWS = 30
_SHOWN_SUSPECTS = 8
_NAME_ROOM = 24
# Of a row that is cut shorter nothing is known.
_LEAST_ROW = 40
_WHERE_WARNED = (
    "their words are in evaluation.json of the run (--out), and under warnings with --json"
)
# In the order in which a narrow terminal keeps them.
_METRICS = {
    "accuracy": "accuracy",
    "brier": "Brier",
    "auc": "AUC",
    "log_loss": "log loss",
    "mae": "MAE",
    "rmse": "RMSE",
    "r2": "R²",
}


class Flipped(NamedTuple):
    """Labels that were flipped on purpose: which, and what all of them were before."""

    changed: "NDArray[np.bool_]"
    before: "NDArray[Any]"


def print_evaluation(
    evaluation: "Evaluation", noisy: "Flipped | None", console: "Console", fdr: float
) -> None:
    """Print notes, failures, the leaderboard, the verdicts on items, and what to mind."""
    for note in evaluation.notes:
        console.print(clean(note), soft_wrap=True)
    for failure in evaluation.failures:
        console.print(clean(f"Left out {failure.respondent}: {failure.reason}"), soft_wrap=True)
    if evaluation.cautions:
        who = sorted({caution.respondent for caution in evaluation.cautions})
        named = ", ".join(who[:5]) + (", …" if len(who) > 5 else "")
        console.print(clean(f"Warnings came from {named}: {_WHERE_WARNED}."))
    # The evidence for it is in the report and in --json.
    slopes = str(evaluation.settings.get("slopes") or f"model {evaluation.fit.model}").split(
        ", which"
    )[0]
    console.print(
        f"{evaluation.settings['split']}; {evaluation.fit.status}; {slopes}.\n", soft_wrap=True
    )
    _print_leaderboard(evaluation, noisy, console)
    _print_labels(evaluation, evaluation.audit(false_discovery_rate=fdr), noisy, console)
    _print_findings(evaluation, console)


def describe_evaluation(
    evaluation: "Evaluation", noisy: "Flipped | None", run: Path | None, fdr: float
) -> dict[str, Any]:
    """Give the object that `--json` prints."""
    board, audit = evaluation.leaderboard(), evaluation.audit(false_discovery_rate=fdr)
    references = [] if board.references is None else board.references.to_dict("records")
    found: dict[str, Any] = {
        "itemcurve": __version__,
        "command": "evaluate",
        "run": None if run is None else str(run),
        "model": evaluation.fit.model,
        "task": evaluation.task,
        "shape": dict(zip(("respondents", "items"), evaluation.responses.shape, strict=True)),
        "status": {
            "name": evaluation.fit.status.name.lower(),
            "message": str(evaluation.fit.status),
            "is_converged": evaluation.fit.status.is_converged,
        },
        "order": _say_order(evaluation),
        "slopes": evaluation.settings.get("slopes") or "",
        "leaderboard": board.frame().to_dict("records"),
        "references": references,
        "labels": audit.say(),
        "audit": audit.frame().to_dict("records"),
        "findings": evaluation.findings().frame().to_dict("records"),
        "failures": [{"respondent": f.respondent, "reason": f.reason} for f in evaluation.failures],
        "warnings": [{"respondent": c.respondent, "text": c.text} for c in evaluation.cautions],
        "notes": list(evaluation.notes),
    }
    if noisy is not None:
        metrics = measure_before_flips(evaluation, noisy)
        found["flipped"] = {
            **_count_found(audit, noisy),
            "metrics": metrics.to_dict("records"),
        }
    return found


def _say_order(evaluation: "Evaluation") -> str:
    settings = evaluation.settings
    return say_order_of(
        str(settings["response"]),
        bool(settings.get("is_model_named")),
        are_labels_judged=settings.get("labels_judged") is not False,
    )


def _print_leaderboard(
    evaluation: "Evaluation", noisy: "Flipped | None", console: "Console"
) -> None:
    board = evaluation.leaderboard()
    table = board.frame(with_references=True)
    # References stand where their skill puts them; an order by ability has no place for them.
    if board.ranked_by == "skill":
        table = table.sort_values("skill", ascending=False, kind="stable")
    shown = table.head(_SHOWN_ROWS)
    title = f"Leaderboard ({shown['rank'].notna().sum():,} of {len(board.respondents):,})"
    print_table(console, title, _columns(board, shown, evaluation, noisy), id_room=_NAME_ROOM)
    said = clean(say_best(table, board.ranked_by))
    console.print(f"{_say_order(evaluation)} {said}\n", soft_wrap=True)


def _columns(
    board: "Leaderboard",
    shown: "pandas.DataFrame",
    evaluation: "Evaluation",
    noisy: "Flipped | None",
) -> list[Column]:
    is_by_skill = board.ranked_by == "skill"
    errors = zip(shown["ability"], shown["ability_se"], strict=True)
    cells = ["" if v != v else estimate(v, error) for v, error in errors]
    ability = Column("ability ± se", cells, is_optional=is_by_skill)
    columns = [
        Column("respondent", list(shown["respondent"])),
        Column("rank", _ranks(shown["rank"], "ref.")),
        Column("tier", _ranks(shown["tier"], "")),
        *([] if is_by_skill else [ability]),
        Column("skill (90 %)", _skills(shown), is_optional=not is_by_skill),
    ]
    metrics = [
        Column(word, [_metric(name, v) for v in shown[name]], is_optional=True)
        for name, word in _METRICS.items()
        if name in shown
    ]
    if noisy is not None:
        clean_labels = measure_before_flips(evaluation, noisy).set_index("respondent")["accuracy"]
        cells = [number(clean_labels.get(name, float("nan")), 3) for name in shown["respondent"]]
        metrics.insert(1, Column("before\nflips", cells, is_optional=True))
    first = 1 if noisy is None else 2
    columns += metrics[:first]
    columns.append(Column("vs best\nconstant", list(shown["against_constant"]), is_optional=True))
    if board.calibration is not None:
        words = ["" if word != word else str(word) for word in shown["calibration"]]
        columns.append(Column("calibration", words, is_text=True, is_optional=True))
    return [*columns, *metrics[first:], *([ability] if is_by_skill else [])]


def _skills(shown: "pandas.DataFrame") -> list[str]:
    ends = zip(shown["skill"], shown["skill_lower"], shown["skill_upper"], strict=True)
    # No minus before nothing.
    return [f"{number(round(v, 3) or 0.0, 3)} ({_interval(low, high)})" for v, low, high in ends]


def _interval(low: float, high: float) -> str:
    return f"{number(low)}{' to ' if low < 0 else '–'}{number(high)}"


def _metric(name: str, value: float) -> str:
    """Errors have the unit of the target, which may be small."""
    return f"{value:.3g}" if name in ("mae", "rmse") else number(value, 3)


def _ranks(values: "pandas.Series[Any]", missing: str) -> list[str]:
    return [missing if value != value else str(int(value)) for value in values.astype(float)]


def _print_labels(
    evaluation: "Evaluation", audit: "ItemAudit", noisy: "Flipped | None", console: "Console"
) -> None:
    counts = audit.frame()["verdict"].value_counts()
    words = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
    console.print(f"Items: {words}.", soft_wrap=True)
    if evaluation.task == "regression":
        return
    console.print(audit.say(), soft_wrap=True)
    if audit.labels is None:
        console.print()
        return
    if str(evaluation.settings["split"]).startswith("hold-out"):
        console.print(
            "Only the rows held out are judged here: --cv 5, or itemcurve audit, judges all rows.",
            soft_wrap=True,
        )
    if noisy is not None:
        found = _count_found(audit, noisy)
        console.print(
            f"Of {found['count']:,} flipped labels {found['found']:,} are among the "
            f"{found['suspects']:,} suspect ones.",
            soft_wrap=True,
        )
    console.print()
    _print_suspects(audit, console)


def _print_suspects(audit: "ItemAudit", console: "Console") -> None:
    table = audit.suspects(_SHOWN_SUSPECTS)
    shown = table.head(_SHOWN_SUSPECTS)
    pairs = zip(shown["given_label"], shown["likely_label"], strict=True)
    columns = [
        Column("item", list(shown["item"])),
        Column("label → likely", [clean(f"{given} → {other}") for given, other in pairs], True),
        Column("P(wrong)", [chance_words(value) for value in shown["label_error_probability"]]),
        Column("verdict", list(shown["verdict"]), is_text=True),
    ]
    if "label_error_lowest" in shown:
        columns.insert(3, Column("in each", range_words(shown), is_optional=True))
    if "row" in shown:
        rows = [clean(str(text)) for text in shown["row"]]
        room = max(console.width - 60, 0)
        cut = [text if len(text) <= room else text[: room - 1] + "…" for text in rows]
        if room >= min(_LEAST_ROW, max(map(len, rows), default=0)):
            columns.append(Column("row", cut, is_text=True, is_optional=True))
    count = int((audit.verdicts == SUSPECT).sum())
    title = "No label is sure enough to be suspect; the first to look at"
    if count > len(shown):
        title = f"Labels to look at ({len(shown):,} of {count:,} suspects)"
    elif count:
        title = f"Labels to look at ({count:,} suspect, then the next in line)"
    print_table(console, title, columns)


def _print_findings(evaluation: "Evaluation", console: "Console") -> None:
    for finding in evaluation.findings():
        style = "bold yellow" if finding.severity == "warning" else "bold"
        console.print(f"{finding.code} {finding.title} ({finding.severity})", style=style)
        console.print(f"  {clean(finding.message)} {clean(finding.advice)}", soft_wrap=True)


def _count_found(audit: "ItemAudit", noisy: "Flipped") -> dict[str, int]:
    is_suspect = audit.verdicts == SUSPECT
    return {
        "count": int(noisy.changed.sum()),
        "suspects": int(is_suspect.sum()),
        "found": int((is_suspect & noisy.changed).sum()),
    }


def measure_before_flips(evaluation: "Evaluation", noisy: "Flipped") -> "pandas.DataFrame":
    """Give the usual metrics against the labels as they were before some were flipped."""
    import pandas

    from itemcurve.analysis.metrics.usual_metrics import measure_classes
    from itemcurve.evaluation.grading.regrading import with_labels

    own: Any = evaluation.predictions
    before = with_labels(own, noisy.before)
    return pandas.DataFrame({"respondent": before.respondents, **measure_classes(before)})
