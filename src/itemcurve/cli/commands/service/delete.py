"""`itemcurve store delete`: the end of all data of a tenant."""

from dataclasses import asdict
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, Tenant, opened_store, say
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store delete team-a --confirm team-a"


def delete_command(
    tenant: Tenant,
    confirm: Annotated[str, typer.Option(help="The tenant's name once more.")],
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Delete all data of a tenant, tokens and files included. Back-ups keep theirs."""
    from itemcurve.errors import StorageError
    from itemcurve.store.tenant_data import delete_tenant
    from itemcurve.store.tenants import check_tenant

    if confirm != tenant:
        raise StorageError(
            "--confirm must be the name of the tenant;", f"got {confirm[:40]!r}.", "Type it again."
        )
    with opened_store(data, database) as store:
        found = delete_tenant(store, check_tenant(tenant))
    text = f"{found.sessions} sessions, {found.uploads} uploads, {found.runs} runs deleted."
    say(text, asdict(found), is_json=json)
