"""Groups of options: what a command line sees of a dataclass."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import typer
from typer.testing import CliRunner

from itemcurve.cli.options.option_groups import spread_options


@dataclass(frozen=True)
class Size:
    width: Annotated[int, typer.Option(help="How wide.")]
    depth: Annotated[int, typer.Option(min=1)] = 2


@spread_options
def print_box(name: str, size: Size, is_open: bool = False) -> None:
    """Print a box."""
    print(name, size, is_open)


def test_a_group_stands_for_its_fields():
    assert list(signature(print_box).parameters) == ["name", "width", "depth", "is_open"]
    assert print_box.__doc__ == "Print a box."


def test_fields_are_options_with_their_help_defaults_and_checks():
    app = typer.Typer(rich_markup_mode=None)
    app.command()(print_box)
    run = CliRunner().invoke
    assert "How wide." in run(app, ["--help"]).output
    assert run(app, ["a", "--width", "3"]).output == "a Size(width=3, depth=2) False\n"
    given = run(app, ["--width", "3", "a", "--depth", "4", "--is-open"]).output
    assert given == "a Size(width=3, depth=4) True\n"
    assert run(app, ["a"]).exit_code == 2
    assert run(app, ["a", "--width", "3", "--depth", "0"]).exit_code == 2
