"""`itemcurve report`: a run folder as one HTML page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.frequent_options import Json, Mute, Run

if TYPE_CHECKING:
    import pandas

EXAMPLE = "Example: itemcurve report run --out report.html"


def report_command(
    run: Run,
    out: Annotated[
        Path | None, typer.Option(help="File to write; report.html in the run folder if left out.")
    ] = None,
    title: Annotated[str, typer.Option(help="Heading of the page.")] = "",
    mute: Mute = None,
    session: Annotated[
        list[Path] | None,
        typer.Option(help="Session of `itemcurve adapt` to show as well; may be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a run as one HTML page that needs no network."""
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output, plain_warnings
    from itemcurve.cli.options.targets import make_parent
    from itemcurve.cli.progress import waiting
    from itemcurve.dashboard.frozen_run import report

    target = run / "report.html" if out is None else out
    if out is not None:
        make_parent(target)
    with waiting("Writing the report …"), plain_warnings():
        report(run, target, title=title, mute=mute or (), tables=_traces(session or []))
    size = target.stat().st_size
    if json:
        print_json({"command": "report", "run": str(run), "report": str(target), "bytes": size})
    else:
        output().print(f"Report saved to {target} ({size / 1e6:.2f} MB)", soft_wrap=True)


def _traces(sessions: list[Path]) -> dict[str, "pandas.DataFrame"]:
    """Give the trace of each test as a table of the page, under a title that says the result."""
    if not sessions:
        # Most reports are of none, and need not wait for the engine of tests.
        return {}
    from itemcurve.adaptive.ability.ability_trace import adaptive_trace
    from itemcurve.adaptive.score.score_test import ScoreTest
    from itemcurve.adaptive.score.score_trace import score_trace
    from itemcurve.cli.commands.adapt.sessions import open_session

    found = {}
    for path in sessions:
        test = open_session(path, None)
        if isinstance(test, ScoreTest):
            score = test.score
            title = f"score test of {test.respondent}, {path.stem}: {score.value:.2f} "
            title += f"({score.lower:.2f} to {score.upper:.2f})"
            found[title + _where(score.is_outside_calibration)] = score_trace(test).frame()
        else:
            title = f"adaptive test of {test.respondent}, {path.stem}"
            outside = test.score.is_outside_calibration
            found[title + _where(outside)] = adaptive_trace(test).frame()
    return found


def _where(is_outside: bool) -> str:
    return ", outside the calibration" if is_outside else ""
