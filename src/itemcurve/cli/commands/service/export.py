"""`itemcurve store export`: all data of a tenant as files."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, Tenant, opened_store, say
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store export team-a --out team-a/"


def export_command(
    tenant: Tenant,
    out: Annotated[Path, typer.Option(help="New folder to write.")],
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write all data of a tenant: session files, banks, uploads, runs, lists; no secrets."""
    from itemcurve.store.tenant_data import export_tenant
    from itemcurve.store.tenants import check_tenant

    with opened_store(data, database) as store:
        found = export_tenant(store, check_tenant(tenant), out)
    text = (
        f"{found.sessions} sessions, {found.contents} banks, {found.uploads} uploads, "
        f"{found.runs} runs of {tenant} written to {out}"
    )
    say(text, {**asdict(found), "out": str(out)}, is_json=json)
