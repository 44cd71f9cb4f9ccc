"""`itemcurve import`: evaluation logs in, responses out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from itemcurve.cli.options.frequent_options import Cache, Json
from itemcurve.cli.options.log_options import ColumnOptions, MeasureOptions
from itemcurve.cli.options.option_groups import spread_options

if TYPE_CHECKING:
    from itemcurve.logs.table.long_table import LogResponses
    from itemcurve.logs.table.measure_choice import Choice
    from itemcurve.responses.matrix import Responses

EXAMPLE = "Example: itemcurve import logs/ --task gsm8k --out responses.npz"


@spread_options
def import_command(
    logs: Annotated[Path, typer.Argument(help="Folder of logs, read with all below it; or one.")],
    what: MeasureOptions,
    where: ColumnOptions,
    out: Annotated[
        Path | None, typer.Option(help="Responses to write: .npz, .csv, .jsonl or .parquet.")
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="Say what is there, with every file; write nothing.")
    ] = False,
    cache: Cache = True,
    json: Json = False,
) -> None:
    """Turn the logs of evaluation harnesses into responses."""
    from itemcurve.logs.log_folder import read_logs

    _check_target(out, is_list=list_)
    table = read_logs(logs, columns=where.columns(), cache=cache)
    if list_ or out is None:
        _show(table, json)
        return
    choices = table.choose(*what.chosen)
    responses = table.select(*what.chosen, rescale=what.rescale, announce=False)
    _write(table, choices, responses, out, is_rescaled=what.rescale)
    _write_answers(table, choices, out)
    _report(table, choices, responses, out, is_json=json)


def _check_target(out: Path | None, *, is_list: bool) -> None:
    """Find a slip in the name of the file before anything is read."""
    from itemcurve.errors import ResponsesError
    from itemcurve.responses.formats.file_formats import find_format

    if out is None and not is_list:
        raise ResponsesError(
            "A file to write or --list is needed;", "neither is given.", "Add --out responses.npz."
        )
    if out is not None:
        find_format(out)


def _write(
    table: "LogResponses",
    choices: "tuple[Choice, ...]",
    responses: "Responses",
    out: Path,
    *,
    is_rescaled: bool,
) -> None:
    from itemcurve.cli.options.targets import make_parent
    from itemcurve.logs.harness.item_costs import SUFFIX as COSTS
    from itemcurve.logs.harness.item_costs import mean_costs, save_costs
    from itemcurve.logs.harness.item_index import index_items
    from itemcurve.storage.folder_swap import files_together

    make_parent(out)
    costs, unit = mean_costs(table)
    with files_together(out) as folder:
        # Where the disk is full, responses must not stand there with the items of others.
        responses.save(folder / out.name)
        index_items(table, choices, rescale=is_rescaled).save(_index_path(folder / out.name))
        if costs:
            save_costs(costs, unit, folder / (out.name.partition(".")[0] + COSTS))


def _write_answers(table: "LogResponses", choices: "tuple[Choice, ...]", out: Path) -> None:
    """Keep what was answered: it tells wrong keys from hard questions (`itemcurve health`)."""
    from itemcurve.logs.table.log_options import find_options
    from itemcurve.responses.chosen_options import options_path
    from itemcurve.storage.disk import disk

    answers = find_options(table, choices)
    if answers.options:
        answers.save(options_path(out))
    else:
        # Those of a former import would belong to other responses.
        disk().remove(options_path(out))


def _index_path(out: Path) -> Path:
    from itemcurve.logs.harness.item_index import SUFFIX

    return out.with_name(out.name.partition(".")[0] + SUFFIX)


def _answers_path(out: Path) -> str:
    """Name the file of answers, where one was written."""
    from itemcurve.responses.chosen_options import find_options_file

    found = find_options_file(out)
    return "" if found is None else f", answers to {found}"


def _report(
    table: "LogResponses",
    choices: "tuple[Choice, ...]",
    responses: "Responses",
    out: Path,
    *,
    is_json: bool,
) -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.logs_summary import describe_logs, print_problems
    from itemcurve.cli.layout.terminal import clean, output
    from itemcurve.logs.table.measure_choice import describe_choices

    if is_json:
        found = describe_logs(table)
        found["chosen"] = [
            {
                "task": choice.task,
                "metric": choice.metric,
                "filter": choice.filter,
                "note": choice.note,
            }
            for choice in choices
        ]
        shape = {"respondents": responses.shape[0], "items": responses.shape[1]}
        found |= {"out": str(out), "items_file": str(_index_path(out)), "shape": shape}
        print_json(found)
        return
    console = output()
    for line in describe_choices(choices):
        console.print(f"Taking {clean(line)}", soft_wrap=True)
    print_problems(table, console)
    console.print(
        f"{responses.shape[0]} respondents × {responses.shape[1]} items, {responses.n_observed} "
        f"cells observed\nSaved to {out}, items to {_index_path(out)}{_answers_path(out)}",
        soft_wrap=True,
    )


def _show(table: "LogResponses", is_json: bool) -> None:
    from itemcurve.cli.layout.json_layout import print_json
    from itemcurve.cli.layout.logs_summary import describe_logs, print_logs
    from itemcurve.cli.layout.terminal import output

    if is_json:
        print_json(describe_logs(table))
    else:
        print_logs(table, output())
