"""One side of a comparison, read from wherever it is: logs, a run folder, a file of responses."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import OTHER_RUN, AnswerPairs
from itemcurve.errors import ResponsesError
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_folder import read_logs
from itemcurve.logs.reading.log_rows import ERROR, SCORED
from itemcurve.logs.table.item_codes import Item
from itemcurve.logs.table.long_table import LogResponses
from itemcurve.logs.table.measure_choice import Choice, show_measure
from itemcurve.responses.matrix import Responses
from itemcurve.storage.folder_swap import locate_folder
from itemcurve.storage.run_manifest import MANIFEST

_TABLES = (".npz", ".csv", ".tsv", ".parquet", ".jsonl", ".ndjson", ".gz")
IN_MEMORY = "responses"
Source = str | os.PathLike[str] | Responses


@dataclass(frozen=True)
class Selection:
    """Which of the measures in logs count; nothing here matters to files of responses."""

    task: tuple[str, ...] | None = None
    metric: str | None = None
    filter: str | None = None
    group: str | None = None
    rescale: bool = False
    columns: LogColumns = field(default_factory=LogColumns)
    cache: bool | str | os.PathLike[str] = True


@dataclass(frozen=True, eq=False)
class Side:
    """Responses of one side, with what is known of its items.

    Attributes
    ----------
    responses : one row per respondent; items that were asked and failed are there, without answer.
    measures : by task, what it was scored by: metric, filter, whether higher is better. Empty
        where that is not known.
    samples : by task and id of the harness, the item; to find questions that changed.
    tasks, texts : by item: its task, and its first words.
    answers : by item, what the first respondent answered.
    lower_is_better : said by the user, for files, which do not say it themselves.
    """

    name: str
    responses: Responses
    measures: Mapping[str, tuple[str, str, bool]] = field(default_factory=dict)
    samples: Mapping[tuple[str, str], str] = field(default_factory=dict)
    tasks: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    lower_is_better: bool = False

    @property
    def place(self) -> str:
        """The last part of where it comes from; nothing for responses in memory."""
        return Path(self.name).name if self.name != IN_MEMORY else ""

    @property
    def is_higher_better(self) -> bool:
        """False where that was said, or all is scored by something of which less is better."""
        if self.lower_is_better:
            return False
        return not self.measures or any(is_higher for *_, is_higher in self.measures.values())


def read_side(
    source: Source, respondent: str | None = None, selection: Selection | None = None
) -> Side:
    """Read logs of any harness, a run folder, a file of responses; or take responses as they are.

    Parameters
    ----------
    respondent : whose answers; all when left out.
    """
    if isinstance(source, Responses):
        return Side(IN_MEMORY, _keep(source, respondent, "the responses"))
    path = Path(source)
    folder = locate_folder(path)
    if not folder.exists():
        raise ResponsesError(
            "A side is a folder of logs, a run folder or a file of responses;",
            f"there is none at {str(path)!r}.",
            "Check the path.",
        )
    if (folder / MANIFEST).is_file():
        from itemcurve.estimation.saving.saved_fit import load

        return Side(str(path), _keep(load(path).responses, respondent, str(path)))
    # lm-evaluation-harness writes its samples as JSON Lines too.
    is_table = path.is_file() and path.name.endswith(_TABLES) and "samples_" not in path.name
    chosen = selection or Selection()
    if is_table and not any(vars(chosen.columns).values()):
        return Side(str(path), _keep(Responses.read(path), respondent, str(path)))
    return _read_logs(path, respondent, chosen)


def check_sides(first: Side, second: Side) -> None:
    """Refuse sides that were scored differently, or that ask different questions."""
    for task in [task for task in first.measures if task in second.measures]:
        one, other = first.measures[task], second.measures[task]
        if one != other:
            raise ResponsesError(
                "Both sides must be scored by the same metric;",
                f"{task} is by {_show(one)} in {first.name} and by {_show(other)} in "
                f"{second.name}.",
                "Choose one that both have with --metric and --filter (metric=, filter=).",
            )
    if set(first.responses.items) & set(second.responses.items):
        return
    same = [key for key in first.samples if key in second.samples]
    if same:
        raise ResponsesError(
            "Items are the same where they ask the same;",
            f"{len(same):,} samples have the same ids in {first.name} and {second.name} (as "
            f"{same[0][1]!r} of {same[0][0]}), and ask something else on either side.",
            "Run both on the same version of the benchmark.",
        )


def name_sides(pairs: AnswerPairs, sides: tuple[Side, Side]) -> AnswerPairs:
    """Tell two runs of one name apart by where they come from."""
    first, second = pairs.names
    if first != second and not second.endswith(OTHER_RUN):
        return pairs
    places = [Path(side.name).name or side.name for side in sides]
    if places[0] == places[1]:
        places = [side.name for side in sides]
    if places[0] == places[1]:
        return pairs
    names = (f"{first} ({places[0]})", f"{first} ({places[1]})")
    return replace(pairs, names=names)


def _read_logs(path: Path, respondent: str | None, chosen: Selection) -> Side:
    logs = read_logs(path, columns=chosen.columns, cache=chosen.cache)
    if not logs.respondents or (respondent is not None and respondent not in logs.respondents):
        problems = [f"{note.path}: {note.reason}" for note in logs.files if note.reason]
        raise ResponsesError(
            "Logs must hold samples of the model that is compared;",
            f"in {str(path)!r} asked for is {respondent or 'any'}, there are "
            f"{', '.join(logs.respondents[:10]) or 'none'}"
            f"{' (' + '; '.join(problems[:3]) + ')' if problems else ''}.",
            "Check the folder, or the name of the model.",
        )
    if respondent is not None:
        logs = logs.keep_respondent(respondent)
    names = (chosen.task, chosen.metric, chosen.filter, chosen.group)
    choices = logs.choose(*names)
    scored = logs.select(*names, rescale=chosen.rescale, announce=False)
    failed = _find_failed(logs, choices, scored.items)
    asked = {item.name: item for item in logs.items}
    responses = _with_failed(scored, failed)
    items = [asked[name] for name in responses.items]
    return Side(
        str(path),
        responses,
        {c.task: (c.metric, c.filter, c.is_higher_better or chosen.rescale) for c in choices},
        {(item.task, item.sample): item.name for item in items},
        {item.name: item.task for item in items},
        {item.name: _describe(item) for item in items},
        _answers(logs, choices),
    )


def _find_failed(
    logs: LogResponses, choices: Iterable[Choice], scored: tuple[str, ...]
) -> list[str]:
    """Name the items that were asked in the chosen tasks and have no score of anybody."""
    rows = logs.rows
    measures = [code for choice in choices for code in choice.measures]
    tasks = {choice.task for choice in choices}
    is_lost = (rows.status == ERROR) | ((rows.status != SCORED) & np.isin(rows.measure, measures))
    known = set(scored)
    items = (logs.items[code] for code in np.unique(rows.item[is_lost]).tolist())
    return [item.name for item in items if item.task in tasks and item.name not in known]


def _with_failed(scored: Responses, failed: list[str]) -> Responses:
    """Add items without any answer."""
    if not failed:
        return scored
    from itemcurve.responses.layouts.cell_layout import arrange_cells

    entries = scored.cells.entries()
    shape = (scored.shape[0], scored.shape[1] + len(failed))
    places = entries.rows.astype(np.int64), entries.columns.astype(np.int64)
    cells = arrange_cells(*places, entries.values, entries.weights, shape)
    return Responses(scored.respondents, (*scored.items, *failed), cells)


def _answers(logs: LogResponses, choices: tuple[Choice, ...]) -> dict[str, str]:
    """Give what the first respondent answered, where logs say it."""
    from itemcurve.logs.table.log_options import find_options

    if len(logs.answers) < 2:
        return {}
    found = find_options(logs, choices)
    return {
        item: found.options[code]
        for item, code in zip(found.items, found.chosen[0].tolist(), strict=True)
        if code >= 0
    }


def _keep(responses: Responses, respondent: str | None, where: str) -> Responses:
    if respondent is None:
        return responses
    if respondent not in responses.respondents:
        known = responses.respondents
        shown = ", ".join(known[:10]) + (f" and {len(known) - 10} more" if len(known) > 10 else "")
        raise ResponsesError(
            "The respondent must be one of those that answered;",
            f"asked for is {respondent!r}, in {where} are {shown}.",
            "Name one of them.",
        )
    return responses.take([responses.respondents.index(respondent)])


def _describe(item: Item) -> str:
    where = f"{item.task} {item.sample}"
    return f"{where}: {item.question}" if item.question else where


def _show(measure: tuple[str, str, bool]) -> str:
    return show_measure(*measure[:2]) + ("" if measure[2] else ", lower is better")
