"""`itemcurve adapt run`: a whole test, with any program as the evaluator."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.commands.adapt.new_test import NewTest

if TYPE_CHECKING:
    from itemcurve.cli.commands.adapt.sessions import AnyTest

EXAMPLE = 'Example: itemcurve adapt run --bank run --command "python eval_one.py {item}"'


def run_command(
    bank: options.Bank,
    command: Annotated[
        str,
        typer.Option(help="Program that answers {item} and prints a number last; no shell."),
    ],
    session: Annotated[
        Path, typer.Argument(help="Session file; one that exists is gone on with.")
    ] = Path("session.json"),
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one item may take.")] = 600.0,
    question: options.Question = None,
    max_items: options.MaxItems = 50,
    score_half_width: options.HalfWidth = None,
    budget: options.Budget = None,
    every_look: options.EveryLook = False,
    threshold: options.Threshold = None,
    better_than: options.BetterThan = None,
    groups: options.GroupsOption = None,
    select: options.Select = None,
    ability_se: options.AbilitySe = None,
    method: options.Method = None,
    best: options.Best = None,
    explore: options.Explore = None,
    misfit: options.Misfit = None,
    respondent: options.Respondent = "respondent",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Run a test to its end: ask the command for one item after the other."""
    from itemcurve.adaptive.evaluator import split_command
    from itemcurve.cli.commands.adapt.sessions import describe, open_session, print_summary
    from itemcurve.cli.interruptions import AGAIN, interruptible
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.cli.options.csv_files import make_parent
    from itemcurve.storage.file_locks import locked

    new = NewTest(
        bank,
        question,
        max_items,
        score_half_width,
        budget,
        every_look,
        threshold,
        better_than,
        groups,
        select,
        ability_se,
        method,
        best,
        explore,
        misfit,
        respondent,
        seed,
    )
    # Asked before the bank is read: beginning a test can take long.
    words = split_command(command)
    make_parent(session)
    with interruptible(lambda: f"answers are kept in {session}: {AGAIN}"), locked(session):
        is_old = session.exists()
        test = open_session(session, bank) if is_old else new.begin()
        if is_old:
            messages().print(
                f"Going on with {session} after {len(test.answers):,} answers, with the rule, the "
                "length and the other settings it was started with.",
                soft_wrap=True,
            )
        _ask_all(test, session, bank, words, timeout)
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)


def _ask_all(test: "AnyTest", session: Path, bank: Path, words: list[str], timeout: float) -> None:
    """Save before and after every item: whatever happens, no answer is lost."""
    from itemcurve.adaptive.evaluator import ask_program
    from itemcurve.cli.commands.adapt.sessions import save_any

    while (item := test.next_item()) is not None:
        save_any(test, session, bank)
        test.record(item, ask_program(words, item, timeout))
        save_any(test, session, bank)
    save_any(test, session, bank)
