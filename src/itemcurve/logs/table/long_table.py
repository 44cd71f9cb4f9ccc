"""All logs of a folder as one long table, and what can be asked of it."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from itemcurve.logs.reading.log_rows import STATUSES, LogMeasure
from itemcurve.logs.table.item_codes import Item
from itemcurve.logs.table.respondent_names import Collision

if TYPE_CHECKING:
    import pandas

    from itemcurve.logs.harness.item_index import ItemIndex
    from itemcurve.logs.table.log_summary import LogSummary
    from itemcurve.logs.table.measure_choice import Choice
    from itemcurve.responses.chosen_options import ChosenOptions
    from itemcurve.responses.matrix import Responses

Names = str | Iterable[str] | None


class Rows(NamedTuple):
    """Columns of equal length: codes of who, what and how, then what came of it."""

    respondent: NDArray[np.int32]
    item: NDArray[np.int32]
    measure: NDArray[np.int32]
    repeat: NDArray[np.int32]
    status: NDArray[np.int8]
    value: NDArray[np.float64]
    cost: NDArray[np.float64]
    source: NDArray[np.int32]
    answer: NDArray[np.int32]

    def keep(self, kept: NDArray[np.bool_]) -> "Rows":
        """Leave out the other rows."""
        return Rows(*(column[kept] for column in self))  # type: ignore[arg-type]


@dataclass(frozen=True)
class TaskMeasure:
    """A measure of one task, as one harness takes it."""

    task: str
    harness: str
    measure: LogMeasure


@dataclass(frozen=True)
class FileNote:
    """What became of one file: read, partial, damaged, companion or foreign, and why."""

    path: str
    harness: str
    status: str
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class LogResponses:
    """What evaluation logs say: one row per respondent, item, metric and repeat.

    `read_logs` gives one. `summary()` says what is there, `select()` turns one metric into
    `Responses`, `frame()` gives all rows.
    """

    respondents: tuple[str, ...]
    items: tuple[Item, ...]
    measures: tuple[TaskMeasure, ...]
    rows: Rows
    files: tuple[FileNote, ...]
    sources: tuple[str, ...]
    cost_units: tuple[str, ...]
    collisions: tuple[Collision, ...]
    superseded: int
    answers: tuple[str, ...] = ("",)
    # What `select` printed already; no part of the data.
    _said: set[str] = field(default_factory=set)

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks."""
        return tuple(dict.fromkeys(entry.task for entry in self.measures))

    @cached_property
    def zero_measures(self) -> frozenset[int]:
        """Codes of measures by which all models have 0, and which so tell nobody apart."""
        from itemcurve.logs.table.measure_choice import find_zeros

        return find_zeros(self.rows, len(self.measures))

    def summary(self) -> "LogSummary":
        """Say what was read: models, tasks, items, metrics, repeats, errors, collisions, files."""
        from itemcurve.logs.table.log_summary import summarise

        return summarise(self)

    def choose(
        self,
        task: Names = None,
        metric: str | None = None,
        filter: str | None = None,
        group: str | None = None,
    ) -> "tuple[Choice, ...]":
        """Say which metric and filter `select` would take for each task, and why."""
        from itemcurve.logs.table.measure_choice import choose_measures

        return choose_measures(self, task, metric, filter, group)

    def select(
        self,
        task: Names = None,
        metric: str | None = None,
        filter: str | None = None,
        group: str | None = None,
        *,
        rescale: bool = False,
        announce: bool = True,
    ) -> "Responses":
        """Give the responses by one metric: respondents × items, repeats as counts.

        Errors and samples that were not scored are missing.

        Parameters
        ----------
        task
            One or several; all when left out. A pattern (`"mmlu_*"`) or the beginning that tasks
            share (`"mmlu"`) stands for all of them.
        metric, filter, group
            Scorer or metric, filter (or perturbation), group (or split). The harness's main
            metric, its first filter and all groups when left out; the next filter where the first
            gives all models 0.
        rescale
            Map the range that the harness states to 0 … 1, 1 being best.
        announce
            Print what was chosen, on stderr, where there was a choice; the same line only once.
        """
        from itemcurve.logs.table.chosen_responses import select_responses
        from itemcurve.logs.table.measure_choice import announce_choices

        choices = self.choose(task, metric, filter, group)
        if announce:
            announce_choices(choices, self._said)
        return select_responses(self, choices, rescale=rescale)

    def options(
        self,
        task: Names = None,
        metric: str | None = None,
        filter: str | None = None,
        group: str | None = None,
    ) -> "ChosenOptions":
        """Give what every model answered to the items that `select` would give.

        Where the logs do not say, and where an answer is too long to be an option, it is unknown.
        """
        from itemcurve.logs.table.log_options import find_options

        return find_options(self, self.choose(task, metric, filter, group))

    def index(
        self,
        task: Names = None,
        metric: str | None = None,
        filter: str | None = None,
        group: str | None = None,
        *,
        rescale: bool = False,
    ) -> "ItemIndex":
        """Say which sample of its harness each item is that `select` would give.

        It tells a harness what to run next, and finds the answers in the log of that.
        """
        from itemcurve.logs.harness.item_index import index_items

        return index_items(self, self.choose(task, metric, filter, group), rescale=rescale)

    def rename(self, names: dict[str, str]) -> "LogResponses":
        """Give respondents other names; two that get the same name become one, as you said."""
        renamed = [names.get(name, name) for name in self.respondents]
        codes = {name: code for code, name in enumerate(dict.fromkeys(renamed))}
        new = np.array([codes[name] for name in renamed], dtype=np.int32)
        rows = self.rows._replace(respondent=new[self.rows.respondent])
        return replace(self, respondents=tuple(codes), rows=rows)

    def keep_respondent(self, name: str) -> "LogResponses":
        """Leave out the rows of all others."""
        code = self.respondents.index(name)
        rows = self.rows.keep(self.rows.respondent == code)
        return replace(
            self, rows=rows._replace(respondent=rows.respondent * 0), respondents=(name,)
        )

    def frame(self) -> "pandas.DataFrame":
        """Give all rows: respondent, item, task, metric, filter, group, value, repeat, cost …"""
        import pandas

        rows = self.rows
        measures = [entry.measure for entry in self.measures]
        return pandas.DataFrame(
            {
                "respondent": _words(rows.respondent, self.respondents),
                "item": _words(rows.item, (item.name for item in self.items)),
                "task": _words(rows.measure, (entry.task for entry in self.measures)),
                "metric": _words(rows.measure, (measure.metric for measure in measures)),
                "filter": _words(rows.measure, (measure.filter for measure in measures)),
                "group": _words(rows.measure, (measure.group for measure in measures)),
                "value": rows.value,
                "repeat": rows.repeat,
                "cost": rows.cost,
                "cost_unit": _words(rows.source, self.cost_units),
                "status": _words(rows.status, STATUSES),
                "source": _words(rows.source, self.sources),
                "answer": _words(rows.answer, self.answers),
            }
        )

    def item_frame(self) -> "pandas.DataFrame":
        """Give one row per item: name, task, the harness's own sample id, content hash, words."""
        import pandas

        return pandas.DataFrame(
            [astuple(item) for item in self.items],
            columns=["item", "task", "sample", "content", "harness", "question", "target"],
        )

    def file_frame(self) -> "pandas.DataFrame":
        """Give one row per file: what it is, whether it was read, and why not."""
        import pandas

        return pandas.DataFrame(
            [(note.path, note.harness, note.status, note.reason) for note in self.files],
            columns=["path", "harness", "status", "reason"],
        )

    def __repr__(self) -> str:
        return (
            f"LogResponses({len(self.respondents)} respondents, {len(self.tasks)} tasks, "
            f"{len(self.items)} items, {self.rows.value.size} rows from {len(self.sources)} logs)"
        )


def _words(codes: NDArray[np.integer], names: Iterable[str]) -> "pandas.Categorical[str]":
    """Give names by code, equal names as one category."""
    import pandas

    listed = list(names)
    unique = list(dict.fromkeys(listed))
    position = {name: code for code, name in enumerate(unique)}
    new = np.array([position[name] for name in listed], dtype=np.int32)
    return pandas.Categorical.from_codes(
        new[codes] if listed else codes, pandas.Index(unique, dtype=str)
    )
