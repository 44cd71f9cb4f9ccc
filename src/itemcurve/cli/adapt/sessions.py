"""Sessions as commands use them: opened under a lock, saved before anything is printed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from itemcurve.adaptive.session import AdaptiveTest
    from itemcurve.logs.item_index import ItemIndex


@contextmanager
def changed_session(path: Path, bank: Path | None) -> Iterator["AdaptiveTest"]:
    """Open a session, and write it back when the block succeeds."""
    from itemcurve.adaptive.session_file import locked_session, save_session, session_run

    with locked_session(path):
        test = open_session(path, bank)
        yield test
        save_session(test, path, run=bank or session_run(path))


def open_session(path: Path, bank: Path | None) -> "AdaptiveTest":
    """Read a session, with its bank from another run folder where one is given."""
    from itemcurve.adaptive.session import AdaptiveTest
    from itemcurve.estimation.saved_fit import load

    return AdaptiveTest.load(path, bank=None if bank is None else load(bank).bank)


def known_items(path: Path, items_file: Path | None) -> "ItemIndex":
    """Give the list of items that was named, or the one beside the session or its run."""
    from itemcurve.adaptive.session_file import session_run
    from itemcurve.logs.item_index import ItemIndex, find_index

    if items_file is not None:
        return ItemIndex.load(items_file)
    run = session_run(path)
    found = find_index(path.resolve().parent)
    is_elsewhere = not found.entries and run is not None
    return find_index(Path(str(run)).resolve().parent) if is_elsewhere else found


def describe(test: "AdaptiveTest", path: Path) -> dict[str, Any]:
    """Give a session as one object."""
    score = test.score
    return {
        "session": str(path),
        "respondent": test.respondent,
        "answered": len(test.answers),
        "items": len(test.bank),
        "ability": test.ability,
        "ability_se": test.ability_se,
        "score": score.value,
        "score_lower": score.lower,
        "score_upper": score.upper,
        "score_misfit": test.score_misfit,
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


def print_summary(test: "AdaptiveTest") -> None:
    """Print where a test stands, in two lines."""
    from itemcurve.cli.terminal import estimate, number, output

    console, score = output(), test.score
    console.print(
        f"{test.respondent}: ability {estimate(test.ability, test.ability_se)}, score "
        f"{number(score.value, 3)} ({number(score.lower, 3)} to {number(score.upper, 3)})",
        soft_wrap=True,
    )
    state = test.stop_reason or "goes on"
    if score.is_outside_calibration:
        state += "; outside what the items were calibrated on"
    console.print(f"{len(test.answers):,} of {len(test.bank):,} items; {state}", soft_wrap=True)
