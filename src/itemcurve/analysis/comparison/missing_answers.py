"""Answers that are missing on one side only, and what they could mean for a difference.

Timeouts, refusals and crashes are not at random: they fall on long and hard questions. Leaving them
out flatters who has more of them.
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs


@dataclass(frozen=True)
class MissingAnswers:
    """Which items asked of both lack an answer, and how the other did there.

    Attributes
    ----------
    names : of both respondents.
    first, second : items that only this one failed to answer.
    both : items that neither answered.
    score_of_second, score_of_first : mean of the other on the items that the first, or the second,
        left unanswered; NaN where there are none.
    shared_first, shared_second : means on the items that both answered.
    apart : items that only the first, and only the second, was asked at all.
    """

    names: tuple[str, str]
    first: int
    second: int
    both: int
    score_of_second: float
    score_of_first: float
    shared_first: float
    shared_second: float
    apart: tuple[int, int]

    @property
    def is_lopsided(self) -> bool:
        """Whether one has answers that the other lacks."""
        return bool(self.first or self.second)

    def notes(self) -> tuple[str, ...]:
        """Say what is missing, one sentence each."""
        a, b = self.names
        said = []
        for count, who, other, there, usual in (
            (self.first, a, b, self.score_of_second, self.shared_second),
            (self.second, b, a, self.score_of_first, self.shared_first),
        ):
            if count:
                said.append(
                    f"{who} has no answer to {count:,} {_items(count)} that {other} answered; "
                    f"{other} has {there:.3f} there and {usual:.3f} on the items compared."
                )
        if self.both:
            said.append(f"Neither answered {self.both:,} {_items(self.both)}.")
        for count, who in zip(self.apart, self.names, strict=True):
            if count:
                said.append(f"{count:,} {_items(count)} of {who} were not asked of the other.")
        return tuple(said)


def find_missing(pairs: AnswerPairs) -> MissingAnswers:
    """Count what is missing, and see how the other did there."""
    no_first, no_second = np.isnan(pairs.first), np.isnan(pairs.second)
    shared = ~(no_first | no_second)

    def mean(scores: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        return float(pairs.sign * scores.mean()) if len(scores) else float("nan")

    return MissingAnswers(
        pairs.names,
        int((no_first & ~no_second).sum()),
        int((no_second & ~no_first).sum()),
        int((no_first & no_second).sum()),
        mean(pairs.second[no_first & ~no_second]),
        mean(pairs.first[no_second & ~no_first]),
        mean(pairs.first[shared]),
        mean(pairs.second[shared]),
        pairs.apart,
    )


def _items(count: int) -> str:
    return "item" if count == 1 else "items"
