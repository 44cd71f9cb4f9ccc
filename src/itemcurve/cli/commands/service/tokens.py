"""`itemcurve store tokens`: which tokens there are."""

import time
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, opened_store
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store tokens --tenant team-a"


def tokens_command(
    tenant: Annotated[str | None, typer.Option(help="Of this tenant; all when left out.")] = None,
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """List tokens: whose, for what, how long."""
    from dataclasses import asdict

    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.store.tokens import list_tokens

    with opened_store(data, database) as store:
        found = store.database.read(list_tokens(tenant))
    if json:
        print_json({"tokens": [asdict(token) for token in found]})
        return
    for token in found:
        end = token.expires_at
        until = "never" if end is None else time.strftime("%F", time.gmtime(end))
        state = "valid" if token.is_valid(time.time()) else "over"
        print(f"{token.id}  {token.tenant}  {state}  until {until}  {token.name}", end="  ")
        print(",".join(token.scopes))
