"""The commands under `itemcurve store`."""

import typer

from itemcurve.cli.commands.service.back_up import EXAMPLE as BACK_UP_EXAMPLE
from itemcurve.cli.commands.service.back_up import back_up_command
from itemcurve.cli.commands.service.delete import EXAMPLE as DELETE_EXAMPLE
from itemcurve.cli.commands.service.delete import delete_command
from itemcurve.cli.commands.service.export import EXAMPLE as EXPORT_EXAMPLE
from itemcurve.cli.commands.service.export import export_command
from itemcurve.cli.commands.service.new_token import EXAMPLE as NEW_TOKEN_EXAMPLE
from itemcurve.cli.commands.service.new_token import new_token_command
from itemcurve.cli.commands.service.restore import EXAMPLE as RESTORE_EXAMPLE
from itemcurve.cli.commands.service.restore import restore_command
from itemcurve.cli.commands.service.retain import EXAMPLE as RETAIN_EXAMPLE
from itemcurve.cli.commands.service.retain import retain_command
from itemcurve.cli.commands.service.revoke_token import EXAMPLE as REVOKE_EXAMPLE
from itemcurve.cli.commands.service.revoke_token import revoke_token_command
from itemcurve.cli.commands.service.tokens import EXAMPLE as TOKENS_EXAMPLE
from itemcurve.cli.commands.service.tokens import tokens_command
from itemcurve.cli.help_words import in_words

EXAMPLE = "Example: itemcurve store new-token team-a"
store = typer.Typer(
    help="Tokens, back-ups and data of the service.",
    epilog=EXAMPLE,
    rich_markup_mode=None,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@store.callback()
def print_help(context: typer.Context) -> None:
    """Tokens, back-ups and data of the service."""
    if context.invoked_subcommand is None:
        print(context.get_help())


store.command("new-token", epilog=NEW_TOKEN_EXAMPLE)(in_words(new_token_command))
store.command("tokens", epilog=TOKENS_EXAMPLE)(in_words(tokens_command))
store.command("revoke-token", epilog=REVOKE_EXAMPLE)(in_words(revoke_token_command))
store.command("export", epilog=EXPORT_EXAMPLE)(in_words(export_command))
store.command("delete", epilog=DELETE_EXAMPLE)(in_words(delete_command))
store.command("retain", epilog=RETAIN_EXAMPLE)(in_words(retain_command))
store.command("back-up", epilog=BACK_UP_EXAMPLE)(in_words(back_up_command))
store.command("restore", epilog=RESTORE_EXAMPLE)(in_words(restore_command))
