"""Is one respondent better than another on the same items, by how much, and how sure is that?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from itemcurve.analysis.comparison.ability_difference import AbilityDifference, compare_abilities
from itemcurve.analysis.comparison.answer_pairs import (
    OTHER_RUN,
    AnswerPairs,
    Clusters,
    pair_answers,
)
from itemcurve.analysis.comparison.comparison_power import detectable_difference
from itemcurve.analysis.comparison.difference_sequence import (
    DifferenceSequence,
    follow_difference,
)
from itemcurve.analysis.comparison.item_flips import Direction, list_flips
from itemcurve.analysis.comparison.margins import MarginTest, judge_margin
from itemcurve.analysis.comparison.missing_answers import MissingAnswers, find_missing
from itemcurve.analysis.comparison.paired_estimates import PairedEstimate
from itemcurve.analysis.comparison.paired_inference import estimate_difference
from itemcurve.errors import ModelError
from itemcurve.responses.matrix import Responses
from itemcurve.showing.html_cards import html_card

if TYPE_CHECKING:
    import pandas

    from itemcurve.bank.item_bank import Bank

Missing = Literal["leave-out", "worst"]


@dataclass(frozen=True, eq=False)
class RespondentComparison:
    """Two respondents on the same items; differences above 0 mean that b is better.

    Attributes
    ----------
    a, b : who is compared; a is the baseline.
    pairs : their answers, item by item, those compared.
    score_a, score_b : mean scores on the items compared.
    difference, lower, upper : b − a (a − b where lower is better), with its interval at `level`.
    p_value : two-sided, of no difference.
    method : how interval and p-value were found.
    missing : answers that are missing, and what that may mean.
    as_worst : the same comparison with missing answers counted as the worst; None where none are
        missing on one side only, or all are counted so already.
    ability : the difference in ability against a bank, where one was given.
    """

    a: str
    b: str
    pairs: AnswerPairs
    estimate: PairedEstimate
    level: float
    p_value: float
    method: str
    missing: MissingAnswers
    as_worst: "RespondentComparison | None" = None
    ability: AbilityDifference | None = None

    @property
    def n_items(self) -> int:
        """Items compared."""
        return len(self.pairs.items)

    @property
    def score_a(self) -> float:
        """Mean score of a."""
        return float(self.pairs.sign * self.pairs.first.mean())

    @property
    def score_b(self) -> float:
        """Mean score of b."""
        return float(self.pairs.sign * self.pairs.second.mean())

    @property
    def difference(self) -> float:
        """How much better b is."""
        return self.estimate.value

    @cached_property
    def _interval(self) -> tuple[float, float]:
        return self.estimate.interval(self.level)

    @property
    def lower(self) -> float:
        """Lower end of the interval."""
        return self._interval[0]

    @property
    def upper(self) -> float:
        """Upper end of the interval."""
        return self._interval[1]

    @property
    def spread(self) -> float:
        """Standard deviation of the differences by item; what power is planned with.

        Clusters are allowed for: it is the one that so many independent items would need to have.
        """
        return self.estimate.error * float(np.sqrt(self.n_items))

    @property
    def n_better(self) -> int:
        """Items that b answered better."""
        return int((self.pairs.gap > 0).sum())

    @property
    def n_worse(self) -> int:
        """Items that b answered worse."""
        return int((self.pairs.gap < 0).sum())

    def interval(self, level: float) -> tuple[float, float]:
        """Give the interval at another level."""
        return self.estimate.interval(level)

    def within(self, margin: float) -> MarginTest:
        """Test equivalence (TOST) and non-inferiority: is b no worse than a by the margin?"""
        return judge_margin(self.estimate, margin)

    def detectable(self, power: float = 0.8, significance: float = 0.05) -> float:
        """Give the least true difference that as many items would have found with this power."""
        if self.spread == 0:
            return float("nan")
        return detectable_difference(
            self.n_items, spread=self.spread, power=power, significance=significance
        )

    def flips(
        self, direction: Direction = "all", texts: Mapping[str, str] | None = None
    ) -> "pandas.DataFrame":
        """List the items that b answered better or worse; `list_flips` has the columns."""
        return list_flips(self.pairs, direction=direction, texts=texts)

    def sequence(self, level: float = 0.95, population: int | None = None) -> DifferenceSequence:
        """Give intervals after every item, in their order, that all hold at once.

        Parameters
        ----------
        population : how many items there are in all, if just these are asked about.
        """
        return follow_difference(self.pairs, level, population)

    def frame(self) -> "pandas.DataFrame":
        """One row: a, b, scores, the difference with its interval and p-value, flips, missing."""
        import pandas

        row = {
            "a": self.a,
            "b": self.b,
            "items": self.n_items,
            "score_a": self.score_a,
            "score_b": self.score_b,
            "difference": self.difference,
            "lower": self.lower,
            "upper": self.upper,
            "p_value": self.p_value,
            "better": self.n_better,
            "worse": self.n_worse,
            "missing_a": self.missing.first + self.missing.both,
            "missing_b": self.missing.second + self.missing.both,
        }
        return pandas.DataFrame([row])

    def _repr_html_(self) -> str:
        return html_card(f"{self.b} against {self.a}", str(self).splitlines())

    def __str__(self) -> str:
        """Say what was found, in sentences."""
        from itemcurve.analysis.comparison.comparison_words import describe_comparison

        return "\n".join(describe_comparison(self))

    __repr__ = __str__


def compare_respondents(
    responses: Responses,
    a: str | None = None,
    b: str | None = None,
    *,
    others: Responses | None = None,
    clusters: Clusters = None,
    level: float = 0.9,
    missing: Missing = "leave-out",
    is_higher_better: bool = True,
    bank: "Bank | None" = None,
    tasks: Mapping[str, str] | None = None,
) -> RespondentComparison:
    """Compare two respondents, or two runs, on the items that both were asked.

    Right and wrong answers: McNemar's mid-p test and Tango's score interval. Repeated or graded
    answers: the mean of the differences by item with its t interval; repeats are not items. With
    `clusters`, errors allow for items of one passage or subject going together.

    Parameters
    ----------
    a, b : their names, a being the baseline; may be left out where there is but one.
    others : responses of another run where b is; items are matched by id.
    clusters : cluster of every item: by id, or in the order of the items.
    level : of the interval.
    missing : `leave-out` compares the items that both answered; `worst` counts a missing answer as
        the worst there is (0 for scores from 0 on), and what one was never asked as missing. Either
        way it is said what is missing.
    is_higher_better : False for errors and losses.
    bank : calibrated items, to compare abilities on the same scale beside the scores.
    tasks : by item; who had none of a task lacks none of its items.

    Examples
    --------
    >>> import itemcurve as ic
    >>> old, new = [0] * 12 + [1] * 4, [1] * 12 + [0] * 4  # 16 items on which they differ
    >>> same = [1] * 50 + [0] * 34
    >>> responses = ic.Responses.from_array([old + same, new + same], ["old", "new"])
    >>> found = ic.compare_respondents(responses, "old", "new")
    >>> round(found.difference, 3), round(found.lower, 3), round(found.p_value, 3)
    (0.08, 0.013, 0.049)
    """
    if not 0 < level < 1 or missing not in ("leave-out", "worst"):
        raise ModelError(
            "A comparison needs a level between 0 and 1, and missing='leave-out' or 'worst';",
            f"given are level {level!r} and missing {missing!r}.",
            "Leave them out if unsure.",
        )
    pairs = pair_answers(
        responses,
        a,
        b,
        others=others,
        clusters=clusters,
        is_higher_better=is_higher_better,
        tasks=tasks,
    )
    found = compare_pairs(pairs, level=level, missing=missing)
    if bank is None:
        return found
    source = responses if others is None else others
    runs = (responses.select([found.a]), source.select([found.b.removesuffix(OTHER_RUN)]))
    both = pairs.take(pairs.is_shared).items
    return replace(found, ability=compare_abilities(bank, runs, both, level))


def compare_pairs(
    pairs: AnswerPairs, *, level: float = 0.9, missing: Missing = "leave-out"
) -> RespondentComparison:
    """Compare answers that are side by side already."""
    said = find_missing(pairs)
    if missing == "worst":
        return _compare_at_worst(pairs, said, level, (0, 1))
    used = pairs.take(pairs.is_shared)
    estimate, p_value, method = estimate_difference(used)
    chosen = [side for side in (0, 1) if said.chosen[side] is not None]
    worst = _compare_at_worst(pairs, said, level, chosen) if said.is_lopsided or chosen else None
    return RespondentComparison(
        *pairs.names, used, estimate, level, p_value, method, said, as_worst=worst
    )


def _compare_at_worst(
    pairs: AnswerPairs, said: MissingAnswers, level: float, sides: Sequence[int]
) -> RespondentComparison:
    """Compare with missing answers as the worst, and what was asked of these sides alone too."""
    for side in sides:
        pairs = pairs.count_unasked(side)
    used = pairs.fill_worst()
    estimate, p_value, method = estimate_difference(used)
    if not pairs.is_shared.all():
        method += "; missing answers count as the worst"
    return RespondentComparison(*pairs.names, used, estimate, level, p_value, method, said)
