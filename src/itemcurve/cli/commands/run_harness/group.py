"""The commands under `itemcurve run`."""

import typer

from itemcurve.cli.commands.run_harness.lm_eval import EXAMPLE, lm_eval_command
from itemcurve.cli.help_words import in_words

run_harness = typer.Typer(
    help="Run a model on few items by a harness, to the end of a test.",
    epilog=EXAMPLE,
    rich_markup_mode=None,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@run_harness.callback()
def print_help(context: typer.Context) -> None:
    """Run a model on few items by a harness, to the end of a test."""
    if context.invoked_subcommand is None:
        print(context.get_help())


run_harness.command("lm-eval", epilog=EXAMPLE)(in_words(lm_eval_command))
