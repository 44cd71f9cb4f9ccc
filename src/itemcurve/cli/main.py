"""The command `itemcurve`: its subcommands, and how it starts and ends."""

import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, cast

import typer

from itemcurve import __version__
from itemcurve.cli.commands.adapt.group import adapt
from itemcurve.cli.commands.audit import EXAMPLE as AUDIT_EXAMPLE
from itemcurve.cli.commands.audit import audit_command
from itemcurve.cli.commands.choose import EXAMPLE as CHOOSE_EXAMPLE
from itemcurve.cli.commands.choose import choose_command
from itemcurve.cli.commands.compare import EXAMPLE as COMPARE_EXAMPLE
from itemcurve.cli.commands.compare import compare_command
from itemcurve.cli.commands.dif import EXAMPLE as DIF_EXAMPLE
from itemcurve.cli.commands.dif import dif_command
from itemcurve.cli.commands.dimensions import EXAMPLE as DIMENSIONS_EXAMPLE
from itemcurve.cli.commands.dimensions import dimensions_command
from itemcurve.cli.commands.evaluate import EXAMPLE as EVALUATE_EXAMPLE
from itemcurve.cli.commands.evaluate import evaluate_command
from itemcurve.cli.commands.fit import EXAMPLE as FIT_EXAMPLE
from itemcurve.cli.commands.fit import fit_command
from itemcurve.cli.commands.health import EXAMPLE as HEALTH_EXAMPLE
from itemcurve.cli.commands.health import health_command
from itemcurve.cli.commands.import_logs import EXAMPLE as IMPORT_EXAMPLE
from itemcurve.cli.commands.import_logs import import_command
from itemcurve.cli.commands.judges import EXAMPLE as JUDGES_EXAMPLE
from itemcurve.cli.commands.judges import judges_command
from itemcurve.cli.commands.link import EXAMPLE as LINK_EXAMPLE
from itemcurve.cli.commands.link import link_command
from itemcurve.cli.commands.pairs.vote_command import EXAMPLE as PAIRS_EXAMPLE
from itemcurve.cli.commands.pairs.vote_command import pairs_command
from itemcurve.cli.commands.predict import EXAMPLE as PREDICT_EXAMPLE
from itemcurve.cli.commands.predict import predict_command
from itemcurve.cli.commands.reproduce import EXAMPLE as REPRODUCE_EXAMPLE
from itemcurve.cli.commands.reproduce import reproduce_command
from itemcurve.cli.commands.run_harness.group import run_harness
from itemcurve.cli.commands.runs.export import EXAMPLE as EXPORT_EXAMPLE
from itemcurve.cli.commands.runs.export import export_command
from itemcurve.cli.commands.runs.findings import EXAMPLE as FINDINGS_EXAMPLE
from itemcurve.cli.commands.runs.findings import findings_command
from itemcurve.cli.commands.runs.plot import EXAMPLE as PLOT_EXAMPLE
from itemcurve.cli.commands.runs.plot import plot_command
from itemcurve.cli.commands.runs.report import EXAMPLE as REPORT_EXAMPLE
from itemcurve.cli.commands.runs.report import report_command
from itemcurve.cli.commands.runs.show import EXAMPLE as SHOW_EXAMPLE
from itemcurve.cli.commands.runs.show import show_command
from itemcurve.cli.commands.score import EXAMPLE as SCORE_EXAMPLE
from itemcurve.cli.commands.score import score_command
from itemcurve.cli.commands.service.group import store
from itemcurve.cli.commands.service.serve import EXAMPLE as SERVE_EXAMPLE
from itemcurve.cli.commands.service.serve import serve_command
from itemcurve.cli.commands.simulate import EXAMPLE as SIMULATE_EXAMPLE
from itemcurve.cli.commands.simulate import simulate_command
from itemcurve.cli.commands.tables.confusion import EXAMPLE as CONFUSION_EXAMPLE
from itemcurve.cli.commands.tables.confusion import confusion_command
from itemcurve.cli.commands.tables.datasets import EXAMPLE as DATASETS_EXAMPLE
from itemcurve.cli.commands.tables.datasets import datasets_command
from itemcurve.cli.commands.tables.difficulty import EXAMPLE as DIFFICULTY_EXAMPLE
from itemcurve.cli.commands.tables.difficulty import difficulty_command
from itemcurve.cli.commands.tables.noise import EXAMPLE as NOISE_EXAMPLE
from itemcurve.cli.commands.tables.noise import noise_command
from itemcurve.cli.commands.tables.robustness import EXAMPLE as ROBUSTNESS_EXAMPLE
from itemcurve.cli.commands.tables.robustness import robustness_command
from itemcurve.cli.commands.tables.taxonomy import EXAMPLE as TAXONOMY_EXAMPLE
from itemcurve.cli.commands.tables.taxonomy import taxonomy_command
from itemcurve.cli.commands.versions.diff import EXAMPLE as DIFF_EXAMPLE
from itemcurve.cli.commands.versions.diff import diff_command
from itemcurve.cli.commands.versions.gate import EXAMPLE as GATE_EXAMPLE
from itemcurve.cli.commands.versions.gate import gate_command
from itemcurve.cli.failures import INTERRUPTED, TERMINATED, fail, one_line
from itemcurve.cli.help_words import GroupedCommands, in_words, leave_types_out
from itemcurve.cli.interruptions import heeding_termination, was_terminated

