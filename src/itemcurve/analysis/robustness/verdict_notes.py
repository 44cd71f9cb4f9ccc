"""What must be said beside verdicts on robustness so that they are not read for more."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from itemcurve.analysis.robustness.curve_verdicts import (
    DIFFICULTY,
    NOISE,
    REVERSE,
    ROBUST,
    VERDICTS,
)

if TYPE_CHECKING:
    import pandas

_MOST_NAMES = 6


def explain_verdicts(table: "pandas.DataFrame", margin: float = 0.1) -> tuple[str, ...]:
    """Give what the verdicts in a table mean, what the question mark means, and what κ adds.

    Parameters
    ----------
    table : from `SystemCurves.verdicts`.
    margin : with which it was made.
    """
    judged = table[~table["is_constant"]]
    by_kappa = bool((table["measure"] == "kappa").all())
    meanings = _kappa_meanings(margin) if by_kappa else _share_meanings(margin)
    seen = [word for word in VERDICTS if word in set(judged["verdict"])]
    notes = [f"{word}: {meanings[word]}." for word in seen]
    if not judged["is_clear"].all():
        mark = f"{margin:g}" if by_kappa else f"{margin * 100:g} points"
        against = "" if by_kappa else " (or κ points the other way)"
        notes.append(
            f"not clear (?): an interval crosses the mark of {mark}{against}, so that another "
            "sample of rows may well get another word."
        )
    return (*notes, *_tell_constant(table), *_tell_kappa(judged, by_kappa=by_kappa))


def _share_meanings(margin: float) -> dict[str, str]:
    mark = f"{margin * 100:g}"
    apart = f"hardest and easiest rows are at most {mark} points apart"
    return {
        ROBUST: f"noise changes at most {mark} % of all predictions, and {apart}",
        NOISE: f"noise changes more than {mark} % of all predictions, and {apart}",
        DIFFICULTY: "noise changes more predictions of the hardest rows than of the easiest, by "
        f"over {mark} points",
        REVERSE: "noise changes more predictions of the easiest rows than of the hardest, by over "
        f"{mark} points",
    }


def _kappa_meanings(margin: float) -> dict[str, str]:
    apart = f"the losses in the easiest and the hardest bin are at most {margin:g} apart"
    return {
        ROBUST: f"κ loses at most {margin:g} on average, and {apart}",
        NOISE: f"κ loses more than {margin:g} on average, and {apart}",
        DIFFICULTY: f"κ loses over {margin:g} more in the hardest bin than in the easiest",
        REVERSE: f"κ loses over {margin:g} more in the easiest bin than in the hardest",
    }


def _tell_constant(table: "pandas.DataFrame") -> list[str]:
    names = table.loc[table["is_constant"], "respondent"].tolist()
    if not names:
        return []
    return [f"Not judged, because one class is all they ever predict: {join_names(names)}."]


def _tell_kappa(judged: "pandas.DataFrame", *, by_kappa: bool) -> list[str]:
    readable = judged["kappa_readable_easy"] & judged["kappa_readable_hard"]
    notes = []
    if not readable.all():
        notes.append(
            f"κ cannot be read for {int((~readable).sum())} of {len(judged)} models: in the "
            "easiest or the hardest bin one class is nine in ten of their predictions, or the "
            "interval of κ is wider than 0.5. "
            + (
                "A few changes decide their verdicts; those by the share of changed predictions "
                "are safer."
                if by_kappa
                else "The share of changed predictions is read instead."
            )
        )
    toward = {DIFFICULTY: 1, REVERSE: -1}
    differs = judged["verdict"].map(toward).fillna(0) != judged["verdict_by_kappa"].map(
        toward
    ).fillna(0)
    other = judged[readable & differs]
    if len(other):
        told = [f"{one.respondent} ({one.verdict_by_kappa})" for one in other.itertuples()]
        notes.append(
            "By κ, which corrects for the classes predicted in a bin, the word would be another "
            f"for {join_names(told)}; the share of changed predictions decides."
        )
    return notes


def join_names(names: Sequence[str]) -> str:
    """Join names as a sentence does, the many cut short.

    Examples
    --------
    >>> join_names(["a", "b", "c"])
    'a, b and c'
    """
    # A name takes no more room than "and 1 more".
    if len(names) > _MOST_NAMES + 1:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
