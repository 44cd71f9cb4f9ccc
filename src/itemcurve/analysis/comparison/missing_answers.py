"""Answers that are missing on one side only, and what they could mean for a difference.

Timeouts, refusals and crashes are not at random: they fall on long and hard questions. Leaving them
out flatters who has more of them.
"""

from dataclasses import dataclass

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs, Floats

# Items left out at random look otherwise in one of so many comparisons.
_SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class ChosenItems:
    """Items asked of one only that are harder, or easier, than those asked of both.

    Attributes
    ----------
    score : mean of who was asked, on them.
    usual : on the items compared.
    overall : on both together.
    """

    score: float
    usual: float
    overall: float


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
    chosen : what tells that those are not like the others, None where they may well be: items that
        only the first, and only the second, was asked.
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
    chosen: tuple[ChosenItems | None, ChosenItems | None] = (None, None)

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
        for side, count in enumerate(self.apart):
            if count:
                said.append(self._say_apart(side))
        return tuple(said)

    def _say_apart(self, side: int) -> str:
        who, other, found = self.names[side], self.names[1 - side], self.chosen[side]
        count = self.apart[side]
        plain = f"{count:,} {_items(count)} of {who} {_were(count)} not asked of {other}"
        if found is None:
            return plain + "."
        kind = "harder" if found.score < found.usual else "easier"
        return (
            f"{plain}, and not at random: they are {kind} ({who} has {found.score:.3f} there and "
            f"{found.usual:.3f} on the items compared). If they failed, that flatters {other}."
        )


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
        (
            _find_chosen(pairs.unasked[0].scores, pairs.first[shared], pairs.sign),
            _find_chosen(pairs.unasked[1].scores, pairs.second[shared], pairs.sign),
        ),
    )


def _find_chosen(alone: Floats, shared: Floats, sign: float) -> ChosenItems | None:
    """Tell items that only one was asked from a random part of all, by its own scores there."""
    if not len(alone) or not len(shared) or np.ptp(np.concatenate([alone, shared])) == 0:
        return None
    # Here, because most comparisons lack nothing, and it takes longer to load than to compare.
    from scipy.stats import mannwhitneyu

    if mannwhitneyu(alone, shared, method="asymptotic").pvalue >= _SIGNIFICANCE:
        return None
    means = alone.mean(), shared.mean(), np.concatenate([alone, shared]).mean()
    return ChosenItems(*(float(sign * mean) for mean in means))


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _items(count: int) -> str:
    return "item" if count == 1 else "items"
