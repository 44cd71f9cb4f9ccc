"""`itemcurve adapt run`: a whole test, with any program as the evaluator."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.commands.adapt.new_test import DEFAULT_ITEMS, NewTest
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    from itemcurve.cli.commands.adapt.sessions import AnyTest

EXAMPLE = 'Example: itemcurve adapt run --bank run --command "python eval_one.py {item}"'


@dataclass(frozen=True)
class WholeTest(NewTest):
    """A test that runs to its end, which there must be."""

    max_items: options.MaxItems = DEFAULT_ITEMS


@spread_options
def run_command(
    new: WholeTest,
    command: Annotated[
        str,
        typer.Option(help="Program that answers {item} and prints a number last; no shell."),
    ],
    session: Annotated[
        Path, typer.Argument(help="Session file; one that exists is gone on with.")
    ] = Path("session.json"),
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one item may take.")] = 600.0,
    json: Json = False,
) -> None:
    """Run a test to its end: ask the command for one item after the other."""
    from itemcurve.adaptive.evaluator import split_command
    from itemcurve.cli.commands.adapt.sessions import (
        describe,
        open_session,
        print_asked,
        print_summary,
    )
    from itemcurve.cli.interruptions import AGAIN, interruptible
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.targets import make_parent
    from itemcurve.storage.file_locks import locked

    # Before anything is read: a slip in the command shows at once.
    words = split_command(command)
    make_parent(session)
    with interruptible(lambda: f"answers are kept in {session}: {AGAIN}"), locked(session):
        is_old = session.exists()
        test = open_session(session, new.bank) if is_old else new.begin()
        if is_old:
            messages().print(
                f"Going on with {session} after {len(test.answers):,} answers, with the rule, the "
                "length and the other settings it was started with.",
                soft_wrap=True,
            )
        _ask_all(test, session, new.bank, words, timeout)
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)
        print_asked(test)


def _ask_all(test: "AnyTest", session: Path, bank: Path, words: list[str], timeout: float) -> None:
    """Save before and after every item: whatever happens, no answer is lost."""
    from itemcurve.adaptive.evaluator import ask_program
    from itemcurve.cli.commands.adapt.sessions import save_any

    while (item := test.next_item()) is not None:
        save_any(test, session, bank)
        test.record(item, ask_program(words, item, timeout))
        save_any(test, session, bank)
    save_any(test, session, bank)
