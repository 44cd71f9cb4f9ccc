"""Simulated answers of two respondents with a known difference: single, clustered, repeated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs

# Share of what decides an answer that a repeat would find again.
_STABLE = 0.7


@dataclass(frozen=True)
class Design:
    """How answers come about.

    An answer is right where a normal variable of its item and its respondent lies below a
    threshold, which makes the true scores exact. Items have a part that both respondents share
    (`shared`); the part of each respondent's own is correlated within clusters by `intraclass`.
    """

    items: int
    score: float
    difference: float
    shared: float = 0.7
    clusters: int = 0
    intraclass: float = 0.0
    tries: int = 1

    @property
    def kind(self) -> str:
        """Name of the design, sizes and scores aside."""
        if self.clusters:
            repeats = f", {self.tries} tries" if self.tries > 1 else ""
            return f"{self.clusters} clusters, intra-class {self.intraclass:g}{repeats}"
        return "single" if self.tries == 1 else f"{self.tries} tries"

    def draw(self, random: np.random.Generator) -> AnswerPairs:
        """Draw the answers of both to the same items."""
        codes = np.arange(self.items) % self.clusters if self.clusters else None
        common = np.sqrt(self.shared) * random.normal(size=self.items)
        both = [
            self._answer(common, codes, score, random)
            for score in (self.score, self.score + self.difference)
        ]
        names = tuple(f"item_{number}" for number in range(self.items))
        tries = np.full((2, self.items), float(self.tries))
        return AnswerPairs(("a", "b"), names, both[0], both[1], tries, codes)

    def _answer(
        self,
        common: NDArray[np.float64],
        codes: NDArray[np.int64] | None,
        score: float,
        random: np.random.Generator,
    ) -> NDArray[np.float64]:
        from scipy.special import ndtr, ndtri

        own = random.normal(size=self.items)
        if codes is not None:
            inside = random.normal(size=self.clusters)[codes]
            own = np.sqrt(self.intraclass) * inside + np.sqrt(1 - self.intraclass) * own
        level = common + np.sqrt(1 - self.shared) * own
        threshold = float(ndtri(score))
        if self.tries == 1:
            return (level < threshold).astype(np.float64)
        chance = ndtr((threshold - np.sqrt(_STABLE) * level) / np.sqrt(1 - _STABLE))
        return random.binomial(self.tries, chance) / self.tries


# Score and difference, with what respondents share: none, a real one, near the ceiling, alike.
CASES = ((0.5, 0.0, 0.7), (0.5, 0.06, 0.7), (0.9, 0.0, 0.8), (0.9, 0.04, 0.8), (0.3, -0.1, 0.95))
SIZES = (50, 220, 1000)


def all_designs() -> list[Design]:
    """Every design of the study of coverage."""
    kinds = [(0, 0.0, 1), (0, 0.0, 5)]
    kinds += [(clusters, share, 1) for clusters in (20, 50) for share in (0.1, 0.3)]
    kinds += [(20, 0.3, 5)]
    return [
        Design(items, score, difference, shared, clusters, share, tries)
        for clusters, share, tries in kinds
        for items in SIZES
        if clusters < items
        for score, difference, shared in CASES
    ]
