"""A bank of calibrated items: what a new respondent is measured against."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.responses.matrix import Responses


@dataclass(frozen=True, eq=False)
class BankPart:
    """Items of one model: positions in the bank, parameters and their covariance."""

    model: ItemModel
    positions: Array
    values: Array
    covariance: Array

    @property
    def likelihood(self) -> Likelihood:
        """The likelihood of these items."""
        return Likelihood(self.model)


@dataclass(frozen=True, eq=False)
class Bank:
    """Calibrated items on one scale of ability; items of different models may be mixed."""

    items: tuple[str, ...]
    parts: tuple[BankPart, ...]

    def __len__(self) -> int:
        return len(self.items)

    def expected_response(self, abilities: Array) -> Array:
        """E[y] (abilities × items)."""
        return self._gather(abilities, "expected_response")

    def information(self, abilities: Array) -> Array:
        """Fisher information about ability (abilities × items)."""
        return self._gather(abilities, "ability_information")

    def select(self, items: Iterable[str]) -> "Bank":
        """The bank of these items, in this order."""
        place = {item: index for index, item in enumerate(self.items)}
        wanted = tuple(items)
        unknown = [item for item in wanted if item not in place]
        if unknown:
            raise ResponsesError(
                "Every item must be in the bank.",
                f"{len(unknown)} of {len(wanted)} are not, the first is {unknown[0]!r}; the bank "
                f"has {len(self)} items, the first is {self.items[0]!r}.",
                "Score against the bank that was fitted on these items, or drop the others with "
                "responses.select(items=...).",
            )
        order = {place[item]: new for new, item in enumerate(wanted)}
        parts = []
        for part in self.parts:
            kept = np.array([i for i, p in enumerate(part.positions) if p in order], dtype=int)
            if len(kept):
                positions = np.array([order[p] for p in part.positions[kept]])
                parts.append(
                    BankPart(part.model, positions, part.values[kept], part.covariance[kept])
                )
        return Bank(wanted, tuple(parts))

    def aligned(self, responses: Responses) -> "Bank":
        """The bank's items in the order of the responses' columns."""
        return self.select(responses.items)

    def _gather(self, abilities: Array, what: str) -> Array:
        points = np.atleast_1d(np.asarray(abilities, dtype=float))
        found = np.empty((len(points), len(self)))
        for part in self.parts:
            curve = getattr(part.likelihood, what)(NUMPY, points, part.values)
            found[:, part.positions] = curve.T
        return found
