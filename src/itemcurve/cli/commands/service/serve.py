"""`itemcurve serve`: the service."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, opened_store, say
from itemcurve.cli.options.frequent_options import Json, Quiet

EXAMPLE = "Example: itemcurve serve demo/run --port 8765"


def serve_command(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Run folders to show, or folders of them; this one when left out."),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen at; others than this machine need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen at.")] = 8765,
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="Name behind a reverse proxy; tokens are then required. Repeatable."),
    ] = None,
    require_token: Annotated[
        bool, typer.Option("--require-token", help="Ask for a token on this machine, too.")
    ] = False,
    data: Data = None,
    database: Database = None,
    rate: Annotated[float, typer.Option(min=1, help="Requests a second of one token.")] = 500.0,
    job_memory: Annotated[int, typer.Option(min=256, help="MiB that a fit may take.")] = 4096,
    job_seconds: Annotated[float, typer.Option(min=1, help="Seconds a fit may take.")] = 3600.0,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Serve runs, banks and adaptive tests over HTTP."""
    from itemcurve.service.run_folders import find_run_folders
    from itemcurve.service.server import Address, check_exposure, serve
    from itemcurve.service.settings import MEBIBYTE, ServiceSettings

    folders = [found for path in runs or [Path()] for found in find_run_folders(path)]
    address = Address(host, port)
    settings = ServiceSettings(
        is_token_required=require_token,
        host_names=host_name or (),
        run_folders=folders,
        requests_per_second=rate,
        burst=2 * rate,
        job_bytes=job_memory * MEBIBYTE,
        job_seconds=job_seconds,
    )
    with opened_store(data, database) as store:
        settings = check_exposure(address, settings, store)
        if not quiet:
            shown = f"[{host}]" if ":" in host else host
            url, is_asked = f"http://{shown}:{port}", settings.is_token_required
            who = "with a token" if is_asked else "for this machine alone"
            document = {"url": url, "runs": len(folders), "is_token_required": is_asked}
            say(f"Serving {len(folders)} runs at {url} {who}", document, is_json=json)
            sys.stdout.flush()
        serve(store, settings, address, is_quiet=quiet)
