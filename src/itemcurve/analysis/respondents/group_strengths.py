"""Strengths and weaknesses: on which groups of items respondents do better or worse."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.predictions import Forecasts, Predictions
from itemcurve.analysis.respondents.skill import expect_correct
from itemcurve.errors import EvaluationError
from itemcurve.showing.html_cards import html_card
from itemcurve.showing.text_tables import text_table, wrapped

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
WEAK, STRONG = "weaker", "stronger"
_SIGNIFICANCE = 0.05
# Groups that are smaller are shown without a verdict: a mean of so few says little.
_FEWEST_ITEMS = 5
_MOST_TOLD = 3


@dataclass(frozen=True, eq=False)
class GroupStrengths:
    """Skill of every respondent on every group of items, against its skill on all others.

    Attributes
    ----------
    respondents, groups : names, in the order of the axes.
    counts : items of each group.
    skill, errors : on each group, with standard errors (respondents × groups).
    differences, p_values : skill on the group less that on all other items; p-values by Welch's
        test, Holm's over all respondents and groups. NaN where a group is too small to tell.
    level : of the intervals.
    """

    respondents: tuple[str, ...]
    groups: tuple[str, ...]
    counts: NDArray[np.intp]
    skill: Floats
    errors: Floats
    differences: Floats
    p_values: Floats
    level: float

    @cached_property
    def verdicts(self) -> NDArray[np.str_]:
        """`weaker`, `stronger` or nothing (respondents × groups)."""
        is_clear = np.nan_to_num(self.p_values, nan=1.0) < _SIGNIFICANCE
        side = np.where(self.differences < 0, WEAK, STRONG)
        return np.where(is_clear, side, "")

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent and group, the weakest groups of each respondent first."""
        import pandas
        from scipy.special import ndtri

        reach = float(ndtri(0.5 + self.level / 2)) * self.errors
        shape = self.skill.shape
        table = pandas.DataFrame(
            {
                "respondent": np.repeat(self.respondents, shape[1]),
                "group": np.tile(self.groups, shape[0]),
                "items": np.tile(self.counts, shape[0]),
                "skill": self.skill.ravel(),
                "skill_lower": (self.skill - reach).ravel(),
                "skill_upper": (self.skill + reach).ravel(),
                "against_rest": self.differences.ravel(),
                "p_adjusted": self.p_values.ravel(),
                "verdict": self.verdicts.ravel(),
            }
        )
        places = {name: place for place, name in enumerate(self.respondents)}
        order = table["respondent"].map(places)
        return table.iloc[np.lexsort((table["against_rest"], order))].reset_index(drop=True)

    def say(self) -> str:
        """Say what stands out, in a sentence or two."""
        table = self.frame()
        parts = []
        for word in (WEAK, STRONG):
            found = table[table["verdict"] == word].sort_values("p_adjusted", kind="stable")
            told = [
                f"{row.respondent} on {row.group} ({row.skill:.2f}, {row.against_rest:+.2f})"
                for row in found.head(_MOST_TOLD).itertuples()
            ]
            more = f" and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else ""
            if told:
                parts.append(f"Clearly {word} than elsewhere: {', '.join(told)}{more}.")
        return " ".join(parts) or (
            f"No respondent is clearly weaker or stronger on one of the {len(self.groups)} groups."
        )

    def brief(self) -> "pandas.DataFrame":
        """Give what stands out, or all where nothing does, as text."""
        table = self.frame()
        found = table[table["verdict"] != ""]
        shown = found if len(found) else table
        numbers = ("skill", "against_rest", "p_adjusted")
        columns = ["respondent", "group", "items", *numbers, "verdict"]
        return shown[columns].assign(**{name: shown[name].map("{:.3f}".format) for name in numbers})

    def __str__(self) -> str:
        return f"{wrapped(self.say())}\n{text_table(self.brief())}"

    def _repr_html_(self) -> str:
        title = f"Strengths and weaknesses on {len(self.groups)} groups"
        return html_card(title, [self.say()], self.brief(), more="All: .frame()")

    def __repr__(self) -> str:
        return f"GroupStrengths({self.say()})"


def find_strengths(
    predictions: Predictions | Forecasts, groups: Any, level: float = 0.9
) -> GroupStrengths:
    """Compare the skill of respondents on each group of items with their skill on the others.

    Parameters
    ----------
    predictions : of respondents; constant answers and oracles are left out.
    groups : one per item.
    level : of the intervals.
    """
    names, places = _read_groups(groups, len(predictions.items))
    kept = np.flatnonzero(~predictions.is_reference)
    if not len(kept):
        kept = np.arange(len(predictions.respondents))
    scores = _grade(predictions)[kept]
    inside = places == np.arange(len(names))[:, np.newaxis]
    means, errors = _summarise(scores, inside)
    others, other_errors = _summarise(scores, ~inside)
    differences = means - others
    p_values = _adjusted(differences, errors, other_errors, inside)
    return GroupStrengths(
        tuple(predictions.respondents[row] for row in kept),
        names,
        inside.sum(axis=1),
        means,
        errors,
        differences,
        p_values,
        level,
    )


def _grade(predictions: Predictions | Forecasts) -> Floats:
    """Skill item by item (respondents × items)."""
    if isinstance(predictions, Predictions):
        return expect_correct(predictions.probabilities, predictions.label_noise.soft_labels)
    errors = np.abs(predictions.values - predictions.targets)
    return np.asarray(1 - errors / (predictions.usual_error or 1.0))


def _summarise(scores: Floats, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Mean and its standard error within each group (respondents × groups)."""
    counts = inside.sum(axis=1)
    weights = inside.T.astype(float)
    means = scores @ weights / counts
    spread = np.maximum((scores**2) @ weights / counts - means**2, 0.0)
    # One answer more of either kind keeps a group without a miss from an error of 0.
    return means, np.sqrt(spread / np.maximum(counts - 1, 1) + 1 / counts**2)


def _adjusted(
    differences: Floats, errors: Floats, other_errors: Floats, inside: NDArray[np.bool_]
) -> Floats:
    """Welch's p-values, Holm's over all that can be told."""
    from scipy.special import stdtr

    counts, total = inside.sum(axis=1), inside.shape[1]
    own, other = errors**2, other_errors**2
    freedom = (own + other) ** 2 / (
        own**2 / np.maximum(counts - 1, 1) + other**2 / np.maximum(total - counts - 1, 1)
    )
    p_values = 2 * stdtr(freedom, -np.abs(differences) / np.sqrt(own + other))
    can_tell = (counts >= _FEWEST_ITEMS) & (total - counts >= _FEWEST_ITEMS)
    p_values = np.where(can_tell, p_values, np.nan)
    known = np.flatnonzero(np.isfinite(p_values))
    order = known[np.argsort(p_values.flat[known])]
    steps = p_values.flat[order] * np.arange(len(order), 0, -1)
    found = p_values.copy()
    found.flat[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return found


def _read_groups(groups: Any, count: int) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    found = np.asarray(groups)
    if found.shape != (count,):
        given = "none" if not found.size else f"an array of shape {found.shape}"
        raise EvaluationError(
            f"groups must name a group for each of the {count} items, in their order;",
            f"given is {given}.",
            "Give one value per item, or evaluate with groups=.",
        )
    names, places = np.unique(found.astype(str), return_inverse=True)
    if len(names) < 2:
        raise EvaluationError(
            "Strengths need two groups of items or more;",
            f"all items are of group {str(names[0])!r}.",
            "Choose another grouping.",
        )
    return tuple(map(str, names)), np.asarray(places, dtype=np.intp)
