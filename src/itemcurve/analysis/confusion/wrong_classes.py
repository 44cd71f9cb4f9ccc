"""What items are taken for: β³ for several classes, under log-loss.

    E[p_right] = σ(a(t − b)),   E[p_k] = (1 − E[p_right]) w_k,   Σ_k w_k = 1 over wrong classes

are the means of Dirichlet responses whose right class has the curve of β³ (Chen et al. 2019, who
name this extension): parts of a Dirichlet add up, so that the right class alone is a Beta variable,
and two classes are β³ itself. Under log-loss,

    Σ_k p_k log E[p_k] = p_right log σ + (1 − p_right) log(1 − σ) + Σ_k p_k log w_k,

the first two terms are those of the fractional β³ and the last has no ability in it: abilities,
difficulties and discriminations are those found from the right class, and w is found by itself.
Its maximum is the share of the wrong probability that went to each class. Few
respondents err on an easy item, so shares are drawn towards those of the label, m, by a weight s:

    w = (Σ_i p_ik + s m_k)/(Σ_i Σ_k p_ik + s)

with the s that predicts the wrong probabilities of left-out respondents best.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import EvaluationError
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.predictions import Predictions

# Of wrong probability, before any item of a label is seen, all classes together: hardly anything.
_BEFORE = 0.5
# In respondents who would be all wrong.
_WEIGHTS = tuple(float(weight) for weight in np.geomspace(0.01, 100, 25))
Shares = Annotated[Array, axes("items classes")]
Profiles = Annotated[Array, axes("classes classes")]


@dataclass(frozen=True, eq=False)
class WrongClasses:
    """Which wrong classes items are taken for.

    Attributes
    ----------
    items, classes : names.
    labels : position of each item's label.
    counts : wrong probabilities, summed over respondents; 0 for the label.
    profiles : m, shares of the wrong classes by label.
    weight : s: how alike items of one label are, in respondents who would be all wrong.
    n_respondents : who were asked, constant answers left out.
    """

    items: tuple[str, ...]
    classes: tuple[str, ...]
    labels: NDArray[np.integer]
    counts: Shares
    profiles: Profiles
    weight: float
    n_respondents: int

    @cached_property
    def shares(self) -> Shares:
        """w: shares of the wrong classes, 0 for the label."""
        return _draw_together(self.counts, self.profiles[self.labels], self.weight)

    def expected(self, right: Array) -> Array:
        """Give E[p] of all classes, where the label's is expected to have these.

        Parameters
        ----------
        right : expected probability of the label (… × items), as from `fit.expected_responses`.
        """
        found = (1 - np.asarray(right))[..., None] * self.shares
        found[..., np.arange(len(self.items)), self.labels] = right
        return np.asarray(found)

    def frame(self) -> "pandas.DataFrame":
        """One row per item, the most mistaken first.

        `wrong` is the mean probability that respondents give to other classes than the label,
        `taken_for` the class that has most of it, `share` how much of it.
        """
        import pandas

        names = np.array(self.classes, dtype=object)
        table = pandas.DataFrame(
            {
                "item": self.items,
                "label": names[self.labels],
                "wrong": self.counts.sum(axis=1) / self.n_respondents,
                "taken_for": names[self.shares.argmax(axis=1)],
                "share": self.shares.max(axis=1),
            }
        )
        return table.sort_values("wrong", ascending=False, kind="stable", ignore_index=True)

    def by_label(self) -> "pandas.DataFrame":
        """Labels in rows, classes in columns: what items of a label are taken for in common."""
        import pandas

        return pandas.DataFrame(
            self.profiles, index=list(self.classes), columns=list(self.classes)
        ).rename_axis("label")

    def __repr__(self) -> str:
        return (
            f"WrongClasses({len(self.items):,} items, {len(self.classes)} classes, "
            f"{self.n_respondents} respondents)"
        )


def find_wrong_classes(predictions: "Predictions") -> WrongClasses:
    """Find which wrong classes items are taken for.

    Parameters
    ----------
    predictions : class probabilities of all respondents; those that say the same of every item
        are left out.
    """
    if len(predictions.classes) < 3:
        raise EvaluationError(
            "What items are taken for is a question where there are three classes or more;",
            f"here are {len(predictions.classes)}.",
            "With two it is the other one.",
        )
    asked = np.array(predictions.probabilities[~predictions.is_reference], dtype=float)
    labels = np.asarray(predictions.labels)
    asked[:, np.arange(len(labels)), labels] = 0.0
    counts = asked.sum(axis=0)
    return WrongClasses(
        predictions.items,
        predictions.classes,
        labels,
        counts,
        _find_profiles(counts, labels),
        _find_weight(asked, labels) if len(asked) > 1 else 1.0,
        len(asked),
    )


def _find_profiles(counts: Shares, labels: NDArray[np.integer]) -> Profiles:
    """Give m of every label: what its items are taken for, all together."""
    size = counts.shape[1]
    found = _BEFORE * ~np.eye(size, dtype=bool) / (size - 1)
    np.add.at(found, labels, counts)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _find_weight(
    asked: Annotated[Array, axes("respondents items classes")], labels: NDArray[np.integer]
) -> float:
    """Give the s by which each respondent's errors are foretold best from those of the others."""
    losses = np.zeros(len(_WEIGHTS))
    total = asked.sum(axis=0)
    for own in asked:
        counts = total - own
        known = _find_profiles(counts, labels)[labels]
        for place, weight in enumerate(_WEIGHTS):
            shares = _draw_together(counts, known, weight)
            losses[place] -= (own * np.log(np.where(own > 0, shares, 1.0))).sum()
    return _WEIGHTS[int(losses.argmin())]


def _draw_together(counts: Shares, known: Shares, weight: float) -> Shares:
    return np.asarray((counts + weight * known) / (counts.sum(axis=1, keepdims=True) + weight))
