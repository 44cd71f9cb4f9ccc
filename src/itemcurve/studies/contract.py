"""What every study gives: tables, claims with verdicts, and how it was run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas

Report = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The outcome of a study.

    Attributes
    ----------
    title : what was studied.
    tables : by name, for people and files.
    notes : settings and single numbers.
    """

    title: str
    tables: Mapping[str, "pandas.DataFrame"]
    notes: Mapping[str, Any] = field(default_factory=dict)

    def save(self, folder: str | PathLike[str]) -> None:
        """Write every table as CSV and everything together as `study.json`."""
        from itemcurve.storage.atomic_files import write_bytes
        from itemcurve.storage.json_documents import pack_json
        from itemcurve.storage.tables import pack_table

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        packed = {name: pack_table(table, name) for name, table in self.tables.items()}
        for name, table in self.tables.items():
            write_bytes(target / f"{name}.csv", table.to_csv(index=False).encode())
        document = {"title": self.title, "notes": dict(self.notes), "tables": packed}
        write_bytes(target / "study.json", pack_json(document, "the study"))


class Study(Protocol):
    """A function that runs a study."""

    def __call__(self, data: Path, *, seeds: int | None, report: Report) -> StudyResult:
        """Run it.

        Parameters
        ----------
        data : the folder with published data and reference values (`ITEMCURVE_DATA`).
        seeds : repetitions; the study's own number when None.
        report : called with a line of progress.
        """