_VERBOSE = ("-v", "--verbose")
COMPLETION = "_ITEMCURVE_COMPLETE"
# Plain help: boxes leave too little room for the text on 80 columns.
app = typer.Typer(
    cls=GroupedCommands,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: itemcurve evaluate data.csv --target label --out run",
)
app.add_typer(adapt, name="adapt")
app.command("audit", epilog=AUDIT_EXAMPLE)(in_words(audit_command))
app.command("choose", epilog=CHOOSE_EXAMPLE)(in_words(choose_command))
app.command("compare", epilog=COMPARE_EXAMPLE)(in_words(compare_command))
app.command("confusion", epilog=CONFUSION_EXAMPLE)(in_words(confusion_command))
app.command("datasets", epilog=DATASETS_EXAMPLE)(in_words(datasets_command))
app.command("diff", epilog=DIFF_EXAMPLE)(in_words(diff_command))
app.command("dimensions", epilog=DIMENSIONS_EXAMPLE)(in_words(dimensions_command))
app.command("difficulty", epilog=DIFFICULTY_EXAMPLE)(in_words(difficulty_command))
app.command("evaluate", epilog=EVALUATE_EXAMPLE)(in_words(evaluate_command))
app.command("export", epilog=EXPORT_EXAMPLE)(in_words(export_command))
app.command("findings", epilog=FINDINGS_EXAMPLE)(in_words(findings_command))
app.command("fit", epilog=FIT_EXAMPLE)(in_words(fit_command))
app.command("gate", epilog=GATE_EXAMPLE)(in_words(gate_command))
app.command("health", epilog=HEALTH_EXAMPLE)(in_words(health_command))
app.command("import", epilog=IMPORT_EXAMPLE)(in_words(import_command))
app.command("judges", epilog=JUDGES_EXAMPLE)(in_words(judges_command))
app.command("dif", epilog=DIF_EXAMPLE)(in_words(dif_command))
app.command("link", epilog=LINK_EXAMPLE)(in_words(link_command))
app.command("noise", epilog=NOISE_EXAMPLE)(in_words(noise_command))
app.command("pairs", epilog=PAIRS_EXAMPLE)(in_words(pairs_command))
app.command("plot", epilog=PLOT_EXAMPLE)(in_words(plot_command))
app.command("predict", epilog=PREDICT_EXAMPLE)(in_words(predict_command))
app.command("report", epilog=REPORT_EXAMPLE)(in_words(report_command))
app.command("reproduce", epilog=REPRODUCE_EXAMPLE)(in_words(reproduce_command))
app.command("robustness", epilog=ROBUSTNESS_EXAMPLE)(in_words(robustness_command))
app.add_typer(run_harness, name="run")
app.command("score", epilog=SCORE_EXAMPLE)(in_words(score_command))
app.command("serve", epilog=SERVE_EXAMPLE)(in_words(serve_command))
app.command("show", epilog=SHOW_EXAMPLE)(in_words(show_command))
app.command("simulate", epilog=SIMULATE_EXAMPLE)(in_words(simulate_command))
app.add_typer(store, name="store")
app.command("taxonomy", epilog=TAXONOMY_EXAMPLE)(in_words(taxonomy_command))


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
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Say on stderr what is being done; any command."),
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
    2 something given cannot be used, 3 not converged and `--strict`, 130 interrupted, 143 asked to
    end (SIGTERM); of `gate` also 10 a regression, 11 cannot tell.

    Parameters
    ----------
    arguments : those of the process when left out.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    is_debug = "--debug" in given or os.environ.get("ITEMCURVE_DEBUG", "0") not in ("", "0")
    _forgive_encodings()
    # Accepted anywhere on the line: they are added at the end when something just failed.
    kept = [argument for argument in given if argument not in ("--debug", *_VERBOSE)]
    try:
        with heeding_termination(), _listening(any(argument in _VERBOSE for argument in given)):
            code = _invoke(kept)
        sys.stdout.flush()
    except KeyboardInterrupt as interruption:
        is_asked = was_terminated(interruption)
        otherwise = "Ended, as asked." if is_asked else "Interrupted; nothing was changed."
        print(str(interruption) or otherwise, file=sys.stderr)
        return TERMINATED if is_asked else INTERRUPTED
    except Exception as error:
        return fail(error, is_debug=is_debug)
    return code


def _invoke(arguments: list[str]) -> int:
    """Run a command without typer's own handling of errors, which prints boxes and tracebacks."""
    command = typer.main.get_command(app)
    leave_types_out([command])
    if COMPLETION in os.environ:
        # A shell asks what could come next; typer answers and ends the process.
        cast(Any, command)._main_shell_completion({}, "itemcurve", COMPLETION)
    try:
        with command.make_context("itemcurve", arguments) as context, _told_otherwise():
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


@contextmanager
def _listening(is_wanted: bool) -> Iterator[None]:
    """Write the log of the library to stderr."""
    if not is_wanted:
        yield
        return
    import logging

    from itemcurve.showing.event_log import listen, stop_listening

    handler = listen(logging.DEBUG)
    try:
        yield
    finally:
        stop_listening(handler)


@contextmanager
def _told_otherwise() -> Iterator[None]:
    """Leave out warnings of what commands print themselves; print those of input as one line."""
    from itemcurve.errors import EvaluationWarning, ResponsesWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvaluationWarning)
        warnings.simplefilter("always", ResponsesWarning)
        others: Any = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if issubclass(category, ResponsesWarning):
                print(f"Warning: {one_line(str(message))}", file=sys.stderr)
            else:
                others(message, category, *where)

        warnings.showwarning = cast(Any, show)
        yield


def _forgive_encodings() -> None:
    """Print a sign that the terminal cannot show as a question mark instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
