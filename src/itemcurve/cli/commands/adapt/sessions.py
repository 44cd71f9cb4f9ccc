"""Sessions as commands use them: opened under a lock, saved before anything is printed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.logs.harness.item_index import ItemIndex

    AnyTest = AdaptiveTest | ScoreTest

# Answers that are told one by one, and how much of an id.
_MOST_SHOWN, _LONGEST = 20, 40
# What the intervals assume; told with every score.
ASSUMES_DRAWN = (
    "The interval holds for models like those calibrated on, and for others by their own answers, "
    "asked under the conditions of the calibration."
)
ASSUMES_EVERY_LOOK = (
    "The interval holds at every look at once, whoever the model is, asked under the conditions of "
    "the calibration."
)
NOT_SHOWN = (
    "No score is shown: these items were chosen to tell abilities apart. For the score, start with "
    "--question score."
)
OUTSIDE = (
    "outside the calibration: with one standard error to either side it does not stay within the "
    "calibrated ones"
)


@contextmanager
def changed_session(path: Path, bank: Path | None) -> Iterator["AnyTest"]:
    """Open a session, and write it back when the block succeeds."""
    from itemcurve.storage.file_locks import locked

    with locked(path):
        test = open_session(path, bank)
        yield test
        save_any(test, path, bank or _source(test))


def open_session(path: Path, bank: Path | None) -> "AnyTest":
    """Read a session, with its items from another place where one is given."""
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.adaptive.score.score_test_file import read_calibration
    from itemcurve.cli.layout.terminal import plain_warnings
    from itemcurve.estimation.saving.saved_fit import load

    with plain_warnings():
        if is_score_session(path):
            known = None if bank is None else read_calibration(bank)
            return ScoreTest.load(path, calibration=known)
        return AdaptiveTest.load(path, bank=None if bank is None else load(bank).bank)


def is_score_session(path: Path) -> bool:
    """Tell whether a session is for the score."""
    from itemcurve.adaptive.score.score_test_file import FORMATS
    from itemcurve.adaptive.session_documents import session_format

    return session_format(path) in FORMATS


def save_any(test: "AnyTest", path: Path, source: Path | str | None) -> None:
    """Write a session of either kind."""
    from itemcurve.adaptive.ability.ability_test_file import save_ability_test
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.adaptive.score.score_test_file import save_score_test

    if isinstance(test, ScoreTest):
        save_score_test(test, path, source=source)
    else:
        save_ability_test(test, path, run=source)


def known_items(test: "AnyTest", path: Path, items_file: Path | None) -> "ItemIndex":
    """Give the list of items that was named, or the one beside the session or its run."""
    from itemcurve.logs.harness.item_index import ItemIndex, find_index

    if items_file is not None:
        return ItemIndex.load(items_file)
    source = _source(test)
    found = find_index(path.resolve().parent)
    is_elsewhere = not found.entries and source is not None
    return find_index(Path(str(source)).resolve().parent) if is_elsewhere else found


def _source(test: "AnyTest") -> str | None:
    """Give the run or file that a session refers to instead of keeping its items."""
    from itemcurve.adaptive.ability.ability_test_file import ability_source
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.adaptive.score.score_test_file import score_source

    return score_source(test) if isinstance(test, ScoreTest) else ability_source(test)


def describe(test: "AnyTest", path: Path) -> dict[str, Any]:
    """Give a session as one object; what is not known or not to be trusted is null."""
    from itemcurve.adaptive.score.score_test import ScoreTest

    score = test.score
    own = _describe_score(test) if isinstance(test, ScoreTest) else _describe_ability(test)
    return {
        "session": str(path),
        "respondent": test.respondent,
        "answered": len(test.answers),
        **own,
        "outside_calibration": score.is_outside_calibration,
        "finished": test.is_finished,
        "stop_reason": test.stop_reason,
        "pending": [handed.item for handed in test.pending],
        "answers": [
            {
                "item": answer.item,
                "response": answer.response,
                "step": answer.handed_out.step,
                "probability": answer.handed_out.probability,
            }
            for answer in test.answers
        ],
    }


def _describe_score(test: "ScoreTest") -> dict[str, Any]:
    score = test.score
    return {
        "question": "score",
        "items": len(test.items),
        "max_items": test.n_items,
        "stage": test.stage,
        "every_look": test.every_look,
        "score": score.value,
        "score_lower": score.lower,
        "score_upper": score.upper,
        "assumes": ASSUMES_EVERY_LOOK if test.every_look else ASSUMES_DRAWN,
    }


def _describe_ability(test: "AdaptiveTest") -> dict[str, Any]:
    score, is_honest = test.score, test.has_honest_score
    return {
        "question": "ability",
        "items": len(test.bank),
        "ability": test.ability,
        "ability_se": test.ability_se,
        "score": score.value if is_honest else None,
        "score_lower": score.lower if is_honest else None,
        "score_upper": score.upper if is_honest else None,
        "score_misfit": test.score_misfit,
        "assumes": None if is_honest else NOT_SHOWN,
    }


def print_start(test: "AnyTest", path: Path, bank: Path) -> None:
    """Say which question is asked, what comes next, and what the interval assumes."""
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.cli.layout.terminal import output

    console = output()
    if not isinstance(test, ScoreTest):
        console.print(
            f"Test of ability saved to {path}; it chooses among {len(test.bank):,} items.\n"
            f"Next: itemcurve adapt next {path}",
            soft_wrap=True,
        )
        if not test.exposure.explore and not test.score_misfit:
            console.print(NOT_SHOWN, soft_wrap=True)
        return
    console.print(
        f"Test for the score on {len(test.items):,} items, {test.n_items:,} of them asked, saved "
        f"to {path}",
        soft_wrap=True,
    )
    if test.every_look:
        console.print(ASSUMES_EVERY_LOOK, soft_wrap=True)
        return
    console.print(
        f"{test.first_stage:,} are drawn; the rest is chosen if the model proves like the "
        f"{len(test.known.respondents):,} calibrated, else drawn too.\n{ASSUMES_DRAWN}",
        soft_wrap=True,
    )


def print_asked(test: "AnyTest") -> None:
    """Print which items were answered, in order, the first of many."""
    from itemcurve.cli.layout.terminal import clean, output, truncate

    told = [
        f"{truncate(clean(answer.item), _LONGEST)} {answer.response:.3g}"
        for answer in test.answers[:_MOST_SHOWN]
    ]
    if told:
        more = len(test.answers) - len(told)
        rest = f" and {more:,} more (--json has all)" if more else ""
        output().print(f"Asked in this order: {', '.join(told)}{rest}.", soft_wrap=True)


def print_summary(test: "AnyTest") -> None:
    """Print where a test stands, in two lines and what to keep in mind."""
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.cli.layout.terminal import estimate, number, output

    console, score = output(), test.score
    half = (score.upper - score.lower) / 2
    interval = f"({number(score.lower, 3)} to {number(score.upper, 3)})"
    is_for_score = isinstance(test, ScoreTest)
    size = len(test.items) if isinstance(test, ScoreTest) else len(test.bank)
    notes = []
    if isinstance(test, ScoreTest):
        console.print(
            f"{test.respondent}: {number(score.value)} ± {number(half)} after "
            f"{len(test.answers):,} items, score {number(score.value, 3)} {interval}",
            soft_wrap=True,
        )
        notes.append(ASSUMES_EVERY_LOOK if test.every_look else ASSUMES_DRAWN)
    else:
        is_honest = test.has_honest_score
        shown = f", score {number(score.value, 3)} {interval}" if is_honest else ""
        console.print(
            f"{test.respondent}: ability {estimate(test.ability, test.ability_se)}{shown}",
            soft_wrap=True,
        )
        notes += [] if is_honest else [NOT_SHOWN]
    state = test.stop_reason or "goes on"
    if score.is_outside_calibration and test.answers:
        state += f"; {OUTSIDE}"
    console.print(f"{len(test.answers):,} of {size:,} items; {state}", soft_wrap=True)
    if test.is_finished or not is_for_score:
        for note in notes:
            console.print(note, soft_wrap=True)
