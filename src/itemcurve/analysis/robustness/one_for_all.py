"""One model for all tables: the best under noise on average, and the one that never falls far."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

_DIGITS = 3
# Means over some tables of some hundred rows each are hardly known better.
_EQUAL = 0.01


def compare_under_noise(verdicts: "Mapping[str, pandas.DataFrame]") -> "pandas.DataFrame":
    """Give one row per model, best first: mean accuracy under noise, worst shortfall, and where.

    A shortfall is how far a model is below the most accurate one of the same table under noise.
    Models that some table has not are left out.

    Parameters
    ----------
    verdicts : of each table by name, as `curves.verdicts()` gives them.
    """
    import pandas

    known = [
        table.set_index("respondent")["accuracy_noisy"].rename(name)
        for name, table in verdicts.items()
        if "accuracy_noisy" in table
    ]
    if not known:
        return pandas.DataFrame(columns=["respondent", "accuracy_noisy", "shortfall", "worst_on"])
    wide = pandas.concat(known, axis=1).dropna()
    behind = wide.max(axis=0) - wide
    found = pandas.DataFrame(
        {
            "accuracy_noisy": wide.mean(axis=1),
            "shortfall": behind.max(axis=1),
            "worst_on": behind.idxmax(axis=1),
        }
    )
    return (
        found.sort_values("accuracy_noisy", ascending=False).rename_axis("respondent").reset_index()
    )


def say_one_for_all(verdicts: "Mapping[str, pandas.DataFrame]") -> str:
    """Name the model to take where one is wanted for all tables, with its numbers."""
    table = compare_under_noise(verdicts)
    if len(table) < 2:
        return ""
    best, steady = table.iloc[0], table.sort_values("shortfall", kind="stable").iloc[0]
    lead = table["accuracy_noisy"][0] - table["accuracy_noisy"][1]
    equal = ", as good as equal" if lead < _EQUAL else ""
    told = (
        f"One model for all {len(verdicts)} tables: {best['respondent']} is most accurate under "
        f"noise on average ({best['accuracy_noisy']:.{_DIGITS}f}; next {table['respondent'][1]}, "
        f"{table['accuracy_noisy'][1]:.{_DIGITS}f}{equal}) and at worst "
        f"{best['shortfall']:.{_DIGITS}f} below the best of a table ({best['worst_on']})"
    )
    if steady["respondent"] == best["respondent"]:
        return f"{told}, which is the smallest worst shortfall too."
    return (
        f"{told}; the smallest worst shortfall has {steady['respondent']}: "
        f"{steady['shortfall']:.{_DIGITS}f} ({steady['worst_on']}), on average "
        f"{steady['accuracy_noisy']:.{_DIGITS}f}."
    )
