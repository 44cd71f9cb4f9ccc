"""`itemcurve store restore`: a store from a back-up."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, data_folder, say
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store restore backups/monday --data new/"


def restore_command(
    back_up: Annotated[Path, typer.Argument(help="Folder that `back-up` wrote.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Make a new store of a back-up."""
    from itemcurve.store.back_up import restore

    target = data_folder(data)
    restore(back_up, target).close()
    text = f"The store in {target} is as it was when it was backed up."
    say(text, {"store": str(target)}, is_json=json)
