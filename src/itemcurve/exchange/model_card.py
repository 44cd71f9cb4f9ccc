"""A section for a model card: how good a model is, how sure that is, and what to mind."""

from typing import Any

from itemcurve import __version__
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.evaluation_result import Evaluation

_METRICS = {
    "accuracy": "Accuracy",
    "f1": "F1",
    "auc": "AUC",
    "brier": "Brier score",
    "log_loss": "Log-loss",
    "mae": "Mean absolute error",
    "rmse": "Root mean squared error",
    "r2": "R²",
}
_MOST_WEAK = 5


def model_card_section(
    evaluation: Evaluation, respondent: str | None = None, *, heading: str = "## Evaluation"
) -> str:
    """Give a section of Markdown about one model of an evaluation.

    Parameters
    ----------
    respondent : whose section; the first of the leaderboard when left out.
    heading : of the section.

    Examples
    --------
    >>> import itemcurve as ic
    >>> answers = {"mine": [0.9, 0.8, 0.3, 0.6], "other": [0.6, 0.7, 0.4, 0.2]}
    >>> card = ic.exchange.model_card_section(ic.from_predictions(answers, [1, 1, 0, 1]), "mine")
    >>> card.splitlines()[0]
    '## Evaluation'
    """
    board = evaluation.leaderboard()
    name = board.respondents[0] if respondent is None else respondent
    if name not in board.respondents:
        raise EvaluationError(
            "A model card is of a model that was ranked;",
            f"{name!r} was not.",
            f"Choose one of {', '.join(board.respondents[:8])}.",
        )
    table = board.frame()
    row = table[table["respondent"] == name].iloc[0]
    parts = [
        heading,
        _say_data(evaluation),
        _metrics(evaluation, row, board.level),
        _say_place(table, row),
        _say_weaknesses(evaluation, name),
        _say_cautions(evaluation),
        f"*Measured with itemcurve {__version__}.*",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _say_data(evaluation: Evaluation) -> str:
    settings = evaluation.settings
    data = f"`{settings['data']}`, " if settings.get("data") else ""
    target = f"predicting `{settings['target']}`, " if settings.get("target") else ""
    return (
        f"Data: {data}{target}{len(evaluation.predictions.items):,} items "
        f"({settings.get('split', 'split unknown')})."
    )


def _metrics(evaluation: Evaluation, row: Any, level: float) -> str:
    lines = ["| metric | value |", "|---|---:|"]
    skill = f"{row['skill']:.3f} ({row['skill_lower']:.3f} to {row['skill_upper']:.3f})"
    lines.append(f"| Skill, {100 * level:.0f} % interval | {skill} |")
    lines += [
        f"| {word} | {row[key]:.4g} |"
        for key, word in _METRICS.items()
        if key in row and row[key] == row[key]
    ]
    if "calibration" in row and row["calibration"] == row["calibration"]:
        lines.append(f"| Calibration | {row['calibration']} |")
    is_of_classes = isinstance(evaluation.predictions, Predictions)
    is_judged = evaluation.settings.get("labels_judged") is not False
    meaning = (
        "Skill is the share of right answers to expect where some labels may be wrong; the other "
        "metrics are against the labels as given."
        if is_of_classes and is_judged
        else "Skill and the other metrics are against the labels as given."
        if is_of_classes
        else "Skill is the share of the error of always predicting the mean that is avoided."
    )
    return "\n".join([*lines, "", meaning])


def _say_place(table: Any, row: Any) -> str:
    others = len(table) - 1
    against = {
        "ahead": "clearly better than the best constant answer",
        "level": "not clearly better than the best constant answer",
        "behind": "worse than the best constant answer",
    }.get(str(row["against_constant"]), "")
    said = f"It is {against}." if against else ""
    if not others:
        return said
    tied = table[(table["tier"] == row["tier"]) & (table["respondent"] != row["respondent"])]
    place = f"Rank {int(row['rank'])} of {len(table)} models, tier {int(row['tier'])}"
    same = ", ".join(str(name) for name in tied["respondent"][:_MOST_WEAK])
    more = f" and {len(tied) - _MOST_WEAK} more" if len(tied) > _MOST_WEAK else ""
    ties = f"; not told apart from {same}{more}" if len(tied) else "; alone in its tier"
    return f"{place}{ties}. {said}".strip()


def _say_weaknesses(evaluation: Evaluation, name: str) -> str:
    if len(set(evaluation.groups)) < 2:
        return ""
    table = evaluation.strengths().frame()
    own = table[(table["respondent"] == name) & (table["verdict"] == "weaker")]
    if own.empty:
        return "No group of items stands out as weaker than the others."
    told = [f"{row.group} ({row.skill:.2f} on {row.items} items)" for row in own.itertuples()]
    return f"Weaker than elsewhere on: {', '.join(told[:_MOST_WEAK])}."


def _say_cautions(evaluation: Evaluation) -> str:
    lines = []
    if isinstance(evaluation.predictions, Predictions):
        lines.append(f"- Labels: {evaluation.audit().say()}")
    lines += [
        f"- {finding.code}: {finding.message}"
        for finding in evaluation.findings()
        if finding.severity == "warning"
    ]
    return "\n".join(["**What to mind**", "", *lines]) if lines else ""
