"""Where each parameter stands in the vector that is searched."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from itemcurve.pairs.votes.vote_data import Floats

STRENGTH, TIES, ORDER, STYLE = "strength", "ties", "order", "style"
JUDGE_SLOPE, JUDGE_TIES, JUDGE_ORDER = "judge_discrimination", "judge_ties", "judge_order"
_OF_JUDGES = (JUDGE_SLOPE, JUDGE_TIES, JUDGE_ORDER)
ITEM_SLOPE, ITEM_TIES, ITEM_DIFFICULTY = "item_discrimination", "item_ties", "item_difficulty"


@dataclass(frozen=True)
class Layout:
    """Parameters of the core one after the other, then those of each item.

    Attributes
    ----------
    core : names and sizes of the blocks that all votes may share.
    item_parts : what each item has of its own.
    """

    core: tuple[tuple[str, int], ...]
    item_parts: tuple[str, ...] = ()
    n_items: int = 0

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where the blocks of the core are."""
        ends = np.cumsum([size for _, size in self.core]).tolist()
        return {
            name: slice(end - size, end) for (name, size), end in zip(self.core, ends, strict=True)
        }

    @property
    def core_size(self) -> int:
        """Number of parameters of the core."""
        return sum(size for _, size in self.core)

    @property
    def width(self) -> int:
        """Number of parameters of an item."""
        return len(self.item_parts)

    @property
    def size(self) -> int:
        """Number of all parameters."""
        return self.core_size + self.n_items * self.width

    def block(self, theta: Floats, name: str) -> Floats:
        """Give the parameters of this name; none where there are none."""
        if name in self.item_parts:
            items = theta[self.core_size :].reshape(self.n_items, self.width)
            return items[:, self.item_parts.index(name)]
        return theta[self.slices.get(name, slice(0, 0))]

    @property
    def n_constraints(self) -> int:
        """How many directions are held."""
        judges = sum(name in self.slices for name in _OF_JUDGES)
        return 1 + judges + (ITEM_SLOPE in self.item_parts)

    def constraints(self, judge_votes: Floats) -> Floats:
        """Rows whose product with a step must be 0.

        They hold the origin of strengths and, where discriminations are estimated, the unit: the
        mean of the judges', each by its votes, and the mean of the items'. Ties and order of single
        judges are distances from the mean of all.

        Parameters
        ----------
        judge_votes : how many each judge has.
        """
        rows = np.zeros((self.n_constraints, self.size))
        rows[0, self.slices[STRENGTH]] = 1.0
        for place, name in enumerate(name for name in _OF_JUDGES if name in self.slices):
            # By votes, lest a judge of whom little is known moves the unit of all.
            rows[1 + place, self.slices[name]] = judge_votes / judge_votes.mean()
        if ITEM_SLOPE in self.item_parts:
            rows[-1, self.core_size + self.item_parts.index(ITEM_SLOPE) :: self.width] = 1.0
        return rows


@dataclass(frozen=True, eq=False)
class PairValues:
    """Parameters by what they are; of judges and items the last entry is the average one.

    So that code −1, an unknown judge or item, finds it.
    """

    strengths: Floats
    ties: float | None
    order: float
    style: Floats
    judge_slopes: Floats
    judge_ties: Floats
    judge_order: Floats
    item_slopes: Floats
    item_ties: Floats
    item_difficulties: Floats


def read_values(layout: Layout, theta: Floats) -> PairValues:
    """Give parameters by what they are."""
    n_judges = len(layout.block(theta, JUDGE_SLOPE))

    def own(name: str, average: float) -> Floats:
        found = layout.block(theta, name)
        # What judges or items do not have of their own is the average's.
        count = n_judges if name.startswith("judge") else layout.n_items
        return np.append(found, np.full(1 + count - len(found), average))

    ties, order = layout.block(theta, TIES), layout.block(theta, ORDER)
    return PairValues(
        layout.block(theta, STRENGTH),
        float(ties[0]) if len(ties) else None,
        float(order[0]) if len(order) else 0.0,
        layout.block(theta, STYLE),
        own(JUDGE_SLOPE, 1.0),
        own(JUDGE_TIES, 0.0),
        own(JUDGE_ORDER, 0.0),
        own(ITEM_SLOPE, 1.0),
        own(ITEM_TIES, 0.0),
        own(ITEM_DIFFICULTY, 0.0),
    )
