"""`itemcurve store back-up`: a copy while the service runs."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, opened_store, say
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store back-up --out backups/monday"


def back_up_command(
    out: Annotated[Path, typer.Option(help="New folder to write.")],
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Copy the store; of PostgreSQL only the files, the database by pg_dump."""
    from itemcurve.store.back_up import back_up

    with opened_store(data, database) as store:
        back_up(store, out)
    say(f"The store was copied to {out}", {"back_up": str(out)}, is_json=json)
