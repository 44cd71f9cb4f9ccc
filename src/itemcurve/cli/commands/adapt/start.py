"""`itemcurve adapt start`: a new session."""

from pathlib import Path

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.commands.adapt.new_test import NewTest
from itemcurve.cli.options.frequent_options import Json
from itemcurve.cli.options.option_groups import spread_options

EXAMPLE = "Example: itemcurve adapt start session.json --bank responses.npz --max-items 50"


@spread_options
def start_command(session: options.Session, new: NewTest, json: Json = False) -> None:
    """Start a test of a new respondent: for its score (the default) or its ability."""
    from itemcurve.cli.commands.adapt.sessions import describe, print_start, save_any
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.options.targets import make_parent
    from itemcurve.storage.file_locks import locked

    _check_new(session)
    test = new.begin()
    make_parent(session)
    with locked(session):
        # Another process may have started it while this one read the bank.
        _check_new(session)
        save_any(test, session, new.bank)
    if json:
        print_json(describe(test, session))
        return
    print_start(test, session, new.bank)


def _check_new(session: Path) -> None:
    from itemcurve.errors import StorageError

    if session.exists():
        raise StorageError(
            "A new session needs a new file;",
            f"{str(session)!r} exists.",
            "Choose another path, or go on with `itemcurve adapt next`.",
        )
