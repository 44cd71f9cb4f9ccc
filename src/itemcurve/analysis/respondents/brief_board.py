"""A leaderboard as people read it: few columns, numbers in their words, references below."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.respondents.leaderboard import Leaderboard

# The two metrics that people know best, of classes and of numbers.
_METRICS = {"accuracy": "accuracy", "auc": "AUC", "mae": "MAE", "r2": "R²"}


def brief_board(board: "Leaderboard") -> "pandas.DataFrame":
    """Give rank, name, tier, skill or ability with its interval, two metrics, confidence.

    All cells are text, at most 80 columns wide for names of up to 24 signs; references follow,
    without a rank.
    """
    import pandas

    table = board.frame(with_references=True)
    height = board.ranked_by
    found: dict[str, list[str]] = {
        "rank": [_whole(value) for value in table["rank"]],
        "respondent": [str(name) for name in table["respondent"]],
        "tier": [_whole(value) for value in table["tier"]],
        height: [_number(value) for value in table[height]],
        f"{board.level:.0%} interval".replace("%", " %"): [
            _interval(low, high)
            for low, high in zip(table[f"{height}_lower"], table[f"{height}_upper"], strict=True)
        ],
    }
    if height == "ability" and board.skill is not None:
        found["skill"] = [_number(value) for value in table["skill"]]
    for name, word in _METRICS.items():
        if name in table:
            found[word] = [_number(value) for value in table[name]]
    if "calibration" in table:
        found["confidence"] = [_confidence(word) for word in table["calibration"]]
    return pandas.DataFrame(found)


def _whole(value: Any) -> str:
    import pandas

    # References have no rank.
    return "" if pandas.isna(value) else str(int(value))


def _number(value: float) -> str:
    if value != value:
        return ""
    # Errors have the unit of the target; no minus before nothing.
    return f"{round(value, 3) or 0.0:.3f}" if abs(value) < 100 else f"{value:.4g}"


def _interval(low: float, high: float) -> str:
    if low != low:
        return ""
    between = " to " if min(low, high) < 0 else "–"
    return f"{low:.2f}{between}{high:.2f}"


def _confidence(word: Any) -> str:
    """Shorten `over-confident ×1.9` to what it says under its heading."""
    return "" if word != word else str(word).replace("-confident", "").replace("calibrated", "fits")
