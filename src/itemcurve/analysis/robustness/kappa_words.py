"""What groups of models by κ lost mean, and where κ and the share of changes disagree."""

from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.curve_verdicts import DIFFICULTY, NOISE, REVERSE, ROBUST
from itemcurve.analysis.robustness.verdict_notes import join_names

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.taxonomy import Taxonomy

_MEANINGS = {
    ROBUST: "κ hardly falls",
    NOISE: "κ falls on easy and hard rows alike",
    DIFFICULTY: "κ falls most on hard rows",
    REVERSE: "κ falls most on easy rows",
}
# Places in an order of models that are far from each other, as a share of all models.
_FAR = 1 / 4
_MOST_NAMED = 3


def say_kappa_groups(
    tree: "Taxonomy", losses: "pandas.DataFrame", margin: float = 0.1
) -> tuple[str, ...]:
    """Say what each group of models by κ is, on easy and on hard rows.

    Parameters
    ----------
    losses : as `kappa_losses` gives them, with the mean of κ lost on easy and on hard rows.
    margin : the least loss, and the least difference of losses, that counts.
    """
    table = tree.frame().merge(losses, on="respondent")
    said = []
    for number, rows in table.groupby("cluster"):
        easy, hard = (float(rows[name].mean()) for name in ("loss_easy", "loss_hard"))
        level, gap = (easy + hard) / 2, hard - easy
        word = NOISE if level > margin else ROBUST
        if abs(gap) > margin:
            word = DIFFICULTY if gap > 0 else REVERSE
        said.append(
            f"Group {number}, {word} by κ ({_MEANINGS[word]}): with most noise κ falls by "
            f"{easy:.2f} on the easiest rows and by {hard:.2f} on the hardest: "
            f"{join_names(rows['respondent'].tolist())}."
        )
    return tuple(said)


def say_disagreement(losses: "pandas.DataFrame", changes: "pandas.DataFrame") -> str:
    """Name the models that κ and shares place far apart, and say which of the two to believe.

    Parameters
    ----------
    losses : κ lost by noise, and on how many tables κ can be read.
    changes : shares of predictions that noise changes (`ChangeProfiles.means`).
    """
    both = losses.merge(changes, on="respondent", suffixes=("", "_of_shares"))
    # Of the same rows as κ lost by noise: the mean of the easiest and the hardest.
    share = (both["changed_easy"] + both["changed_hard"]) / 2
    by_kappa, by_share = both["loss_by_noise"].rank(), share.rank()
    gap = (by_kappa - by_share).abs()
    far = gap[gap >= _FAR * len(both)].sort_values(ascending=False, kind="stable")
    if len(both) < 3 or far.empty:
        return ""
    named = [
        f"{both['respondent'][place]} (κ lost {both['loss_by_noise'][place]:.2f}, place "
        f"{by_kappa[place]:.0f} of {len(both)}; {share[place]:.0%} changed, place "
        f"{by_share[place]:.0f})"
        for place in far.index[:_MOST_NAMED]
    ]
    readable = int(both["kappa_readable_on"].sum())
    return (
        "κ and shares of changes disagree, place 1 being the steadiest on the easiest and hardest "
        f"rows together, on {join_names(named)}: κ of rows that are nearly all of one class falls "
        "to 0 by a few changes and stays at 1 by none, and counts as much as any other, though it "
        f"can be read in {readable} of {int(both['data_sets'].sum())} pairs of model and table "
        "only. A share means the same on all rows: where they disagree, believe the shares."
    )
