"""`itemcurve adapt start`: a new session."""

from pathlib import Path

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.commands.adapt.new_test import NewTest

EXAMPLE = "Example: itemcurve adapt start session.json --bank responses.npz --max-items 50"


def start_command(
    session: options.Session,
    bank: options.Bank,
    question: options.Question = None,
    max_items: options.MaxItems = None,
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
    """Start a test of a new respondent: for its score (the default) or its ability."""
    from itemcurve.cli.commands.adapt.sessions import describe, print_start, save_any
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.options.csv_files import make_parent
    from itemcurve.storage.file_locks import locked

    _check_new(session)
    test = NewTest(
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
    ).begin()
    make_parent(session)
    with locked(session):
        # Another process may have started it while this one read the bank.
        _check_new(session)
        save_any(test, session, bank)
    if json:
        print_json(describe(test, session))
        return
    print_start(test, session, bank)


def _check_new(session: Path) -> None:
    from itemcurve.errors import StorageError

    if session.exists():
        raise StorageError(
            "A new session needs a new file;",
            f"{str(session)!r} exists.",
            "Choose another path, or go on with `itemcurve adapt next`.",
        )
