"""A test that outlives its process: begun once, gone on with from its session file."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.score.score_test import ScoreTest
from itemcurve.errors import ResponsesError
from itemcurve.storage.disk import make_folders

AnyTest = AdaptiveTest | ScoreTest
Save = Callable[[AnyTest], None]


def items_of(test: AnyTest) -> tuple[str, ...]:
    """Give all items that a test may ask."""
    return test.items if isinstance(test, ScoreTest) else test.bank.items


def go_on(test: AnyTest, session: str | os.PathLike[str] | None) -> AnyTest:
    """Give the test as its session has it, where there is one; else the new test, saved there.

    Parameters
    ----------
    test : a new one, by which the session's items are known again.
    """
    if session is None:
        return test
    if not Path(session).exists():
        make_folders(Path(session).resolve().parent)
        test.save(session)
        return test
    if isinstance(test, ScoreTest):
        found: AnyTest = ScoreTest.load(session, stop=test.stop)
    else:
        found = AdaptiveTest.load(session, bank=test.bank, select=test.select, stop=test.stop)
    if items_of(found) != items_of(test):
        raise ResponsesError(
            "A session goes on with the items it was begun with;",
            f"{str(session)!r} has {len(items_of(found)):,} others.",
            "Give the bank it was begun with, or a new path for the session.",
        )
    return found


def saver(session: str | os.PathLike[str] | None) -> Save | None:
    """Give what saves a test to a session file; None where there is none."""
    return None if session is None else lambda test: test.save(session)


def record_new(test: AnyTest, answers: Mapping[str, float], save: Save | None) -> None:
    """Keep answers, and save the test where that is wanted; an item with an answer keeps it.

    Harnesses tell of a sample again when they replay it.
    """
    known = {answer.item for answer in test.answers}
    test.record_many({item: value for item, value in answers.items() if item not in known})
    if save is not None:
        save(test)
