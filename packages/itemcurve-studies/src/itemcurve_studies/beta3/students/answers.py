"""Answers of students: logs with repeated attempts, tests, and hold-outs that keep everyone."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

Scenario = Literal["average", "first"]
# Name -> columns of student, question and answer; rows are in the order of the attempts.
LOGS = {
    "assist2009_updated": ("student", "question", "correct"),
    "statics2011": ("student", "question", "correct"),
    "math1": ("user_id", "item_id", "score"),
    "assistments0910": ("user_id", "item_id", "score"),
}
# Tests with one answer per student and question, and the columns that are no questions.
TESTS: dict[str, tuple[str, ...]] = {
    "sat12_scored": (),
    "fraction_subtraction": (),
    "irtoys_scored": (),
    "sirt_read": (),
}
REPEATED = ("assist2009_updated", "statics2011")
# Of 17,671 questions of ASSISTments 2009-10 half have fewer than 10 answers.
_FEWEST_ANSWERS = {"assistments0910": 80}


@dataclass(frozen=True, eq=False)
class Answers:
    """One entry per student and question answered.

    Attributes
    ----------
    students, questions : numbers from 0.
    scores : in [0, 1].
    """

    students: NDArray[np.int64]
    questions: NDArray[np.int64]
    scores: NDArray[np.float64]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of students and of questions."""
        return int(self.students.max()) + 1, int(self.questions.max()) + 1

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Answers":
        """Give these entries, numbered as before."""
        return Answers(self.students[chosen], self.questions[chosen], self.scores[chosen])


def find_sets(data: Path) -> list[str]:
    """Names of the data sets that the folder has."""
    folder = data / "data" / "students"
    names = [name for name in LOGS if (folder / f"{name}_long.csv.gz").exists()]
    return names + [name for name in TESTS if (folder / f"{name}.csv").exists()]


def read_answers(data: Path, name: str, scenario: Scenario) -> Answers:
    """Read a data set: the average of a student's attempts at a question, or the first."""
    import pandas

    folder = data / "data" / "students"
    if name in LOGS:
        student, question, score = LOGS[name]
        table = pandas.read_csv(folder / f"{name}_long.csv.gz")
        return average_attempts(
            table.rename(columns={student: "student", question: "question", score: "score"}),
            scenario,
            _FEWEST_ANSWERS.get(name, 1),
        )
    wide = pandas.read_csv(folder / f"{name}.csv").drop(columns=list(TESTS[name]))
    values = wide.select_dtypes("number").to_numpy(float)
    students, questions = np.nonzero(np.isfinite(values))
    return Answers(students, questions, values[students, questions])


def average_attempts(table: "pandas.DataFrame", scenario: Scenario, fewest: int = 1) -> Answers:
    """Give one score per student and question from a log of attempts.

    Parameters
    ----------
    table : columns `student`, `question`, `score`, in the order of the attempts.
    scenario : `"average"` of all attempts, or the `"first"` one.
    fewest : students a question needs.

    Examples
    --------
    >>> import pandas
    >>> log = pandas.DataFrame({"student": [1, 1], "question": [7, 7], "score": [0, 1]})
    >>> average_attempts(log, "average").scores.tolist()
    [0.5]
    """
    import pandas

    how = "mean" if scenario == "average" else "first"
    cells = table.groupby(["student", "question"], sort=True)["score"].agg(how).reset_index()
    answered = cells.groupby("question")["score"].transform("size")
    cells = cells[answered >= fewest]
    return Answers(
        pandas.factorize(cells["student"])[0].astype(np.int64),
        pandas.factorize(cells["question"])[0].astype(np.int64),
        cells["score"].to_numpy(float),
    )


def hold_out(answers: Answers, seed: int, share: float = 0.1) -> NDArray[np.bool_]:
    """Choose a share of the answers to test on, such that everyone stays in the training part.

    A tenth of every student's answers, at least one kept; then questions without any answer left
    get nine tenths of theirs back, at least one (Chen et al., section 4).

    Parameters
    ----------
    share : of a student's answers to hold out.
    """
    rng = np.random.default_rng([22, seed])
    held = _choose(answers.students, share, rng)
    left = np.bincount(answers.questions[~held], minlength=answers.shape[1])
    missing = left[answers.questions] == 0
    if missing.any():
        places = np.flatnonzero(missing)
        held[places] = _choose(answers.questions[places], share, rng)
    return held


def _choose(groups: NDArray[np.int64], share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw a share of each group, never all of it; fractions are rounded at random."""
    order = rng.permutation(len(groups))
    order = order[np.argsort(groups[order], kind="stable")]
    sizes = np.bincount(groups)
    starts = np.cumsum(sizes) - sizes
    rank = np.arange(len(groups)) - starts[groups[order]]
    wanted = np.floor(share * sizes + rng.random(len(sizes))).astype(int)
    chosen = np.zeros(len(groups), dtype=bool)
    chosen[order] = rank < np.minimum(wanted, np.maximum(sizes - 1, 0))[groups[order]]
    return chosen
