"""`itemcurve store retain`: what is over goes by age."""

from dataclasses import asdict
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, opened_store, say
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store retain --days 365"


def retain_command(
    days: Annotated[float, typer.Option(min=0, help="Keep what changed in so many days.")],
    open_too: Annotated[
        bool, typer.Option("--open-too", help="Also sessions that nobody has gone on with.")
    ] = False,
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Delete sessions that are over, and uploads, when they are older; for a daily timer."""
    from itemcurve.store.tenant_data import let_go

    with opened_store(data, database) as store:
        found = let_go(store, older_than_days=days, is_open_too=open_too)
    text = f"{found.sessions} sessions and {found.uploads} uploads deleted."
    say(text, asdict(found), is_json=json)
