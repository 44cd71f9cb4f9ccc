"""What is known of the respondents' groups, and what is the same in all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.item_patterns import is_named
from itemcurve.models.parameters import Role

ROLES: Mapping[str, tuple[Role, ...]] = {
    "slopes": (Role.SLOPE,),
    "intercepts": (Role.INTERCEPT, Role.LOCATION, Role.THRESHOLD),
}
_NEEDED = "Groups need a label for each respondent."
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
    if isinstance(labels, str) or not isinstance(labels, Iterable):
        raise ResponsesError(
            _NEEDED,
            f"Got the {'text' if isinstance(labels, str) else type(labels).__name__} {labels!r}.",
            "Give a list of labels in the respondents' order, or a mapping from ids to labels.",
        )
    known = _by_id(labels, respondents)
    found = list(labels) if known is None else [known[name] for name in respondents]
    if len(found) != len(respondents):
        raise ResponsesError(
            _NEEDED,
            f"Got {len(found)} labels for {len(respondents)} respondents.",
            "Give one each in their order, or a mapping from ids to labels.",
        )
    if any(_is_missing(label) for label in found):
        raise ResponsesError(
            _NEEDED,
            "Some labels are missing.",
            "Drop these respondents with responses.select(respondents=...).",
        )
    return [str(label) for label in found]


def _by_id(labels: Any, respondents: tuple[str, ...]) -> dict[str, Any] | None:
    """Labels by id where they have ids; an index that is only counted has none of the others."""
    if isinstance(labels, Mapping):
        pairs, has_ids = list(labels.items()), True
    elif hasattr(labels, "to_numpy") and hasattr(labels, "index"):
        pairs = list(zip(labels.index, labels.tolist(), strict=True))
        has_ids = labels.index.dtype.kind not in "iufb"
    else:
        return None
    known: dict[str, Any] = {}
    for name, label in pairs:
        if known.setdefault(str(name), label) is not label and str(known[str(name)]) != str(label):
            raise ResponsesError(
                "Groups need one label for each respondent.",
                f"{str(name)!r} has {str(known[str(name)])!r} and {str(label)!r}.",
                "Keep one of them.",
            )
    missing = [name for name in respondents if name not in known]
    if not missing:
        return known
    if not has_ids:
        return None
    raise ResponsesError(
        _NEEDED,
        f"{len(missing)} of {len(respondents)} have none, the first is {missing[0]!r}.",
        "Add them, or drop these respondents with responses.select(respondents=...).",
    )


def _is_missing(label: Any) -> bool:
    """Whether a label is None, NaN or what pandas has for them."""
    return label is None or type(label).__name__ in ("NAType", "NaTType") or bool(label != label)


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
    """Which items ids or patterns name; what is an id names that item alone."""
    found, ids = np.zeros(len(items), dtype=bool), frozenset(items)
    for pattern in wanted:
        own = [is_named(item, pattern, ids) for item in items]
        if not any(own):
            raise ResponsesError(
                "Every id or pattern of items must match one.",
                f"{pattern!r} matches none of {len(items)}, as {items[0]!r}.",
                "Correct it or leave it out.",
            )
        found |= np.array(own)
    return found
