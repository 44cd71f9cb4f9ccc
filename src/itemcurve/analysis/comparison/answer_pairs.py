"""The answers of two respondents to the items that both were asked, side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ResponsesError
from itemcurve.responses.matrix import Responses

Floats = NDArray[np.float64]
Clusters = Mapping[str, object] | Iterable[object] | None
# Added to the name of b where both runs are of one name.
OTHER_RUN = " (other run)"
_SHOWN = 3
_LEAST = 1e-12
# Where one side never exceeds 1, a score from here on is of another scale.
_OTHER_SCALE = 2.0


@dataclass(frozen=True, eq=False)
class Unasked:
    """Items that one respondent answered and the other was not asked, though it had the task.

    Attributes
    ----------
    scores : of who was asked, higher being better.
    tries : how often it was.
    """

    items: tuple[str, ...] = ()
    scores: Floats = field(default_factory=lambda: np.zeros(0))
    tries: Floats = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, eq=False)
class AnswerPairs:
    """Scores of two respondents, higher being better, on the items that both were asked.

    Attributes
    ----------
    names : who is compared: the first is the baseline.
    items : asked of both.
    first, second : mean score of each item, NaN without an answer; negated where lower is better.
    tries : how often each was asked, 0 without an answer (2 × items).
    clusters : number of the cluster of each item; None where each stands by itself.
    apart : how many items only the first, and only the second, was asked.
    sign : −1 where lower is better.
    unasked : what the first, and the second, answered of those items, in tasks of both.
    """

    names: tuple[str, str]
    items: tuple[str, ...]
    first: Floats
    second: Floats
    tries: Floats
    clusters: NDArray[np.int64] | None = None
    apart: tuple[int, int] = (0, 0)
    sign: float = 1.0
    unasked: tuple[Unasked, Unasked] = (Unasked(), Unasked())

    @property
    def is_shared(self) -> NDArray[np.bool_]:
        """Which items both answered."""
        return ~(np.isnan(self.first) | np.isnan(self.second))

    @property
    def gap(self) -> Floats:
        """How much better the second answered each item; NaN without both answers."""
        gap = self.second - self.first
        # Means of repeats that are equal may differ in their last digit.
        return np.where(np.abs(gap) < _LEAST, 0.0, gap)

    @property
    def n_clusters(self) -> int:
        """How many clusters there are; as many as items where these stand by themselves."""
        return len(self.items) if self.clusters is None else len(np.unique(self.clusters))

    @property
    def is_binary(self) -> bool:
        """Whether every answer is right or wrong, given once."""
        known = self.is_shared
        values = np.abs(np.concatenate([self.first[known], self.second[known]]))
        return bool(np.isin(values, (0.0, 1.0)).all() and (self.tries[:, known] == 1).all())

    @property
    def worst(self) -> float:
        """The score of an answer that could not be worse, as far as the scores tell."""
        values = self.sign * np.concatenate([self.first, self.second])
        low, high = np.nanmin(values), np.nanmax(values)
        if self.sign > 0:
            return 0.0 if low >= 0 else float(low)
        return -1.0 if high <= 1 else -float(high)

    def take(self, kept: NDArray[np.bool_]) -> "AnswerPairs":
        """Leave out the other items."""
        return replace(
            self,
            items=tuple(np.asarray(self.items, dtype=object)[kept]),
            first=self.first[kept],
            second=self.second[kept],
            tries=self.tries[:, kept],
            clusters=None if self.clusters is None else self.clusters[kept],
        )

    def count_unasked(self, side: int) -> "AnswerPairs":
        """Take what only one was asked (0: the first) for unanswered by the other."""
        added = self.unasked[side]
        size = len(added.items)
        rows, tries = [np.full(size, np.nan)] * 2, np.zeros((2, size))
        rows[side], tries[side] = added.scores, added.tries
        clusters = self.clusters
        if clusters is not None:
            clusters = np.concatenate([clusters, clusters.max(initial=-1) + 1 + np.arange(size)])
        return replace(
            self,
            items=(*self.items, *added.items),
            first=np.concatenate([self.first, rows[0]]),
            second=np.concatenate([self.second, rows[1]]),
            tries=np.concatenate([self.tries, tries], axis=1),
            clusters=clusters,
        )

    def fill_worst(self) -> "AnswerPairs":
        """Count every missing answer as the worst one."""
        first, second = (
            np.where(np.isnan(row), self.worst, row) for row in (self.first, self.second)
        )
        return replace(self, first=first, second=second, tries=np.maximum(self.tries, 1.0))


def pair_answers(
    responses: Responses,
    a: str | None,
    b: str | None,
    *,
    others: Responses | None = None,
    clusters: Clusters = None,
    is_higher_better: bool = True,
    tasks: Mapping[str, str] | None = None,
) -> AnswerPairs:
    """Put two respondents side by side.

    Parameters
    ----------
    a, b : their names; may be left out where there is but one (in `others`, for b).
    others : where b is, if it was another run; items are matched by id.
    clusters : by item, or in the order of the items of `responses`.
    tasks : by item; who never had a task lacks none of its items.
    """
    source = responses if others is None else others
    row, column = _find(responses, a, "a"), _find(source, b, "b")
    if others is None and row == column:
        raise ResponsesError(
            "Two different respondents are compared;",
            f"both are {responses.respondents[row]!r}.",
            "Name two of them, or give the other run as `others`.",
        )
    first, tries = _answers(responses, row)
    second, other_tries = _answers(source, column)
    if others is not None and is_higher_better:
        _check_scale(first, second)
    own, places = _match(responses.items, source.items)
    sign = 1.0 if is_higher_better else -1.0
    name, other = responses.respondents[row], source.respondents[column]
    return AnswerPairs(
        (name, other if other != name else name + OTHER_RUN),
        tuple(responses.items[place] for place in own.tolist()),
        sign * first[own],
        sign * second[places],
        np.stack([tries[own], other_tries[places]]),
        None if clusters is None else code_clusters(clusters, responses.items, own),
        (len(responses.items) - len(own), len(source.items) - len(own)),
        sign,
        (
            _find_unasked(responses.items, own, sign * first, tries, tasks or {}),
            _find_unasked(source.items, places, sign * second, other_tries, tasks or {}),
        ),
    )


def _find_unasked(
    items: tuple[str, ...],
    shared: NDArray[np.intp],
    scores: Floats,
    tries: Floats,
    tasks: Mapping[str, str],
) -> Unasked:
    is_alone = ~np.isnan(scores)
    is_alone[shared] = False
    alone = np.flatnonzero(is_alone)
    if len(alone) and tasks:
        known = {tasks.get(items[place]) for place in shared.tolist()}
        alone = np.array([at for at in alone.tolist() if tasks.get(items[at]) in known], np.intp)
    return Unasked(tuple(items[at] for at in alone.tolist()), scores[alone], tries[alone])


def _find(responses: Responses, name: str | None, role: str) -> int:
    known = responses.respondents
    if name is None and len(known) == 1:
        return 0
    if name is None or name not in known:
        shown = ", ".join(known[:10]) + (f" and {len(known) - 10} more" if len(known) > 10 else "")
        raise ResponsesError(
            f"The respondent {role!r} must be one of those that answered;",
            f"given is {name!r}, there are {shown}.",
            f"Name one of them ({role}=, --{role}).",
        )
    return known.index(name)


def _answers(responses: Responses, row: int) -> tuple[Floats, Floats]:
    """Mean score and number of tries of one respondent on each item."""
    own = responses.take([row]) if responses.shape[0] > 1 else responses
    weight = own.weight()
    values = own.array()[0]
    if weight is None:
        return values, np.ones(len(values))
    # Sparse where cells are repeated or missing; one row is small either way.
    full: Any = weight if isinstance(weight, np.ndarray) else weight.toarray()
    return values, np.asarray(full[0], dtype=np.float64)


def _check_scale(first: Floats, second: Floats) -> None:
    """Refuse shares on one side and percentages or marks on the other: any difference is one then.

    Losses may well lie below 1 on one side only, and are let through.
    """
    tops = [float(np.nanmax(row, initial=0.0)) for row in (first, second)]
    if min(tops) <= 1 and max(tops) >= _OTHER_SCALE:
        raise ResponsesError(
            "Both runs must be scored on the same scale;",
            f"the highest score of one is {tops[0]:g}, of the other {tops[1]:g}.",
            "Divide percentages by 100, or say that lower is better (is_higher_better=False, "
            "--lower-is-better) if these are losses.",
        )


def _match(
    first: tuple[str, ...], second: tuple[str, ...]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the places of the items that both have, in the order of the first."""
    if first == second:
        every = np.arange(len(first))
        return every, every
    places = {item: place for place, item in enumerate(second)}
    pairs = [(own, places[item]) for own, item in enumerate(first) if item in places]
    if not pairs:
        raise ResponsesError(
            "Two respondents are compared on the items that both were asked;",
            f"they share none: one has {_list(first)}, the other {_list(second)}.",
            "Check that both come from the same benchmark and name items alike.",
        )
    found = np.array(pairs, dtype=np.intp)
    return found[:, 0], found[:, 1]


