"""Which item may load on which ability.

Exploratory: every item on all of them, and the axes are turned afterwards. Confirmatory: each
ability has its items, and abilities may be correlated. Bifactor: all items on a general ability,
and those of each group on one more of their own, all of them uncorrelated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import ModelError
from itemcurve.estimation.item_patterns import is_named
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import axes

Dimensions = int | Literal["auto"] | Mapping[str, Sequence[str]]
"""How many abilities, as many as predict best, or the items of each by patterns of their ids."""
General = bool | Literal["above"]
"""Whether there is a general ability: beside the others (bifactor), or above them."""
GENERAL, ABOVE = "general", "above"
_MOST = 30


@dataclass(frozen=True, eq=False)
class LoadingPattern:
    """Abilities by name, and which slopes are estimated.

    Attributes
    ----------
    names : of the abilities.
    free : which slopes are estimated (items × dimensions); the others are zero.
    is_exploratory : whether axes may be turned, so that they are found by a rotation.
    is_correlated : whether correlations of abilities are estimated.
    is_second_order : whether these are what one ability above the others makes of them.
    """

    names: tuple[str, ...]
    free: Annotated[Array, axes("items dimensions")]
    is_exploratory: bool = False
    is_correlated: bool = False
    is_second_order: bool = False

    @property
    def size(self) -> int:
        """How many abilities there are."""
        return len(self.names)

    @property
    def kind(self) -> str:
        """What it is called."""
        if self.is_exploratory:
            return "exploratory"
        if self.is_second_order:
            return "second order"
        return "confirmatory" if self.is_correlated or self.size == 1 else "bifactor"

    @property
    def groups(self) -> NDArray[np.intp] | None:
        """Of a bifactor pattern, the special ability of each item (0 for none); else None."""
        if self.is_exploratory or self.is_correlated or self.size < 2:
            return None
        special = self.free[:, 1:]
        if not self.free[:, 0].all() or (special.sum(axis=1) > 1).any():
            return None
        return np.where(special.any(axis=1), special.argmax(axis=1) + 1, 0)

    @property
    def n_free(self) -> int:
        """How many numbers slopes and correlations are, less what a rotation takes up."""
        size = self.size
        turned = size * (size - 1) // 2
        slopes = int(self.free.sum())
        if self.is_exploratory:
            return slopes - turned
        if self.is_second_order:
            return slopes + (size if size > 2 else 1)
        return slopes + turned * self.is_correlated


def read_pattern(
    items: Sequence[str], dimensions: Dimensions, *, general: General = False
) -> LoadingPattern:
    """Give the pattern that the arguments of `fit` name.

    Parameters
    ----------
    dimensions : a number of abilities to be explored, or patterns of the items of each, as
        `{"algebra": ["alg_*"], "logic": ["log_*"]}`.
    general : whether there is a general ability beside these, or, as `"above"`, one that they
        depend on (second order).

    Examples
    --------
    >>> items = ["alg_1", "alg_2", "log_1", "log_2"]
    >>> read_pattern(items, {"algebra": ["alg_*"], "logic": ["log_*"]}).kind
    'confirmatory'
    """
    if general not in (True, False, ABOVE):
        raise ModelError(
            "general is True (beside the other abilities), 'above' or False.",
            f"Got {general!r}.",
            "Leave it out for abilities that are correlated.",
        )
    if isinstance(dimensions, Mapping):
        return _by_name(items, dimensions, general)
    if isinstance(dimensions, bool) or not isinstance(dimensions, int | np.integer):
        raise _refusal(dimensions)
    size = int(dimensions)
    if not 1 <= size <= min(_MOST, len(items) - 1):
        raise ModelError(
            f"A fit has between 1 and {_MOST} abilities, and fewer than items.",
            f"Got {size} for {len(items)} items.",
            "Ask for fewer.",
        )
    if general:
        raise ModelError(
            "A general ability stands beside others that have items of their own.",
            f"Got general={general!r} with dimensions={size}.",
            'Name the items of each, as dimensions={"algebra": ["alg_*"], "logic": ["log_*"]}.',
        )
    names = tuple(f"ability_{k}" for k in range(1, size + 1))
    return LoadingPattern(names, np.ones((len(items), size), dtype=bool), is_exploratory=size > 1)


def _by_name(
    items: Sequence[str], dimensions: Mapping[str, Sequence[str]], general: General
) -> LoadingPattern:
    names = list(map(str, dimensions))
    if not names or GENERAL in names:
        raise ModelError(
            f"Abilities have names, and {GENERAL!r} is that of the general one.",
            f"Got {names}.",
            "Name at least one ability; the general one is asked for by general=True.",
        )
    columns = [_matching(items, name, own) for name, own in dimensions.items()]
    free = np.stack(columns, axis=1)
    is_beside = general is True
    if is_beside:
        twice = np.flatnonzero(free.sum(axis=1) > 1)
        if twice.size:
            raise ModelError(
                "Beside the general ability, an item loads on one other at most.",
                f"{items[twice[0]]!r} is listed for {int(free[twice[0]].sum())}.",
                "Make the patterns narrower, or leave general out.",
            )
        free = np.column_stack([np.ones(len(items), dtype=bool), free])
        names = [GENERAL, *names]
    alone = np.flatnonzero(~free.any(axis=1))
    if alone.size:
        raise ModelError(
            "Every item must load on an ability.",
            f"{alone.size} match none, as {items[alone[0]]!r}.",
            "Add a pattern for them, drop them, or give all a general ability by general=True.",
        )
    is_above = general == ABOVE and not is_beside
    if is_above and len(names) < 2:
        raise ModelError(
            "A general ability stands above two others at least.",
            f"Got {names[0]!r} alone.",
            "Name more, or leave general out.",
        )
    is_correlated = not is_beside and len(names) > 1
    return LoadingPattern(tuple(names), free, is_correlated=is_correlated, is_second_order=is_above)


def _matching(items: Sequence[str], name: str, patterns: Any) -> NDArray[np.bool_]:
    own = [patterns] if isinstance(patterns, str) else list(patterns)
    found, ids = np.zeros(len(items), dtype=bool), frozenset(items)
    for pattern in own:
        hits = np.array([is_named(item, pattern, ids) for item in items])
        if not hits.any():
            raise ModelError(
                "Every pattern must match an item.",
                f"{pattern!r} of {name!r} matches none of {len(items)}, as {items[0]!r}.",
                "Correct it or leave it out.",
            )
        found |= hits
    if found.sum() < 2:
        raise ModelError(
            "An ability needs two items at least.",
            f"{name!r} has {int(found.sum())}.",
            "Give it more items, or leave it out.",
        )
    return found


def _refusal(given: object) -> ModelError:
    return ModelError(
        "dimensions is a number of abilities, 'auto', or a mapping from names to patterns.",
        f"Got {given!r}.",
        'Write dimensions=3, or dimensions={"algebra": ["alg_*"], "logic": ["log_*"]}.',
    )
