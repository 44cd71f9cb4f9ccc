"""The commands under `itemcurve adapt`."""

import typer

from itemcurve.cli.commands.adapt.next import EXAMPLE as NEXT_EXAMPLE
from itemcurve.cli.commands.adapt.next import next_command
from itemcurve.cli.commands.adapt.plan import EXAMPLE as PLAN_EXAMPLE
from itemcurve.cli.commands.adapt.plan import plan_command
from itemcurve.cli.commands.adapt.record import EXAMPLE as RECORD_EXAMPLE
from itemcurve.cli.commands.adapt.record import record_command
from itemcurve.cli.commands.adapt.run import EXAMPLE as RUN_EXAMPLE
from itemcurve.cli.commands.adapt.run import run_command
from itemcurve.cli.commands.adapt.show import EXAMPLE as SHOW_EXAMPLE
from itemcurve.cli.commands.adapt.show import show_command
from itemcurve.cli.commands.adapt.start import EXAMPLE as START_EXAMPLE
from itemcurve.cli.commands.adapt.start import start_command
from itemcurve.cli.help_words import in_words

EXAMPLE = "Example: itemcurve adapt start session.json --bank responses.npz --max-items 50"
adapt = typer.Typer(
    help="Test a new respondent with few items.",
    epilog=EXAMPLE,
    rich_markup_mode=None,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@adapt.callback()
def print_help(context: typer.Context) -> None:
    """Test a new respondent with few items."""
    if context.invoked_subcommand is None:
        print(context.get_help())


adapt.command("plan", epilog=PLAN_EXAMPLE)(in_words(plan_command))
adapt.command("start", epilog=START_EXAMPLE)(in_words(start_command))
adapt.command("next", epilog=NEXT_EXAMPLE)(in_words(next_command))
adapt.command("record", epilog=RECORD_EXAMPLE)(in_words(record_command))
adapt.command("show", epilog=SHOW_EXAMPLE)(in_words(show_command))
adapt.command("run", epilog=RUN_EXAMPLE)(in_words(run_command))
