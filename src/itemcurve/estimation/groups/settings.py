"""What is known of the respondents' groups, and what is the same in all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.models.parameters import Role

ROLES: Mapping[str, tuple[Role, ...]] = {
    "slopes": (Role.SLOPE,),
    "intercepts": (Role.INTERCEPT, Role.LOCATION, Role.THRESHOLD),
}
OF_ABILITIES = ("means", "variances")
SCALAR = ("slopes", "intercepts")


@dataclass(frozen=True)
class Groups:
    """Groups of respondents, and items that differ between them.

    Parameters
    ----------
    labels : the group of each respondent, in their order, or by their id.
    free : ids of items, or patterns of them, whose parameters all differ between groups.
    reference : the group whose abilities have mean 0 and standard deviation 1; the first to appear
        when left out.

    Examples
    --------
    >>> Groups(["old", "new", "new"], reference="old").reference
    'old'
    """

    labels: Any
    free: str | Iterable[str] = ()
    reference: object = None

    @property
    def free_patterns(self) -> tuple[str, ...]:
        """What `free` names, one by one."""
        return (self.free,) if isinstance(self.free, str) else tuple(self.free)


@dataclass(frozen=True, eq=False)
class GroupCodes:
    """The groups by name, the reference first, and the place of each respondent's."""

    names: tuple[str, ...]
    codes: NDArray[np.intp]

    @property
    def counts(self) -> NDArray[np.intp]:
        """Respondents of each group."""
        return np.bincount(self.codes, minlength=len(self.names))


def read_groups(groups: Groups, respondents: tuple[str, ...]) -> GroupCodes:
    """The groups of these respondents."""
    labels = _labels(groups.labels, respondents)
    names = list(dict.fromkeys(labels))
    if len(names) < 2:
        raise ResponsesError(
            "Groups need respondents of at least 2 groups.",
            f"All are of {names[0]!r}.",
            "Leave groups out, or give labels that differ.",
        )
    if groups.reference is not None:
        reference = str(groups.reference)
        if reference not in names:
            raise ResponsesError(
                "The reference must be one of the groups.",
                f"Got {reference!r}; the groups are {', '.join(map(repr, names[:8]))}.",
                "Give one of them, or leave it out.",
            )
        names.sort(key=lambda name: name != reference)
    place = {name: index for index, name in enumerate(names)}
    found = GroupCodes(tuple(names), np.array([place[label] for label in labels]))
    if found.counts.min() < 2:
        name = names[int(found.counts.argmin())]
        raise ResponsesError(
            "Each group needs at least 2 respondents.",
            f"{name!r} has 1.",
            "Join small groups, or drop them with responses.select(respondents=...).",
        )
    return found


def _labels(labels: Any, respondents: tuple[str, ...]) -> list[str]:
    if isinstance(labels, str):
        raise ResponsesError(
            "Groups need a label for each respondent.",
            f"Got the text {labels!r}.",
            "Give a list of labels in the respondents' order, or a mapping from ids to labels.",
        )
    if hasattr(labels, "to_numpy") and hasattr(labels, "index"):
        ids = [str(name) for name in labels.index]
        if set(ids) >= set(respondents):
            labels = dict(zip(ids, labels.to_numpy().tolist(), strict=True))
    if isinstance(labels, Mapping):
        known = {str(name): label for name, label in labels.items()}
        missing = [name for name in respondents if name not in known]
        if missing:
            raise ResponsesError(
                "Groups need a label for each respondent.",
                f"{len(missing)} of {len(respondents)} have none, the first is {missing[0]!r}.",
                "Add them, or drop these respondents with responses.select(respondents=...).",
            )
        found = [known[name] for name in respondents]
    else:
        found = list(labels)
    if len(found) != len(respondents):
        raise ResponsesError(
            "Groups need a label for each respondent.",
            f"Got {len(found)} labels for {len(respondents)} respondents.",
            "Give one each in their order, or a mapping from ids to labels.",
        )
    if any(label is None or label != label for label in found):
        raise ResponsesError(
            "Groups need a label for each respondent.",
            "Some labels are missing.",
            "Drop these respondents with responses.select(respondents=...).",
        )
    return [str(label) for label in found]


def read_equal(equal: object) -> tuple[str, ...]:
    """What is the same in all groups, checked."""
    known = (*ROLES, *OF_ABILITIES)
    named = (equal,) if isinstance(equal, str) else tuple(equal or ())  # type: ignore[arg-type]
    unknown = [name for name in named if name not in known]
    if unknown:
        raise ModelError(
            f"What groups have in common is named by {', '.join(map(repr, known))}.",
            f"Got {unknown[0]!r}.",
            "Use ('slopes', 'intercepts') for the same items, () for items that all differ.",
        )
    return tuple(name for name in known if name in named)


def match_items(wanted: Iterable[str], items: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which items ids or patterns name."""
    found = np.zeros(len(items), dtype=bool)
    for pattern in wanted:
        own = [item == pattern or fnmatchcase(item, pattern) for item in items]
        if not any(own):
            raise ResponsesError(
                "Every id or pattern of items must match one.",
                f"{pattern!r} matches none of {len(items)}, as {items[0]!r}.",
                "Correct it or leave it out.",
            )
        found |= np.array(own)
    return found
