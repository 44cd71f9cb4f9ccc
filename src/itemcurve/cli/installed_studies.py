"""Studies that other packages bring, found by the entry points of one group."""

from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from itemcurve.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    import pandas

GROUP = "itemcurve.studies"


class StudyResult(Protocol):
    """What a study gives."""

    @property
    def title(self) -> str:
        """What was studied, in a line."""

    @property
    def tables(self) -> Mapping[str, "pandas.DataFrame"]:
        """By name; one with a column `verdict` holds claims."""

    @property
    def notes(self) -> Mapping[str, Any]:
        """Settings and single numbers."""

    def save(self, folder: str | PathLike[str]) -> None:
        """Write everything to a folder."""


class Study(Protocol):
    """What an entry point names: a function, or an object that is called like one."""

    def __call__(
        self,
        data: Path,
        *,
        seeds: int | None,
        rows: int | None,
        quick: bool,
        report: Callable[[str], None],
        work: Path | None,
    ) -> StudyResult:
        """Run the study.

        Parameters
        ----------
        data : folder with published data (`ITEMCURVE_DATA`).
        seeds : repetitions; the study's own number when None.
        rows : of each data set at most, 0 for all; the study's own number when None.
        quick : a small form that takes a few minutes.
        report : called with a line of progress.
        work : folder for finished parts, from which an interrupted run resumes.
        """


def load_evaluation(name: str) -> Study:
    """Give an installed study by name."""
    found = _list_studies()
    if not found:
        raise MissingExtraError(
            "`itemcurve reproduce` runs studies of the package itemcurve-studies;",
            "it is not installed.",
            "Run: pip install itemcurve-studies (in a checkout: packages/itemcurve-studies).",
        )
    if name not in found:
        raise ModelError(
            f"A study is one of {', '.join(sorted(found))}.",
            f"Got {name!r}.",
            "Choose one of these.",
        )
    study: Study = found[name].load()
    return study


def _list_studies() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
