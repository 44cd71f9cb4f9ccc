"""`itemcurve store revoke-token`: the end of a token."""

from typing import Annotated

import typer

from itemcurve.cli.commands.service.options import Data, Database, opened_store, say
from itemcurve.cli.options.frequent_options import Json

EXAMPLE = "Example: itemcurve store revoke-token 0123456789abcdef"


def revoke_token_command(
    token: Annotated[str, typer.Argument(help="Its id, as `itemcurve store tokens` shows it.")],
    data: Data = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """End a token; running services notice within seconds."""
    from itemcurve.errors import StorageError
    from itemcurve.store.tokens import revoke_token

    with opened_store(data, database) as store:
        is_found = store.database.write(revoke_token(token))
    if not is_found:
        raise StorageError(
            "A token to revoke must be there and valid;",
            f"there is none with the id {token[:40]!r}.",
            "See `itemcurve store tokens`.",
        )
    say(f"Token {token} is over.", {"revoked": token}, is_json=json)
