"""What groups of models mean, one sentence each, and which to avoid for hard rows."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.robustness.curve_verdicts import DIFFICULTY, NOISE, REVERSE, ROBUST
from itemcurve.analysis.robustness.verdict_notes import join_names

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.change_profiles import ChangeProfiles
    from itemcurve.analysis.robustness.taxonomy import Taxonomy

_MEANS = ("changed", "changed_easy", "changed_hard", "accuracy", "accuracy_noisy")
# Below this a silhouette shows no structure (Kaufman and Rousseeuw, 1990).
_TYPICAL = 0.25
# So much more of the rows in the commonest class counts.
_NARROWER = 0.05
_MEANINGS = {
    ROBUST: "it keeps what it says",
    NOISE: "noise moves it on easy and hard rows alike",
    DIFFICULTY: "hard rows suffer most",
    REVERSE: "easy rows suffer most",
}


def say_groups(
    tree: "Taxonomy", profiles: "ChangeProfiles", margin: float = 0.1
) -> tuple[str, ...]:
    """Say what each group is, which to avoid for hard rows, and who is not grouped.

    Parameters
    ----------
    margin : the least difference, and the least share of changes, that counts.
    """
    table = tree.frame().merge(profiles.frame(), on="respondent")
    numbers = sorted({int(number) for number in table["cluster"]})
    groups = [(number, table[table["cluster"] == number]) for number in numbers]
    said = [_say_group(number, rows, margin) for number, rows in groups]
    said.append(_say_prototypes(table))
    if len(groups) > 1:
        said.append(_say_hardest(groups, margin))
    said.append(_say_rising(table))
    if profiles.constant:
        said.append(
            "Not grouped, because one class is all they ever predict: "
            f"{join_names(profiles.constant)}."
        )
    return tuple(line for line in said if line)


def judge_means(means: "pandas.DataFrame", margin: float = 0.1) -> list[str]:
    """Give the word of each row by its shares of changes: the rule of single tables, on means."""
    gap = means["changed_hard"] - means["changed_easy"]
    return [
        DIFFICULTY
        if apart > margin
        else REVERSE
        if apart < -margin
        else NOISE
        if level > margin
        else ROBUST
        for apart, level in zip(gap, means["changed"], strict=True)
    ]


def _say_group(number: int, rows: "pandas.DataFrame", margin: float) -> str:
    means = rows[list(_MEANS)].mean()
    word = judge_means(means.to_frame().T, margin)[0]
    own = judge_means(rows, margin)
    unlike = [
        f"{name} ({told})" for name, told in zip(_names(rows), own, strict=True) if told != word
    ]
    apart = ""
    if unlike:
        apart = f" The word is that of their mean; by itself another: {join_names(unlike)}."
    return (
        f"Group {number}, {word} ({_MEANINGS[word]}): noise changes {means['changed_easy']:.0%} of "
        f"predictions on the easiest rows and {means['changed_hard']:.0%} on the hardest, accuracy "
        f"{means['accuracy']:.2f} to {means['accuracy_noisy']:.2f}: {join_names(_names(rows))}."
        f"{apart}"
    )


def _say_prototypes(table: "pandas.DataFrame") -> str:
    """Which prototypes stand for little, because they lie between groups."""
    sizes = table.groupby("cluster")["respondent"].transform("size")
    weak = table[table["is_prototype"] & (table["silhouette"] < _TYPICAL) & (sizes > 1)]
    if weak.empty:
        return ""
    pairs = zip(_names(weak), weak["silhouette"], strict=True)
    told = join_names([f"{name} ({value:.2f})" for name, value in pairs])
    return (
        f"A prototype whose silhouette is below {_TYPICAL} lies between groups and is typical of "
        f"none: {told}."
    )


def _say_hardest(groups: "list[tuple[int, pandas.DataFrame]]", margin: float) -> str:
    """Which group changes most on the hardest rows, and which least."""
    order = sorted(groups, key=lambda group: float(group[1]["changed_hard"].mean()))
    (best, steady), (worst, shaky) = order[0], order[-1]
    least, most = (float(rows["changed_hard"].mean()) for rows in (steady, shaky))
    if most - least <= margin:
        return f"On hard rows no group stands out: they are at most {margin * 100:g} points apart."
    told = f"{most:.0%} of its predictions there change, {least:.0%} of group {best}"
    keeps, loses = (float(rows["accuracy_hard_noisy"].mean()) for rows in (steady, shaky))
    if np.isnan(keeps + loses):
        return (
            f"For hard rows under noise avoid group {worst}: {told}. Steady is not right: look at "
            "accuracy too."
        )
    right = f"of these rows {loses:.0%} are right with noise, and {keeps:.0%}"
    if loses >= keeps:
        return (
            f"On hard rows under noise group {worst} is least steady ({told}), but not less often "
            f"right ({right}): steady is not right, and on rows that models get wrong a change by "
            "chance may hit."
        )
    return f"For hard rows under noise avoid group {worst}: {told}; {right}."


def _say_rising(table: "pandas.DataFrame") -> str:
    """Whose accuracy rises under noise because they name their commonest class more often."""
    rises = table["accuracy_noisy"] > table["accuracy"]
    narrows = table["one_class_noisy"] > table["one_class"] + _NARROWER
    rows = table[rises & narrows]
    if rows.empty:
        return ""
    told = [
        f"{row['respondent']} (accuracy {row['accuracy']:.2f} to {row['accuracy_noisy']:.2f}, "
        f"commonest class {row['one_class']:.0%} to {row['one_class_noisy']:.0%} of the rows)"
        for _, row in rows.iterrows()
    ]
    return (
        "More accurate under noise because one class is named more often, which is a step towards "
        f"a constant answer and no robustness: {join_names(told)}."
    )


def _names(rows: "pandas.DataFrame") -> list[str]:
    return [str(name) for name in rows["respondent"]]
