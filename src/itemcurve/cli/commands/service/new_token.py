"""`itemcurve store new-token`: a token, shown this once."""

from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, Tenant, opened_store
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store new-token team-a --name harness --scopes read,write"


def new_token_command(
    tenant: Tenant,
    name: Annotated[str, typer.Option(help="What it is for.")] = "token",
    scopes: Annotated[
        str, typer.Option(help="What it may do: read, write, admin; with commas between.")
    ] = "read,write",
    days: Annotated[float, typer.Option(min=0, help="Days until it expires; 0 for never.")] = 90.0,
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Make a token; it is stored as a hash and cannot be shown again."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.store.tenants import check_tenant
    from itemcurve.store.tokens import make_token

    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    text, work = make_token(check_tenant(tenant), name, wanted, days=days or None)
    with opened_store(data, database) as store:
        made = store.database.write(work)
    if json:
        print_json({"token": text, "id": made.id, "tenant": tenant, "scopes": list(made.scopes)})
    else:
        # Alone on its line: `export TOKEN=$(itemcurve store new-token …)`.
        print(text)
