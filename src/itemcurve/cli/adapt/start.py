"""`itemcurve adapt start`: a new session."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.adapt import options
from itemcurve.cli.choices import MethodChoice

EXAMPLE = "Example: itemcurve adapt start session.json --bank run --max-items 50 --ability-se 0.2"


def start_command(
    session: options.Session,
    bank: Annotated[Path, typer.Option(help="Run folder that `itemcurve fit` wrote.")],
    select: options.Select = options.SelectChoice.FISHER,
    max_items: options.MaxItems = None,
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
    """Start a test of a new respondent against the items of a run."""
    from itemcurve.adaptive.session_file import save_session
    from itemcurve.cli.adapt.sessions import describe
    from itemcurve.cli.csv_files import make_parent
    from itemcurve.cli.json_layout import print_json
    from itemcurve.cli.terminal import output
    from itemcurve.errors import StorageError

    if session.exists():
        raise StorageError(
            "A new session needs a new file;",
            f"{str(session)!r} exists.",
            "Choose another path, or go on with `itemcurve adapt next`.",
        )
    test = options.TestOptions(
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
    ).begin()
    make_parent(session)
    save_session(test, session, run=bank)
    if json:
        print_json(describe(test, session))
        return
    output().print(f"Session of {len(test.bank):,} items saved to {session}", soft_wrap=True)
