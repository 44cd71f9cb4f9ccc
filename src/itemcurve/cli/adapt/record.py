"""`itemcurve adapt record`: what was answered."""

from pathlib import Path
from typing import Annotated

import typer

from itemcurve.cli.adapt import options

EXAMPLE = "Example: itemcurve adapt record session.json question-17 1"


def record_command(
    session: options.Session,
    item: Annotated[str | None, typer.Argument(help="Id of the item.")] = None,
    response: Annotated[float | None, typer.Argument(help="The response, as 0, 1 or 0.83.")] = None,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", help="CSV file with columns item and response, all or none."),
    ] = None,
    bank: options.BankOption = None,
    json: options.Json = False,
) -> None:
    """Record the answer to an item, or to all items of a file."""
    from itemcurve.cli.adapt.sessions import changed_session, describe, print_summary
    from itemcurve.cli.json_layout import print_json

    with changed_session(session, bank) as test:
        test.record_many(_answers(item, response, answers))
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)


def _answers(
    item: str | None, response: float | None, path: Path | None
) -> list[tuple[str, float]]:
    """The one answer of the command line, or those of a file."""
    import csv

    from itemcurve.errors import ResponsesError

    if path is None and item is not None and response is not None:
        return [(item, response)]
    if path is None or item is not None:
        raise ResponsesError(
            "An answer is an item and a response, or --answers with a file.",
            f"Got item {item!r} and response {response!r}.",
            "See 'itemcurve adapt record --help'.",
        )
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    try:
        return [(row["item"], float(row["response"])) for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise ResponsesError(
            "A file of answers has columns item and response, with a number in every row.",
            f"{str(path)!r} has not ({error}).",
            "Write it as item,response.",
        ) from None
