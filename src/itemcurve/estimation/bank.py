"""A bank of calibrated items: what a new respondent is measured against."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.models.contract import ItemModel
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.responses.matrix import Responses

InformationKind = Literal["fisher", "kl"]
# The divergence is close to a parabola in so narrow a window: a few points integrate it exactly.
_WINDOW_POINTS = 4


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

    def information(
        self, abilities: Array, kind: InformationKind = "fisher", width: float = 0.1
    ) -> Array:
        """Information about ability (abilities × items), exact.

        Parameters
        ----------
        kind : `"fisher"`, or `"kl"`, the divergence of responses at abilities up to `width` away,
            integrated over that window.
        """
        if kind == "kl":
            return self._divergence(abilities, width)
        if kind != "fisher":
            raise ModelError(
                "The kind of information must be 'fisher' or 'kl'.",
                f"Got {kind!r}.",
                "Leave it out for Fisher information.",
            )
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

    def _divergence(self, abilities: Array, width: float) -> Array:
        """∫ KL(θ, θ*) dθ* over |θ* − θ| ≤ width (abilities × items)."""
        if not 0 < width < np.inf:
            raise ModelError(
                "The window of KL information needs a finite width above 0.",
                f"Got {width!r}.",
                "Use 0.1 if unsure.",
            )
        points = np.atleast_1d(np.asarray(abilities, dtype=float))
        nodes, weights = np.polynomial.legendre.leggauss(_WINDOW_POINTS)
        others = (points[:, None] + width * nodes).ravel()
        found = np.empty((len(points), len(self)))
        for part in self.parts:
            gain = part.likelihood.kl_information(
                NUMPY, np.repeat(points, len(nodes)), others, part.values
            )
            windows = gain.reshape(len(part.positions), len(points), len(nodes))
            found[:, part.positions] = width * (windows @ weights).T
        return found

    def _gather(self, abilities: Array, what: str) -> Array:
        points = np.atleast_1d(np.asarray(abilities, dtype=float))
        found = np.empty((len(points), len(self)))
        for part in self.parts:
            curve = getattr(part.likelihood, what)(NUMPY, points, part.values)
            found[:, part.positions] = curve.T
        return found
