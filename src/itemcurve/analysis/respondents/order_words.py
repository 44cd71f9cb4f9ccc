"""What a leaderboard says, in sentences: what the order means, who is best, who ties."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas

RankedBy = Literal["skill", "ability"]
SKILL_COLUMNS = ("skill", "skill_lower", "skill_upper", "behind_best", "against_constant")
_NAMED = 5
_SIGNIFICANCE = 0.05
_CLASSES_BY_SKILL = (
    "By skill: the share of right answers to expect where some labels may be wrong; what is true "
    "is judged half by the given labels and half by all respondents together."
)
_CLASSES_AS_GIVEN = (
    "By skill: the share of right answers, against the labels as given: where rows come in groups, "
    "labels are not judged."
)
_ERRORS_BY_SKILL = (
    "By skill: the share of the error of always predicting the mean that is avoided (1 is perfect, "
    "0 no better than the mean)."
)
_BY_ABILITY = {
    "probability": "By ability from the probability given to the label. It rises with being sure "
    "as well as with being right, so that rounding one's probabilities can raise it.",
    "correct": "By ability from right and wrong answers; items count by how well they separate "
    "respondents, so that the order may differ from accuracy.",
    "skill": "By ability from expected right answers; items count by how well they separate "
    "respondents, so that the order may differ from skill.",
    "normalised": "By ability from errors relative to how far each target lies from the mean. "
    "Where a target is near the mean any error counts as huge, which favours predicting the mean.",
    "absolute": "By ability from errors, in units of the error of always predicting the mean.",
    "score": "By ability from scores 1 / (1 + relative error), which favour predicting the mean "
    "where targets are near it.",
}


def say_order_of(response: str, is_model_named: bool, *, are_labels_judged: bool = True) -> str:
    """Say what respondents are ranked by.

    Parameters
    ----------
    response : how predictions were graded.
    is_model_named : whether a model was asked for, whose ability then makes the order.
    are_labels_judged : whether respondents have a say in what is true.
    """
    if is_model_named:
        return _BY_ABILITY.get(response, "By ability, the best first.")
    is_of_classes = response in ("skill", "correct", "probability")
    if not is_of_classes:
        return _ERRORS_BY_SKILL
    return _CLASSES_BY_SKILL if are_labels_judged else _CLASSES_AS_GIVEN


def say_best(board: "pandas.DataFrame", ranked_by: RankedBy = "skill") -> str:
    """Say who is first, who cannot be told from it, and where a constant answer stands.

    Parameters
    ----------
    board : a leaderboard's table with references, which have no rank.
    ranked_by : what made its ranks and tiers; the sentence is about the same.
    """
    ranked = board[board["rank"].notna()]
    first = ranked.iloc[0]
    place = "is evaluated alone" if len(ranked) == 1 else "is first"
    if ranked_by == "ability":
        said = f"{first['respondent']} {place}, with ability {first['ability']:.2f}"
        said += f" ± {first['ability_se']:.2f}." if first["ability_se"] > 0 else "."
        parts: tuple[str, ...] = (
            said,
            _say_tiers(ranked),
            say_overtaken(board),
            _say_line(board, "By skill, the best constant answer"),
        )
    else:
        said = (
            f"{first['respondent']} {place}, with skill {first['skill']:.3f} "
            f"(90 % interval {first['skill_lower']:.3f} to {first['skill_upper']:.3f})."
        )
        parts = (said, _say_others(board), _say_line(board))
    return " ".join(part for part in parts if part)


def say_overtaken(board: "pandas.DataFrame") -> str:
    """Say that who is first by ability is no good by what it gets right; empty where it is.

    Parameters
    ----------
    board : a leaderboard's table, the best first.
    """
    if "behind_best_p" not in board:
        return ""
    ranked = board[board["rank"].notna()]
    first = ranked.iloc[0]
    best = ranked.iloc[int(ranked["skill"].astype(float).to_numpy().argmax())]
    is_behind = float(first["behind_best_p"]) < _SIGNIFICANCE
    is_constant = best["against_constant"] == "ahead" and first["against_constant"] != "ahead"
    if not (is_behind or is_constant):
        return ""
    what = "no better than a constant answer" if is_constant else "clearly behind"
    return (
        f"Do not choose by this order: by skill {first['respondent']} is {what} "
        f"({first['skill']:.3f}), and {best['respondent']} is best ({best['skill']:.3f})."
    )


def find_erratic(board: "pandas.DataFrame") -> list[str]:
    """Name those that are worse than a constant, and yet not told from the best.

    Their errors on a few items are so large that the mean over all says nothing: the interval
    reaches from below any constant to the best.

    Parameters
    ----------
    board : a leaderboard's table with references, which have no rank.
    """
    ranked, floor = board[board["rank"].notna()], _best_constant(board)
    # Runs of earlier versions lack the interval.
    if floor is None or "behind_best_lower" not in board:
        return []
    if ranked.iloc[0]["against_constant"] != "ahead":
        return []
    is_erratic = (ranked["skill"] < floor["skill"]) & (ranked["behind_best_lower"] <= 0)
    return [str(name) for name in ranked["respondent"][is_erratic]]


def _say_tiers(ranked: "pandas.DataFrame") -> str:
    """Who cannot be told from the first, by the tiers of the order; and who is further down."""
    others = ranked.iloc[1:]
    is_near = others["tier"].astype(int) == 1
    near, below = others[is_near], others[~is_near]
    if near.empty and len(below):
        return "It is alone in its tier."
    parts = [f"It cannot be told from {_list(near)}."] * bool(len(near))
    parts += [f"In lower tiers: {_list(below)}."] * bool(len(below))
    return " ".join(parts)


def _say_others(board: "pandas.DataFrame") -> str:
    """Who cannot be told from the best in skill, all pairs together, and who can."""
    ranked = board[board["rank"].notna()]
    if len(ranked) == 1:
        return ""
    others = ranked.iloc[1:]
    is_sure = others["behind_best_p"].astype(float) < _SIGNIFICANCE
    near, sure = others[~is_sure], others[is_sure]
    is_erratic = near["respondent"].isin(find_erratic(board))
    near, erratic = near[~is_erratic], near[is_erratic]
    if len(sure) == len(others) > 0:
        return "It is clearly ahead of everybody else."
    parts = [f"It cannot be told from {_list(near)}."] * bool(len(near))
    parts += [f"Clearly behind: {_list(sure)}."] * bool(len(sure))
    if len(erratic):
        parts.append(
            f"Too erratic to be placed, worse than a constant on average: {_list(erratic)}."
        )
    return " ".join(parts)


def _list(rows: "pandas.DataFrame") -> str:
    names = [str(name) for name in rows["respondent"]]
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _best_constant(board: "pandas.DataFrame") -> "pandas.Series | None":
    """The row of the best constant answer, if there is one."""
    apart = board[board["rank"].isna()]
    constants = apart[apart["against_constant"] != "ahead"]
    if constants.empty:
        return None
    return constants.sort_values("skill", ascending=False, kind="stable").iloc[0]


def _say_line(board: "pandas.DataFrame", start: str = "The best constant answer") -> str:
    """Where the best constant answer stands among those ranked."""
    ranked, best = board[board["rank"].notna()], _best_constant(board)
    if best is None:
        return ""
    # No minus before nothing.
    height = round(float(best["skill"]), 3) or 0.0
    line = f"{start} ({best['respondent']}) has {height:.3f}"
    level = ranked[ranked["against_constant"] == "level"]
    behind = ranked[ranked["against_constant"] == "behind"]
    if level.empty and behind.empty:
        return f"{line}; all are clearly ahead of it."
    parts = [f"level with it: {_list(level)}"] * bool(len(level))
    parts += [f"clearly behind it: {_list(behind)}"] * bool(len(behind))
    return f"{line}; {'; '.join(parts)}."
