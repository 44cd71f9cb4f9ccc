"""How a study is asked for, and what it is made of: an experiment, tables, claims, pictures."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from itemcurve.errors import ModelError
from itemcurve_studies.study.data_sources import (
    DataSource,
    check_data,
    find_missing,
    refuse_missing,
    say_missing,
)
from itemcurve_studies.study.result import StudyResult
from itemcurve_studies.study.rules import Rule
from itemcurve_studies.study.second_verdicts import SecondVerdict, add_second

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
    sources : the files it reads, and where they come from.
    needs : `"all"` of them, else nothing is run; `"parts"`, where what lacks its data is left out
        and the rest is run; `"any"` files of that kind, which the experiment looks for itself.
    rules : of every claim, both of them; without any there is no second verdict.
    by_paper : second verdicts, by the paper's own protocol.
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
    sources: tuple[DataSource, ...] = ()
    needs: Literal["all", "parts", "any"] = "parts"
    rules: Mapping[str, Rule] = field(default_factory=dict)
    by_paper: Callable[[Found], Iterable[SecondVerdict]] = lambda found: ()

    def check_data(self, data: Path) -> "pandas.DataFrame":
        """Give one row per file that the study reads: is it there, and where does it come from."""
        return check_data(data, self.sources)

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
        self._look_for_data(data, report)
        if quick and seeds is None:
            seeds = self.quick_seeds
        found = self.run(RunOptions(data, seeds, rows, quick, report, work))
        claims = self.claims(found)
        if self.rules:
            claims = add_second(claims, self.rules, self.by_paper(found))
        # The study of language models has bars of its own instead of a paper's claims.
        if "verdict" in claims:
            held = claims["verdict"].value_counts().to_dict()
            report(", ".join(f"{count} {verdict}" for verdict, count in held.items()))
        if "paper_verdict" in claims:
            held = claims["paper_verdict"].value_counts().to_dict()
            told = ", ".join(f"{count} {verdict}" for verdict, count in held.items())
            report(f"by the paper's own protocol: {told}")
        scope = self.scope(found)
        return StudyResult(
            f"{self.title} ({scope})" if scope else self.title,
            {**self.tables(found), "claims": claims},
            self.notes(found),
            self.pictures(found),
        )

    def _look_for_data(self, data: Path, report: Report) -> None:
        """Say what is missing before anything is trained."""
        missing = find_missing(data, self.sources)
        if missing and self.needs == "all":
            refuse_missing(data, missing)
        if missing and self.needs == "parts":
            for line in say_missing(missing, self.sources):
                report(line)
            report("What needs them is left out; --data-check lists where they come from.")
