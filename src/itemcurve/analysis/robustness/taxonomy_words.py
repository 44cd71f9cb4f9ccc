"""What groups of models mean, one sentence each, and which to avoid for hard rows."""

from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.curve_verdicts import DIFFICULTY, NOISE, REVERSE, ROBUST
from itemcurve.analysis.robustness.verdict_notes import join_names

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.change_profiles import ChangeProfiles
    from itemcurve.analysis.robustness.taxonomy import Taxonomy

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
    if len(groups) > 1:
        said.append(_say_hardest(groups, margin))
    if profiles.constant:
        said.append(
            "Not grouped, because one class is all they ever predict: "
            f"{join_names(profiles.constant)}."
        )
    return tuple(said)


def _say_group(number: int, rows: "pandas.DataFrame", margin: float) -> str:
    means = rows[["changed", "changed_easy", "changed_hard", "accuracy", "accuracy_noisy"]].mean()
    gap = means["changed_hard"] - means["changed_easy"]
    level = NOISE if means["changed"] > margin else ROBUST
    word = DIFFICULTY if gap > margin else REVERSE if gap < -margin else level
    return (
        f"Group {number}, {word} ({_MEANINGS[word]}): noise changes {means['changed_easy']:.0%} of "
        f"predictions on the easiest rows and {means['changed_hard']:.0%} on the hardest, accuracy "
        f"{means['accuracy']:.2f} to {means['accuracy_noisy']:.2f}: {join_names(_names(rows))}."
    )


def _say_hardest(groups: "list[tuple[int, pandas.DataFrame]]", margin: float) -> str:
    """Which group changes most on the hardest rows, and which least."""
    order = sorted(groups, key=lambda group: float(group[1]["changed_hard"].mean()))
    (best, steady), (worst, shaky) = order[0], order[-1]
    least, most = (float(rows["changed_hard"].mean()) for rows in (steady, shaky))
    if most - least <= margin:
        return f"On hard rows no group stands out: they are at most {margin * 100:g} points apart."
    return (
        f"For hard rows under noise avoid group {worst}: {most:.0%} of its predictions there "
        f"change, {least:.0%} of group {best}. Steady is not right: look at accuracy too."
    )


def _names(rows: "pandas.DataFrame") -> list[str]:
    return [str(name) for name in rows["respondent"]]
