"""Options of the service's commands."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from itemcurve.store.data_folder import Store

Data = Annotated[
    Path | None,
    typer.Option(
        envvar="ITEMCURVE_STORE",
        help="Folder of the store; ~/.local/share/itemcurve when left out.",
    ),
]
# A URL with a password is not for command lines, which others on the machine see.
Database = Annotated[
    str | None,
    typer.Option(
        envvar="ITEMCURVE_DATABASE",
        help="postgresql://… or a file; itemcurve.db in the folder when left out.",
    ),
]
Tenant = Annotated[str, typer.Argument(help="Whose data: a name such as team-a.")]


def data_folder(given: Path | None) -> Path:
    """Give the folder of the store."""
    if given is not None:
        return given
    shared = os.environ.get("XDG_DATA_HOME")
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "itemcurve"


@contextmanager
def opened_store(data: Path | None, database: str | None) -> "Iterator[Store]":
    """Open the store, and close it."""
    from itemcurve.store.data_folder import open_store

    store = open_store(data_folder(data), database)
    try:
        yield store
    finally:
        store.close()


def say(text: str, document: Mapping[str, Any], *, is_json: bool) -> None:
    """Say what was done, in words or as one JSON object."""
    from itemcurve.cli.layout.json_layout import print_json

    if is_json:
        print_json(document)
    else:
        print(text)
