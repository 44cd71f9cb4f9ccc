"""The gate: is a candidate no worse than a baseline, within a margin, beyond reasonable doubt?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from itemcurve.analysis.comparison.answer_pairs import AnswerPairs, Clusters, pair_answers
from itemcurve.analysis.comparison.item_flips import Direction
from itemcurve.analysis.comparison.missing_answers import MissingAnswers
from itemcurve.analysis.comparison.respondent_comparison import (
    RespondentComparison,
    compare_pairs,
)
from itemcurve.errors import ModelError
from itemcurve.gates.sources import (
    Selection,
    Side,
    Source,
    check_sides,
    name_sides,
    read_side,
)

if TYPE_CHECKING:
    import pandas

# With this probability the items that are still missing tell, if the difference stays as it is.
_POWER = 0.8


class Verdict(StrEnum):
    """What a gate says."""

    SHIP = "ship"
    REGRESSION = "regression"
    CANNOT_TELL = "cannot tell"

    @property
    def exit_code(self) -> int:
        """Of the command: 0, 10 or 11."""
        return {"ship": 0, "regression": 10, "cannot tell": 11}[self.value]


@dataclass(frozen=True, eq=False)
class GateResult:
    """A verdict, and what it rests on.

    Attributes
    ----------
    verdict : `ship` where the candidate is shown to be no worse than the margin allows;
        `regression` where it is shown to be worse than the baseline and not shown to be within the
        margin; `cannot tell` otherwise.
    lower, upper : ends of the interval that decides, at `1 − 2 · significance`.
    more_items : about how many more items would tell, with a probability of 0.8 if the difference
        stays as it is; None where the verdict is clear, or no number of items would.
    reason : why, in one sentence.
    texts, answers : of items, where known: what is asked; what baseline and candidate answered.
    tasks : of items, where known.
    hangs_on_missing : whether it cannot tell because of missing answers; more items would not help.
    places : where baseline and candidate come from, for people.
    """

    verdict: Verdict
    comparison: RespondentComparison
    margin: float
    significance: float
    lower: float
    upper: float
    more_items: int | None
    reason: str
    texts: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})
    tasks: Mapping[str, str] = field(default_factory=dict)
    hangs_on_missing: bool = False
    places: tuple[str, str] = ("", "")

    @property
    def exit_code(self) -> int:
        """0 ship, 10 regression, 11 cannot tell."""
        return self.verdict.exit_code

    def flips(self, direction: Direction = "all") -> "pandas.DataFrame":
        """List the items that changed, with their texts and answers where known."""
        from itemcurve.gates.gate_words import list_changes

        return list_changes(self.comparison, self.texts, self.answers, direction)

    def markdown(self, flips: int = 10) -> str:
        """Write it as Markdown, with so many of the items that got worse, and better."""
        from itemcurve.gates.gate_words import write_markdown

        return write_markdown(self, flips)

    def junit(self) -> str:
        """Write it as JUnit XML, which most continuous integration reads."""
        from itemcurve.gates.junit_report import write_junit

        return write_junit(self)

    def __str__(self) -> str:
        from itemcurve.gates.gate_words import describe_gate

        return "\n".join(describe_gate(self))

    __repr__ = __str__


def gate(
    baseline: Source,
    candidate: Source,
    *,
    margin: float,
    significance: float = 0.05,
    baseline_name: str | None = None,
    candidate_name: str | None = None,
    clusters: Clusters | Literal["task"] = None,
    missing: Literal["both", "leave-out", "worst"] = "both",
    sequential: bool = False,
    is_higher_better: bool | None = None,
    **selection: Any,
) -> GateResult:
    """Judge whether a candidate may replace a baseline.

    With d the difference of the scores (above 0: the candidate is better) and the interval of d at
    level 1 − 2 · significance: *ship* where its lower end is above −margin, *regression* where it
    is not and the upper end is below 0, *cannot tell* otherwise. So a candidate that is worse by
    the margin is shipped, and one that is as good is called a regression, with a probability of
    `significance` at most.

    Parameters
    ----------
    baseline, candidate : a folder of logs of any harness, a run folder, a file of responses, or
        `Responses`.
    margin : how much lower a score is still no harm, in units of the score.
    baseline_name, candidate_name : whose answers, where a source holds several respondents.
    clusters : cluster of every item, by id or in the order of the baseline's items; `"task"` for
        the tasks of logs.
    missing : `leave-out` or `worst` as in `compare_respondents`; `both` asks that the verdict be
        the same either way, and cannot tell where it is not. Items that one side lacks altogether
        count as missing where they are plainly harder or easier than the others.
    sequential : whether the gate is asked again and again while items come in, in random order;
        the interval then holds at every look.
    is_higher_better : False for errors and losses; logs say it themselves, files do not.
    selection : `task`, `metric`, `filter`, `group`, `rescale`, `columns`, `cache`, for logs, as
        `read_logs` and `select` take them.

    Examples
    --------
    >>> import itemcurve as ic
    >>> old = ic.Responses.from_array([[1, 0] * 500])
    >>> new = ic.Responses.from_array([[1, 0] * 490 + [1, 1] * 10])
    >>> print(ic.gate(old, new, margin=0.01).verdict)
    ship
    """
    # What is refused at the end is refused before logs are read.
    _check(margin, significance, missing)
    chosen = _select(selection)
    first = read_side(baseline, baseline_name, chosen)
    second = read_side(candidate, candidate_name, chosen)
    check_sides(first, second)
    pairs = pair_answers(
        first.responses,
        baseline_name,
        candidate_name,
        others=second.responses,
        clusters=first.tasks if isinstance(clusters, str) else clusters,
        is_higher_better=first.is_higher_better if is_higher_better is None else is_higher_better,
        tasks={**first.tasks, **second.tasks},
    )
    sides = (first, second)
    return judge_sides(name_sides(pairs, sides), sides, margin, significance, missing, sequential)


def judge_sides(
    pairs: AnswerPairs,
    sides: tuple[Side, Side],
    margin: float,
    significance: float,
    missing: Literal["both", "leave-out", "worst"] = "both",
    sequential: bool = False,
) -> GateResult:
    """Judge answers that are side by side already."""
    _check(margin, significance, missing)
    level = 1 - 2 * significance
    how: Literal["leave-out", "worst"] = "worst" if missing == "worst" else "leave-out"
    found = compare_pairs(pairs, level=level, missing=how)
    ends = _interval(found, level, sequential)
    verdict, reason = _judge(ends, margin)
    hangs = False
    if missing == "both" and found.as_worst is not None and _matters(found.missing, margin):
        other = _judge(_interval(found.as_worst, level, sequential), margin)[0]
        hangs = other != verdict
        if hangs:
            reason = (
                f"It is {_quote(verdict)} if missing answers are left out, and {_quote(other)} if "
                "they count as the worst"
            )
            verdict = Verdict.CANNOT_TELL
    is_open = verdict is Verdict.CANNOT_TELL and not hangs
    more = _count_more(found, margin, significance) if is_open else None
    first, second = sides
    return GateResult(
        verdict,
        found,
        margin,
        significance,
        *ends,
        more,
        reason,
        {**first.texts, **second.texts},
        (first.answers, second.answers),
        first.tasks,
        hangs,
        (first.place, second.place),
    )


def _matters(missing: MissingAnswers, margin: float) -> bool:
    """Whether answers are missing, or items that were left out move a score by the margin."""
    moves = (abs(own.usual - own.overall) for own in missing.chosen if own is not None)
    return missing.is_lopsided or any(move > margin for move in moves)


def _judge(ends: tuple[float, float], margin: float) -> tuple[Verdict, str]:
    lower, upper = ends
    if lower > -margin:
        reason = f"It is within the margin: even at its lowest the difference is {lower:+.4f}"
        return Verdict.SHIP, reason
    if upper < 0:
        rest = "out of the margin" if upper < -margin else "not shown to be within the margin"
        reason = f"It is worse, and {rest}: even at its highest the difference is {upper:+.4f}"
        return Verdict.REGRESSION, reason
    reason = f"The difference may be as low as {lower:+.4f} and as high as {upper:+.4f}"
    return Verdict.CANNOT_TELL, reason


def _interval(found: RespondentComparison, level: float, sequential: bool) -> tuple[float, float]:
    if not sequential:
        return found.interval(level)
    sequence = found.sequence(level)
    return float(sequence.lower[-1]), float(sequence.upper[-1])


def _count_more(found: RespondentComparison, margin: float, significance: float) -> int | None:
    """Count the items that are likely to tell, if difference and spread stay as they are."""
    from scipy.special import ndtri

    reach = float(ndtri(1 - significance))
    if not found.n_better + found.n_worse:
        # Without any disagreement the interval shrinks with 1/n; half an item is added to it.
        needed = [(reach**2 + 1) / margin] if margin else []
    else:
        width = (reach + float(ndtri(_POWER))) * found.spread
        distances = [found.difference + margin, -found.difference]
        needed = [(width / distance) ** 2 for distance in distances if distance > 0]
    return max(math.ceil(min(needed) - found.n_items), 1) if needed else None


def _select(given: Mapping[str, Any]) -> Selection:
    unknown = sorted(set(given) - set(Selection.__dataclass_fields__))
    if unknown:
        raise ModelError(
            f"A gate takes {', '.join(Selection.__dataclass_fields__)} for logs;",
            f"given is {unknown[0]!r}.",
            "Leave it out.",
        )
    task = given.get("task")
    named = (task,) if isinstance(task, str) else task
    columns = {"columns": given["columns"]} if given.get("columns") is not None else {}
    rest = {name: value for name, value in given.items() if name not in ("task", "columns")}
    return Selection(task=tuple(named) if named else None, **columns, **rest)


def _check(margin: float, significance: float, missing: str) -> None:
    if not (0 <= margin < math.inf and 0 < significance < 0.5) or missing not in (
        *("both", "leave-out", "worst"),
    ):
        raise ModelError(
            "A gate needs a margin from 0 on, a significance between 0 and 0.5, and missing='both',"
            " 'leave-out' or 'worst';",
            f"given are margin {margin!r}, significance {significance!r}, missing {missing!r}.",
            "Use margin=0.01 for a hundredth of an accuracy.",
        )


def _quote(verdict: Verdict) -> str:
    return f"'{verdict}'"