def code_clusters(
    clusters: Clusters, items: tuple[str, ...], places: NDArray[np.intp] | None = None
) -> NDArray[np.int64]:
    """Number the cluster of each item; refuse items without one.

    Parameters
    ----------
    items : in whose order clusters come, unless they are a mapping.
    places : of the items that matter; all when left out.
    """
    kept = np.arange(len(items)) if places is None else places
    if isinstance(clusters, Mapping):
        known: Mapping[str, object] = clusters
    else:
        listed = list(clusters or ())
        known = dict(zip(items, listed, strict=True)) if len(listed) == len(items) else {}
    wanted = [items[place] for place in kept.tolist()]
    unknown = [item for item in wanted if item not in known]
    if unknown:
        raise ResponsesError(
            "Every item needs a cluster;",
            f"{len(unknown):,} of {len(wanted):,} have none, as {unknown[0]!r}.",
            "Give a mapping from items to clusters, or one cluster per item in their order.",
        )
    codes: dict[object, int] = {}
    return np.array([codes.setdefault(known[item], len(codes)) for item in wanted], dtype=np.int64)


def _list(items: tuple[str, ...]) -> str:
    return ", ".join(repr(item) for item in items[:_SHOWN]) + (
        f" and {len(items) - _SHOWN:,} more" if len(items) > _SHOWN else ""
    )
