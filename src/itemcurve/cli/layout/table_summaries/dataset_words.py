"""What is said of data sets as items: who is best, which tell it, what difficulty means there."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.robustness.verdict_notes import join_names

if TYPE_CHECKING:
    import pandas

    from itemcurve.datasets.dataset_table import DatasetTable
    from itemcurve.estimation.result import FitResult

# Abilities have standard deviation 1: a difficulty beyond is drawn out from a nearly flat curve.
FARTHEST = 6
# Chance has an AUC of one half; classifiers that are no further from it on average tell little.
_CHANCE_AUC = 0.55
_MOST_TELLING = 4


def say_datasets(table: "DatasetTable", found: "FitResult", measure: str) -> list[str]:
    """Say who is best, which data sets tell it, which may mislead, and what difficulty means."""
    misleading = _find_misleading(table, measure)
    said = (
        _say_best(found),
        _say_telling(found, set(misleading)),
        _say_misleading(misleading, measure),
        _say_difficulty(found, measure),
        _say_flat(found),
    )
    return [line for line in said if line]


def _say_best(found: "FitResult") -> str:
    from itemcurve.analysis.respondents.leaderboard import build_leaderboard

    board = build_leaderboard(found)
    tied = list(board.respondents[1 : int((board.tiers == 1).sum())])
    first = f"{board.respondents[0]} is best (ability {board.abilities[0]:.2f})"
    if not tied:
        return f"{first}; all others are told from it."
    return f"{first}; it cannot be told from {join_names(tied)}."


def _say_telling(found: "FitResult", misleading: set[str]) -> str:
    """Which data sets tell most of ability: a steep curve with little scatter around it."""
    own = found.items[~found.items["item"].isin(misleading)]
    if not {"discrimination", "noise"} <= set(own) or own.empty:
        return ""
    worth = own["discrimination"] / own["noise"]
    order = worth.sort_values(ascending=False, kind="stable").index[:_MOST_TELLING]
    named = [f"{own['item'][place]} ({worth[place]:.2f})" for place in order]
    return (
        f"Most of who is able is told by {join_names(named)}: discrimination over the scatter "
        "around the curve, both on the logit scale."
    )


def _find_misleading(table: "DatasetTable", measure: str) -> dict[str, str]:
    """Give the data sets on which the measure rewards a constant answer or is chance, and why."""
    if measure == "auc":
        values = table.values[table.measures.index("auc")].astype(float)
        means = np.nanmean(values, axis=(0, 2))
        pairs = zip(table.datasets, means, strict=True)
        return {name: f"mean AUC {mean:.3f}" for name, mean in pairs if mean <= _CHANCE_AUC}
    if table.commonest is None:
        return {}
    rows = zip(table.datasets, table.mean_accuracy(), table.commonest, strict=True)
    return {
        name: f"mean accuracy {mean:.3f}, commonest class {share:.3f} of the rows"
        for name, mean, share in rows
        if mean <= share
    }


def _say_misleading(misleading: dict[str, str], measure: str) -> str:
    if not misleading:
        return ""
    named = join_names([f"{name} ({why})" for name, why in misleading.items()])
    if measure == "auc":
        return (
            f"Classifiers are on average hardly better than chance (AUC 0.5) on {named}: what such "
            "data sets tell of who is able is mostly chance. Leave them out."
        )
    return (
        f"To name the commonest class always is as accurate as the classifiers are on average on "
        f"{named}: there the order is partly one of who names it most often. Leave these out, or "
        "model what does not count that answer (--measure auc)."
    )


def _say_difficulty(found: "FitResult", measure: str) -> str:
    """What difficulty is, with the pair of data sets where it contradicts the mean most."""
    told = (
        "Difficulty is the ability at which 0.5 is expected: where a curve is flat that point lies "
        "far out, whatever the mean is."
    )
    if measure == "auc":
        told += " An AUC of 0.5 is chance, so that it is no level to reach."
    pair = _find_contradiction(found.items)
    if pair is not None:
        easy, hard = (
            f"{row['item']} (difficulty {row['difficulty']:.2f}, mean {row['mean_response']:.3f})"
            for row in pair
        )
        told += f" So {easy} is not easier than {hard}."
    return f"{told} Which data sets are hard is said by the mean."


def _find_contradiction(items: "pandas.DataFrame") -> "tuple[pandas.Series, pandas.Series] | None":
    """Give two data sets, the first easier by difficulty and harder by the mean; None for none."""
    rows = items[items["difficulty"].abs() <= FARTHEST]
    difficulty, mean = (rows[name].to_numpy(float) for name in ("difficulty", "mean_response"))
    lower = np.maximum(difficulty[None, :] - difficulty[:, None], 0)
    worse = np.maximum(mean[None, :] - mean[:, None], 0)
    size = lower * worse
    if not size.any():
        return None
    first, second = np.unravel_index(int(np.argmax(size)), size.shape)
    return rows.iloc[int(first)], rows.iloc[int(second)]


def _say_flat(found: "FitResult") -> str:
    difficulty = found.items["difficulty"]
    sides = [
        (
            f"below -{FARTHEST}, because all classifiers are expected above 0.5",
            difficulty < -FARTHEST,
        ),
        (f"above {FARTHEST}, because all are expected below it", difficulty > FARTHEST),
    ]
    told = [
        f"{side}: {join_names(list(found.items['item'][where]))}"
        for side, where in sides
        if where.any()
    ]
    return f"Difficulty is not determined, but {'; '.join(told)}." if told else ""
