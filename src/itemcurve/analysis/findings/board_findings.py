"""Findings about a leaderboard: what protects a reader from misreading who is best."""

from collections.abc import Sequence

import numpy as np

from itemcurve.analysis.findings.data_findings import count, verb
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.labels.label_noise import LabelNoise
from itemcurve.analysis.labels.label_words import LITTLE_OVERLAP
from itemcurve.analysis.respondents.leaderboard import Leaderboard
from itemcurve.analysis.respondents.order_words import say_overtaken

_LEAST_CORRELATION = 0.5
# Among three, one swap halves a rank correlation.
_LEAST_RESPONDENTS = 4
_WEAK_CLASSES = (
    "Do not rely on its choices as they are. Common causes are uneven classes (its probabilities "
    "may still be good, see AUC) and features on a scale that it does not expect."
)
_WEAK_NUMBERS = (
    "Do not rely on its forecasts as they are. Common causes are a target or features on a scale "
    "that it does not expect, and a few rows with values far out."
)
_MOST_NAMED = 3
# So many errors of exactly 0 are no chance.
_MANY_EXACT = 0.1
_METRICS = ("accuracy", "brier", "log_loss", "auc", "mae", "rmse")


def find_level_constant(board: Leaderboard) -> Finding | None:
    """Models that do no better than an answer that never looks at the item."""
    if board.skill is None or board.references is None or board.references.empty:
        return None
    sides = np.asarray(board.skill["against_constant"])
    behind = [name for name, side in zip(board.respondents, sides, strict=True) if side != "ahead"]
    if not behind or not sides[0]:
        return None
    constant = _best_constant(board)
    if len(behind) == len(sides):
        return Finding(
            "IRT010",
            "warning",
            f"No respondent is clearly better than {constant}, which never looks at an item.",
            "Their choices cannot be told from a constant answer here: ask more items, or "
            "look at features and target.",
            tuple(behind),
        )
    number, worse = len(behind), int((sides == "behind").sum())
    more = f" ({worse} clearly worse)" if worse else ""
    return Finding(
        "IRT010",
        "note",
        f"{count(number, 'respondent')} of {len(sides)} {verb(number)} not clearly better than "
        f"{constant}, which never looks at an item{more}.",
        _WEAK_NUMBERS if "mae" in board.metrics else _WEAK_CLASSES,
        tuple(behind),
    )


def find_own_labels(corrected: int, total: int) -> Finding | None:
    """Labels that models made, against which models are judged."""
    if not corrected:
        return None
    which = "1 label was" if corrected == 1 else f"{corrected:,} labels were"
    return Finding(
        "IRT025",
        "warning",
        f"{which} changed to what models say, of {total:,} rows in the table; nobody is known to "
        "have looked at them.",
        "Models that are judged by labels of their own making agree with them: skill and accuracy "
        "are too high, and the labels look cleaner than they are. Look at each change in the file "
        "of corrections beside the table, undo the wrong ones, and remove that file when done.",
    )


def find_records(columns: list[str]) -> Finding | None:
    """Columns among the features that look like what a record is filed under."""
    if not columns:
        return None
    shown = ", ".join(map(repr, columns[:_MOST_NAMED]))
    more = f" and {len(columns) - _MOST_NAMED} more" if len(columns) > _MOST_NAMED else ""
    return Finding(
        "IRT026",
        "note",
        f"Models learn from {shown}{more}: by name and values "
        f"{'an identifier or a date' if len(columns) == 1 else 'identifiers or dates'}.",
        "Leave out what does not hold for new rows (--drop, or drop in Python), or part rows by it "
        "(--groups), and evaluate again: the order and the suspect labels may change.",
        tuple(columns),
    )


def find_disagreement(board: Leaderboard, exact: Sequence[float] = ()) -> Finding | None:
    """An order that the usual metrics do not confirm.

    Parameters
    ----------
    exact : share of each respondent's errors that are exactly 0, in the order of the board.
    """
    if len(board.respondents) < _LEAST_RESPONDENTS or not board.metrics:
        return None
    found = board.correlations()[board.ranked_by]
    against = {
        name: float(found[name])
        for name in _METRICS
        if name in found and found[name] < _LEAST_CORRELATION
    }
    overtaken = say_overtaken(board.frame()) if board.ranked_by == "ability" else ""
    if not against and not overtaken:
        return None
    words = ", ".join(f"{name.replace('_', ' ')} {value:+.2f}" for name, value in against.items())
    # Accuracy and mean error say what the order should; the others also judge confidence.
    is_contrary = bool({"accuracy", "mae"} & set(against)) or bool(overtaken)
    is_one_tier = int(board.tiers.max()) == 1 and not overtaken
    said = f"The order by {board.ranked_by} and that by usual metrics disagree"
    return Finding(
        "IRT011",
        "warning" if is_contrary and not is_one_tier else "note",
        " ".join(
            part
            for part in (
                f"{said} (rank correlation with {words})." if words else f"{said} about the first.",
                overtaken,
                _say_exact(board, exact),
            )
            if part
        ),
        _advise(board, is_contrary, is_one_tier),
    )


def _advise(board: Leaderboard, is_contrary: bool, is_one_tier: bool) -> str:
    if is_one_tier:
        return "All respondents are in one tier: their order is not certain."
    if is_contrary:
        return (
            "Read the order by the metrics you care about; the model behind this one ranks "
            "something else."
        )
    if "mae" in board.metrics:
        return (
            "Errors are small on most items and large on a few, or the other way round: look at "
            "the metric that your use pays for, mean or squared error."
        )
    return (
        "Being right and stating good probabilities are ranked differently here: look at "
        "these metrics and at the calibration before you use probabilities."
    )


def _say_exact(board: Leaderboard, exact: Sequence[float]) -> str:
    """That the first hits some targets exactly, which its ability follows."""
    if not len(exact) or board.ranked_by != "ability":
        return ""
    usual = float(np.median(exact))
    if exact[0] < max(_MANY_EXACT, 2 * usual):
        return ""
    return (
        f"{board.respondents[0]} has no error at all on {exact[0]:.0%} of the items (half of all "
        f"respondents on {usual:.0%} at most): an error of exactly 0 counts for endless ability, "
        "however large its other errors are."
    )


def find_overlap(noise: LabelNoise) -> Finding | None:
    """Labels of which nobody can say whether they are wrong or their classes overlap."""
    if noise.is_told or noise.overlap < LITTLE_OVERLAP:
        return None
    return Finding(
        "IRT013",
        "note",
        f"All respondents together, weighed by how well they foretell labels, prefer another class "
        f"for {noise.contradicted:.0%} of the items, and wrong labels cannot be told from classes "
        "that overlap.",
        "No share of wrong labels is given; more able respondents or more items could tell.",
    )


def _best_constant(board: Leaderboard) -> str:
    """Name the best reference that is a constant: those level with or below the constant line."""
    assert board.references is not None
    constants = board.references[board.references["against_constant"] != "ahead"]
    return repr(str((constants if len(constants) else board.references)["respondent"].iloc[0]))
