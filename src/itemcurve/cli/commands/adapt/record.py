"""`itemcurve adapt record`: what was answered."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.commands.adapt import options
from itemcurve.cli.options.frequent_options import ItemsFile, Json, ModelInLogs

if TYPE_CHECKING:
    from itemcurve.cli.commands.adapt.sessions import AnyTest

EXAMPLE = "Example: itemcurve adapt record session.json question-17 1, or … session.json logs/new/"
# Who is tested, as long as neither the command nor a log says so.
UNNAMED = "respondent"


def record_command(
    session: options.Session,
    item: Annotated[
        str | None, typer.Argument(help="Id of the item, or a folder of evaluation logs.")
    ] = None,
    response: Annotated[float | None, typer.Argument(help="The response, as 0, 1 or 0.83.")] = None,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", help="CSV file with columns item and response, all or none."),
    ] = None,
    model: ModelInLogs = None,
    items_file: ItemsFile = None,
    bank: options.BankOption = None,
    json: Json = False,
) -> None:
    """Record the answer to an item, to all items of a file, or what evaluation logs hold."""
    from itemcurve.cli.commands.adapt.sessions import changed_session, describe, print_summary
    from itemcurve.cli.layout.json_layout import print_json

    is_logs = item is not None and response is None and answers is None and Path(item).exists()
    with changed_session(session, bank) as test:
        if is_logs:
            _record_logs(test, Path(str(item)), model, session, items_file)
        else:
            # A command repeated after a crash may have been recorded: that is the same answer.
            test.record_many(test.not_recorded(_answers(item, response, answers)))
    if json:
        print_json(describe(test, session))
    else:
        print_summary(test)


def _record_logs(
    test: "AnyTest", logs: Path, model: str | None, session: Path, items_file: Path | None
) -> None:
    """Record the items that were handed out; say what failed, changed or was not asked for."""
    from itemcurve.cli.commands.adapt.sessions import known_items
    from itemcurve.cli.layout.terminal import messages
    from itemcurve.logs.log_folder import read_logs

    # Logs of a running loop change all the time; reading them anew is safest and fast.
    found = known_items(test, session, items_file).find_answers(read_logs(logs, cache=False), model)
    pending = [handed.item for handed in test.pending]
    taken = {item: found.responses[item] for item in pending if item in found.responses}
    test.record_many(taken)
    if test.respondent == UNNAMED and taken:
        # Nobody said who is tested; the logs do.
        test.respondent = found.respondent
    console, waiting = messages(), len(pending) - len(taken)
    failed = len(set(found.failed) & set(pending))
    changed = len(set(found.changed) & set(pending))
    answered = {answer.item for answer in test.answers}
    others = sum(item not in answered for item in found.responses)
    for count, what in (
        (failed, "failed: they stay open"),
        (changed, "ask something else than the items they stand for: left out"),
        (waiting - failed - changed, "handed out are not in the logs: they stay open"),
        (others, "were not handed out: left out"),
        (found.repeated, "were asked repeatedly: the first answer counts"),
    ):
        if count > 0:
            console.print(f"{count} samples {what}.", soft_wrap=True)


def _answers(
    item: str | None, response: float | None, path: Path | None
) -> list[tuple[str, float]]:
    """The one answer of the command line, or those of a file."""
    from itemcurve.cli.options.few_items_input import read_numbers
    from itemcurve.errors import ResponsesError

    if path is None and item is not None and response is not None:
        return [(item, response)]
    if path is None or item is not None:
        raise ResponsesError(
            "An answer is an item and a response, or --answers with a file.",
            f"Got item {item!r} and response {response!r}.",
            "See 'itemcurve adapt record --help'.",
        )
    return read_numbers(path, "item", "response")
