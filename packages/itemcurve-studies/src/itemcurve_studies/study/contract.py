"""How a study is asked for, and what it is made of: an experiment, tables, claims, pictures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from itemcurve.errors import ModelError
from itemcurve_studies.study.result import StudyResult

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Report = Callable[[str], None]
Found = TypeVar("Found")


@dataclass(frozen=True)
class RunOptions:
    """How a study is to be run.

    Attributes
    ----------
    data : the folder with published data and reference values (`ITEMCURVE_DATA`).
    seeds : repetitions; the study's own number when None.
    rows : of each data set at most, 0 for all; the study's own number when None.
    quick : the small form that takes a few minutes.
    report : called with a line of progress.
    work : folder for finished parts, from which an interrupted run resumes; None keeps none.
    """

    data: Path
    seeds: int | None = None
    rows: int | None = None
    quick: bool = False
    report: Report = print
    work: Path | None = None


@dataclass(frozen=True, eq=False)
class Reproduction(Generic[Found]):
    """A paper run again: one experiment, and what is made of what it found.

    Attributes
    ----------
    run : the experiment; everything else is a function of what it gives.
    title : what was studied, in a line.
    tables : by name; `claims` is added to them.
    claims : one row per claim, see `claims_frame`.
    notes : settings and single numbers.
    pictures : by name, functions that draw one and give its figure.
    scope : how much of the paper was run; in brackets after the title.
    quick_seeds : repetitions with which the study takes a few minutes; None where `run` has a
        small form of its own.
    takes_rows : whether `run` samples its data sets.
    """

    run: Callable[[RunOptions], Found]
    title: str
    tables: Callable[[Found], Mapping[str, "pandas.DataFrame"]]
    claims: Callable[[Found], "pandas.DataFrame"]
    notes: Callable[[Found], Mapping[str, Any]]
    pictures: Callable[[Found], Mapping[str, Callable[[], "Figure"]]] = lambda found: {}
    scope: Callable[[Found], str] = lambda found: ""
    quick_seeds: int | None = None
    takes_rows: bool = False

    def __call__(
        self,
        data: Path,
        *,
        seeds: int | None = None,
        rows: int | None = None,
        quick: bool = False,
        report: Report = print,
        work: Path | None = None,
    ) -> StudyResult:
        """Run the study and judge its claims; the parameters are those of `RunOptions`."""
        if rows is not None and not self.takes_rows:
            raise ModelError(
                "Rows can be chosen where a study takes a sample of its data sets;",
                "this one takes all of them.",
                "Leave --rows out.",
            )
        if quick and seeds is None:
            seeds = self.quick_seeds
        found = self.run(RunOptions(data, seeds, rows, quick, report, work))
        claims = self.claims(found)
        # The study of language models has bars of its own instead of a paper's claims.
        if "verdict" in claims:
            held = claims["verdict"].value_counts().to_dict()
            report(", ".join(f"{count} {verdict}" for verdict, count in held.items()))
        scope = self.scope(found)
        return StudyResult(
            f"{self.title} ({scope})" if scope else self.title,
            {**self.tables(found), "claims": claims},
            self.notes(found),
            self.pictures(found),
        )
