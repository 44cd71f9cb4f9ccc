"""The command `itemcurve`: its subcommands, and how it starts and ends."""

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

from itemcurve import __version__
from itemcurve.cli.commands.adapt.group import adapt
from itemcurve.cli.commands.choose import EXAMPLE as CHOOSE_EXAMPLE
from itemcurve.cli.commands.choose import choose_command
from itemcurve.cli.commands.compare import EXAMPLE as COMPARE_EXAMPLE
from itemcurve.cli.commands.compare import compare_command
from itemcurve.cli.commands.confusion import EXAMPLE as CONFUSION_EXAMPLE
from itemcurve.cli.commands.confusion import confusion_command
from itemcurve.cli.commands.diff import EXAMPLE as DIFF_EXAMPLE
from itemcurve.cli.commands.diff import diff_command
from itemcurve.cli.commands.evaluate import EXAMPLE as EVALUATE_EXAMPLE
from itemcurve.cli.commands.evaluate import evaluate_command
from itemcurve.cli.commands.findings import EXAMPLE as FINDINGS_EXAMPLE
from itemcurve.cli.commands.findings import findings_command
from itemcurve.cli.commands.fit import EXAMPLE as FIT_EXAMPLE
from itemcurve.cli.commands.fit import fit_command
from itemcurve.cli.commands.gate import EXAMPLE as GATE_EXAMPLE
from itemcurve.cli.commands.gate import gate_command
from itemcurve.cli.commands.health import EXAMPLE as HEALTH_EXAMPLE
from itemcurve.cli.commands.health import health_command
from itemcurve.cli.commands.import_logs import EXAMPLE as IMPORT_EXAMPLE
from itemcurve.cli.commands.import_logs import import_command
from itemcurve.cli.commands.plot import EXAMPLE as PLOT_EXAMPLE
from itemcurve.cli.commands.plot import plot_command
from itemcurve.cli.commands.predict import EXAMPLE as PREDICT_EXAMPLE
from itemcurve.cli.commands.predict import predict_command
from itemcurve.cli.commands.report import EXAMPLE as REPORT_EXAMPLE
from itemcurve.cli.commands.report import report_command
from itemcurve.cli.commands.reproduce import EXAMPLE as REPRODUCE_EXAMPLE
from itemcurve.cli.commands.reproduce import reproduce_command
from itemcurve.cli.commands.robustness import EXAMPLE as ROBUSTNESS_EXAMPLE
from itemcurve.cli.commands.robustness import robustness_command
from itemcurve.cli.commands.run_harness.group import run_harness
from itemcurve.cli.commands.score import EXAMPLE as SCORE_EXAMPLE
from itemcurve.cli.commands.score import score_command
from itemcurve.cli.commands.service.group import store
from itemcurve.cli.commands.service.serve import EXAMPLE as SERVE_EXAMPLE
from itemcurve.cli.commands.service.serve import serve_command
from itemcurve.cli.commands.show import EXAMPLE as SHOW_EXAMPLE
from itemcurve.cli.commands.show import show_command
from itemcurve.cli.commands.simulate import EXAMPLE as SIMULATE_EXAMPLE
from itemcurve.cli.commands.simulate import simulate_command
from itemcurve.cli.failures import INTERRUPTED, fail

COMPLETION = "_ITEMCURVE_COMPLETE"
# Plain help: boxes leave too little room for the text on 80 columns.
app = typer.Typer(
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: itemcurve fit responses.csv --model 2pl --out run",
)
app.add_typer(adapt, name="adapt")
app.command("choose", epilog=CHOOSE_EXAMPLE)(choose_command)
app.command("compare", epilog=COMPARE_EXAMPLE)(compare_command)
app.command("confusion", epilog=CONFUSION_EXAMPLE)(confusion_command)
app.command("diff", epilog=DIFF_EXAMPLE)(diff_command)
app.command("evaluate", epilog=EVALUATE_EXAMPLE)(evaluate_command)
app.command("findings", epilog=FINDINGS_EXAMPLE)(findings_command)
app.command("fit", epilog=FIT_EXAMPLE)(fit_command)
app.command("gate", epilog=GATE_EXAMPLE)(gate_command)
app.command("health", epilog=HEALTH_EXAMPLE)(health_command)
app.command("import", epilog=IMPORT_EXAMPLE)(import_command)
app.command("plot", epilog=PLOT_EXAMPLE)(plot_command)
app.command("predict", epilog=PREDICT_EXAMPLE)(predict_command)
app.command("report", epilog=REPORT_EXAMPLE)(report_command)
app.command("reproduce", epilog=REPRODUCE_EXAMPLE)(reproduce_command)
app.command("robustness", epilog=ROBUSTNESS_EXAMPLE)(robustness_command)
app.add_typer(run_harness, name="run")
app.command("score", epilog=SCORE_EXAMPLE)(score_command)
app.command("serve", epilog=SERVE_EXAMPLE)(serve_command)
app.command("show", epilog=SHOW_EXAMPLE)(show_command)
app.command("simulate", epilog=SIMULATE_EXAMPLE)(simulate_command)
app.add_typer(store, name="store")


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"itemcurve {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Show where an error was raised; also ITEMCURVE_DEBUG=1, any command."
        ),
    ] = False,
) -> None:
    """Measure AI systems the way good exams measure people."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; give its exit code.

    Exit codes: 0 done (also where the reader of a pipe left early), 1 a fault of itemcurve,
    2 something given cannot be used, 3 not converged and `--strict`, 130 interrupted; of `gate`
    also 10 a regression, 11 cannot tell.

    Parameters
    ----------
    arguments : those of the process when left out.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    is_debug = "--debug" in given or os.environ.get("ITEMCURVE_DEBUG", "0") not in ("", "0")
    _forgive_encodings()
    try:
        # Accepted anywhere on the line: it is added at the end when something just failed.
        code = _invoke([argument for argument in given if argument != "--debug"])
        sys.stdout.flush()
    except KeyboardInterrupt as interruption:
        print(str(interruption) or "Interrupted; nothing was changed.", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return fail(error, is_debug=is_debug)
    return code


def _invoke(arguments: list[str]) -> int:
    """Run a command without typer's own handling of errors, which prints boxes and tracebacks."""
    command = typer.main.get_command(app)
    if COMPLETION in os.environ:
        # A shell asks what could come next; typer answers and ends the process.
        cast(Any, command)._main_shell_completion({}, "itemcurve", COMPLETION)
    try:
        with command.make_context("itemcurve", arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _forgive_encodings() -> None:
    """Print a sign that the terminal cannot show as a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
