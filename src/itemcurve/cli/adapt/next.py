"""`itemcurve adapt next`: what to ask."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated

import typer

from itemcurve.cli.adapt import options

EXAMPLE = "Example: itemcurve adapt next session.json --batch 32"


class FormatChoice(StrEnum):
    """How items are printed."""

    TEXT = "text"
    JSON = "json"


def next_command(
    session: options.Session,
    batch: Annotated[int, typer.Option(min=1, help="How many items at once.")] = 1,
    bank: options.BankOption = None,
    format: Annotated[FormatChoice, typer.Option(help="One id per line, or JSON.")] = (
        FormatChoice.TEXT
    ),
) -> None:
    """Print the items to ask next; nothing when the test is over.

    The same items are given until they are answered.
    """
    from itemcurve.cli.adapt.sessions import changed_session
    from itemcurve.cli.terminal import messages

    with changed_session(session, bank) as test:
        items = test.next_batch(batch)
        reason = test.stop_reason
    # Printed once the file is safe: what was shown is always on record.
    FORMATS[format](items)
    if not items:
        messages().print(f"The test is over: {reason or 'no item left'}.", soft_wrap=True)


def _print_text(items: list[str]) -> None:
    for item in items:
        print(item)


def _print_json(items: list[str]) -> None:
    from itemcurve.cli.json_layout import print_json

    print_json({"items": items})


FORMATS: Mapping[FormatChoice, Callable[[list[str]], None]] = {
    FormatChoice.TEXT: _print_text,
    FormatChoice.JSON: _print_json,
}
