"""`itemcurve adapt show`: where a test stands."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.options.frequent_options import Json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from itemcurve.cli.commands.adapt.sessions import AnyTest

EXAMPLE = "Example: itemcurve adapt show session.json --plot trace.png"


def show_command(
    session: options.Session,
    bank: options.BankOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw score or ability along the items asked: .png, .svg or .pdf."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the predicted score, or ability, and what was answered."""
    from itemcurve.cli.commands.adapt.sessions import (
        describe,
        open_session,
        print_asked,
        print_summary,
    )
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.terminal import output
    from itemcurve.cli.options.targets import check_picture, write_picture

    if plot is not None:
        check_picture(plot)
    test = open_session(session, bank)
    if plot is not None:
        write_picture(_draw(test), plot)
    if json:
        picture = {} if plot is None else {"picture": str(plot)}
        print_json({**describe(test, session), **picture})
    else:
        print_summary(test)
        print_asked(test)
        if plot is not None:
            output().print(f"Picture saved to {plot}", soft_wrap=True)


def _draw(test: "AnyTest") -> "Axes":
    from itemcurve import plots
    from itemcurve.adaptive.score.score_test import ScoreTest

    return plots.score_trace(test) if isinstance(test, ScoreTest) else plots.adaptive_trace(test)
