"""`itemcurve adapt next`: what to ask."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.options.choices import FormatChoice
from itemcurve.cli.options.frequent_options import Format, ItemsFile

if TYPE_CHECKING:
    from itemcurve.logs.harness.item_index import ItemIndex

EXAMPLE = "Example: itemcurve adapt next session.json --batch 32"


def next_command(
    session: options.Session,
    batch: Annotated[int, typer.Option(min=1, help="How many items at once.")] = 1,
    bank: options.BankOption = None,
    format: Format = FormatChoice.TEXT,
    items_file: ItemsFile = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the items to ask next; nothing when the test is over.

    The same items are given until they are answered.
    """
    from itemcurve.cli.commands.adapt.sessions import changed_session, known_items
    from itemcurve.cli.layout.terminal import messages

    format = FormatChoice.JSON if json else format
    with changed_session(session, bank) as test:
        items = test.next_batch(batch)
        reason, text = test.stop_reason, ""
        if format is FormatChoice.TEXT:
            _refuse_disturbing(items)
        # Written inside the block: items that the harness cannot be told stay unasked.
        if format in HARNESSES and items:
            text = _for_harness(items, format, known_items(test, session, items_file))
    # Printed once the file is safe: what was shown is always on record.
    if text:
        print(text)
    elif format in FORMATS:
        FORMATS[format](items)
    if not items:
        messages().print(f"The test is over: {reason or 'no item left'}.", soft_wrap=True)


def _refuse_disturbing(items: list[str]) -> None:
    """Raise where an id would not stand on a line of its own, or would act on the terminal."""
    from itemcurve.cli.layout.terminal import is_disturbing
    from itemcurve.errors import ResponsesError

    found = next((item for item in items if is_disturbing(item)), None)
    if found is not None:
        raise ResponsesError(
            "Ids are printed one per line, so that they must not hold control characters;",
            f"one is {found!r}.",
            "Use --json.",
        )


def _print_text(items: list[str]) -> None:
    for item in items:
        print(item)


def _print_json(items: list[str]) -> None:
    from itemcurve.cli.layout.json_layout import print_json

    print_json({"items": items})


def _for_harness(items: list[str], format_: FormatChoice, index: "ItemIndex") -> str:
    """Give the samples that items are, as an option of their harness."""
    is_lm_eval = format_ is FormatChoice.LM_EVAL
    return index.lm_eval_samples(items) if is_lm_eval else index.inspect_samples(items)


HARNESSES = (FormatChoice.LM_EVAL, FormatChoice.INSPECT)
FORMATS: Mapping[FormatChoice, Callable[[list[str]], None]] = {
    FormatChoice.TEXT: _print_text,
    FormatChoice.JSON: _print_json,
}
