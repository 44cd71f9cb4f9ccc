"""The rows of one log: what was measured, on which samples, of whom."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from itemcurve.logs.reading.log_errors import LARGEST_VALUE, DamagedLogError, explain

STATUSES = ("scored", "error", "unscored")
SCORED, ERROR, UNSCORED = range(3)
_MOST_REASONS = 3


@dataclass(frozen=True)
class LogRun:
    """Who was asked what: one model on one task, at one time.

    Parameters
    ----------
    respondent : the name of the model, as people write it.
    identity : what tells two models of one name apart, such as their arguments.
    settings : what tells two runs of one model on one task apart, such as the number of shots.
    created : seconds since 1970; of two runs that agree in the rest the later one counts.
    """

    respondent: str
    task: str
    identity: str = ""
    settings: str = ""
    created: float = 0.0


@dataclass(frozen=True)
class LogMeasure:
    """What a value means: metric, filter (or perturbation), group (or split), range, direction."""

    metric: str
    filter: str = ""
    group: str = ""
    low: float | None = None
    high: float | None = None
    is_higher_better: bool = True
    is_main: bool = False


@dataclass(frozen=True)
class ReportedMean:
    """What the harness itself says the mean of a measure is, and over how many samples."""

    run: int
    metric: str
    filter: str
    group: str
    mean: float
    count: int | None = None


@dataclass(frozen=True, eq=False)
class LogRows:
    """All rows of one log, as columns of codes into its own short lists.

    `codes` has the lines run, sample, measure, repeat, status and answer, `numbers` value and cost,
    both with one column per row of the log. `samples` are the harness's own ids, `contents` hashes
    of what each sample asks ("" where the log does not say), `questions` its first words, `targets`
    its key; `answers` are the answers that rows point to, "" the first of them; `cost_unit` is
    "tokens", "seconds" or "".
    """

    harness: str
    runs: tuple[LogRun, ...]
    measures: tuple[LogMeasure, ...]
    samples: tuple[str, ...]
    contents: tuple[str, ...]
    codes: NDArray[np.int32]
    numbers: NDArray[np.float64]
    questions: tuple[str, ...]
    targets: tuple[str, ...]
    answers: tuple[str, ...]
    cost_unit: str = ""
    reports: tuple[ReportedMean, ...] = ()
    problems: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def run(self) -> NDArray[np.int32]:
        """Code of the run, by row."""
        return self.codes[0, :]

    @property
    def sample(self) -> NDArray[np.int32]:
        """Code of the sample, by row."""
        return self.codes[1, :]

    @property
    def measure(self) -> NDArray[np.int32]:
        """Code of the measure, by row."""
        return self.codes[2, :]

    @property
    def repeat(self) -> NDArray[np.int32]:
        """Which try this is, by row."""
        return self.codes[3, :]

    @property
    def status(self) -> NDArray[np.int32]:
        """Scored, error or unscored, by row."""
        return self.codes[4, :]

    @property
    def answer(self) -> NDArray[np.int32]:
        """Code of the answer, by row; 0 where the log does not say."""
        return self.codes[5, :]

    @property
    def value(self) -> NDArray[np.float64]:
        """The score, by row; NaN where there is none."""
        return self.numbers[0, :]

    @property
    def cost(self) -> NDArray[np.float64]:
        """What the sample cost, by row; NaN where that is not known."""
        return self.numbers[1, :]


@dataclass
class LogRowsBuilder:
    """Collects rows one by one; the only thing here that changes while it is used."""

    harness: str
    cost_unit: str = ""
    runs: dict[LogRun, int] = field(default_factory=dict)
    measures: dict[LogMeasure, int] = field(default_factory=dict)
    samples: dict[tuple[str, str], int] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=lambda: {"": 0})
    rows: list[tuple[int, int, int, int, int, int, float, float]] = field(default_factory=list)
    reports: list[ReportedMean] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    left_out: int = 0
    ranges: list[tuple[float, float]] = field(default_factory=list)

    def code_run(self, run: LogRun) -> int:
        """Give the code of a run."""
        return self.runs.setdefault(run, len(self.runs))

    def code_sample(self, sample: str, content: str, question: str = "", target: str = "") -> int:
        """Give the code of a sample; the same id with other content is another sample."""
        if (sample, content) not in self.samples:
            self.samples[sample, content] = len(self.samples)
            self.notes.append((question, target))
        return self.samples[sample, content]

    def code_measure(self, measure: LogMeasure) -> int:
        """Give the code of a measure."""
        if measure not in self.measures:
            self.measures[measure] = len(self.measures)
            low = -LARGEST_VALUE if measure.low is None else measure.low
            self.ranges.append((low, LARGEST_VALUE if measure.high is None else measure.high))
        return self.measures[measure]

    def add(
        self,
        run: int,
        sample: int,
        measure: int,
        value: float,
        repeat: int,
        cost: float,
        answer: str = "",
    ) -> None:
        """Add one value; NaN is a sample that was not scored, beyond its range one is damaged."""
        said = self.answers.setdefault(answer, len(self.answers))
        if value != value:
            self.rows.append((run, sample, measure, repeat, UNSCORED, said, value, cost))
            return
        low, high = self.ranges[measure]
        if not low <= value <= high:
            raise DamagedLogError(f"its value {value:g} is not within {low:g} to {high:g}")
        self.rows.append((run, sample, measure, repeat, SCORED, said, value, cost))

    def add_error(self, run: int, sample: int, repeat: int, cost: float) -> None:
        """Add a sample that failed: it was asked, and nothing is known of the answer."""
        measure = self.code_measure(LogMeasure(""))
        self.rows.append((run, sample, measure, repeat, ERROR, 0, float("nan"), cost))

    def leave_out(self, where: str, error: Exception) -> None:
        """Count a sample that cannot be read, and say why for the first of them."""
        self.left_out += 1
        if self.left_out <= _MOST_REASONS:
            self.note(f"{where} left out: {explain(error)}")

    def note(self, problem: str) -> None:
        """Keep a problem for the list of files; equal ones once."""
        if problem not in self.problems:
            self.problems.append(problem)

    def build(self) -> LogRows:
        """Turn the rows into columns."""
        columns = list(zip(*self.rows, strict=True)) if self.rows else [()] * 8
        return LogRows(
            self.harness,
            tuple(self.runs),
            tuple(self.measures),
            tuple(sample for sample, _ in self.samples),
            tuple(content for _, content in self.samples),
            np.array(columns[:6], dtype=np.int32),
            np.array(columns[6:], dtype=np.float64),
            tuple(question for question, _ in self.notes),
            tuple(target for _, target in self.notes),
            tuple(self.answers),
            cost_unit=self.cost_unit,
            reports=tuple(self.reports),
            problems=tuple(self.problems),
            left_out=self.left_out,
        )
