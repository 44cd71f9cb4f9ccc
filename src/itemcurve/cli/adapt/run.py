"""`itemcurve adapt run`: a whole test, with any program as the evaluator."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.adapt import options
from itemcurve.cli.choices import MethodChoice

if TYPE_CHECKING:
    from itemcurve.adaptive.session import AdaptiveTest

EXAMPLE = 'Example: itemcurve adapt run --bank run --command "python eval_one.py {item}"'


def run_command(
    bank: Annotated[Path, typer.Option(help="Run folder that `itemcurve fit` wrote.")],
    command: Annotated[
        str,
        typer.Option(help="Program that answers {item} and prints a number last; no shell."),
    ],
    session: Annotated[
        Path, typer.Argument(help="Session file; one that exists is gone on with.")
    ] = Path("session.json"),
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one item may take.")] = 600.0,
    select: options.Select = options.SelectChoice.FISHER,
    max_items: options.MaxItems = 50,
    ability_se: options.AbilitySe = None,
    score_half_width: options.HalfWidth = None,
    method: options.Method = MethodChoice.EAP,
    best: options.Best = 1,
    explore: options.Explore = 0.0,
    misfit: options.Misfit = False,
    respondent: options.Respondent = "respondent",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Run a test to its end: ask the command for one item after the other."""
    from itemcurve.adaptive.session_file import locked_session
    from itemcurve.cli.adapt.sessions import describe, open_session, print_summary
    from itemcurve.cli.csv_files import make_parent
    from itemcurve.cli.interruptions import AGAIN, interruptible
    from itemcurve.cli.json_layout import print_json
    from itemcurve.cli.terminal import messages

    new = options.TestOptions(
        bank,
        select.value,
        max_items,
        ability_se,
        score_half_width,
        method,
        best,
        explore,
        misfit,
        respondent,
        seed,
    )
    make_parent(session)
    with interruptible(lambda: f"answers are kept in {session}: {AGAIN}"), locked_session(session):
        is_old = session.exists()
        test = open_session(session, bank) if is_old else new.begin()
        if is_old:
            messages().print(
                f"Going on with {session} after {len(test.answers):,} answers, with the rule, the "
                "length and the other settings it was started with.",
                soft_wrap=True,
            )
        _ask_all(test, session, bank, command, timeout)
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)


def _ask_all(test: "AdaptiveTest", session: Path, bank: Path, command: str, timeout: float) -> None:
    """Save before and after every item: whatever happens, no answer is lost."""
    from itemcurve.adaptive.evaluator import ask_program, split_command
    from itemcurve.adaptive.session_file import save_session

    words = split_command(command)
    while (item := test.next_item()) is not None:
        save_session(test, session, run=bank)
        test.record(item, ask_program(words, item, timeout))
        save_session(test, session, run=bank)
    save_session(test, session, run=bank)
