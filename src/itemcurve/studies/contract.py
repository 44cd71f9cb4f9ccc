"""What every study gives: tables, claims with verdicts, and how it was run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Report = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class StudyResult:
    """The outcome of a study.

    Attributes
    ----------
    title : what was studied.
    tables : by name, for people and files.
    notes : settings and single numbers.
    pictures : by name, functions that draw one and give its figure.
    """

    title: str
    tables: Mapping[str, "pandas.DataFrame"]
    notes: Mapping[str, Any] = field(default_factory=dict)
    pictures: Mapping[str, Callable[[], "Figure"]] = field(default_factory=dict)

    def save(self, folder: str | PathLike[str]) -> None:
        """Write every table as CSV, all together as `study.json`, and the pictures as PNG.

        Claims are written as a text for people too, `claims.md`. Without matplotlib there are no
        pictures.
        """
        from itemcurve.storage.atomic_files import write_bytes
        from itemcurve.storage.json_documents import pack_json
        from itemcurve.storage.tables import pack_table
        from itemcurve.studies.claims import claims_text

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        packed = {name: pack_table(table, name) for name, table in self.tables.items()}
        for name, table in self.tables.items():
            write_bytes(target / f"{name}.csv", table.to_csv(index=False).encode())
        claims = self.tables.get("claims")
        # The study of language models has bars of its own instead of a paper's claims.
        if claims is not None and "verdict" in claims:
            write_bytes(target / "claims.md", claims_text(claims).encode())
        document = {"title": self.title, "notes": dict(self.notes), "tables": packed}
        write_bytes(target / "study.json", pack_json(document, "the study"))
        if self.pictures and find_spec("matplotlib") is not None:
            for name, draw in self.pictures.items():
                _save_picture(draw(), target / f"{name}.png")


def _save_picture(figure: "Figure", path: Path) -> None:
    import matplotlib.pyplot as plt

    figure.savefig(path, dpi=120)
    plt.close(figure)


class Study(Protocol):
    """A function that runs a study."""

    def __call__(
        self, data: Path, *, seeds: int | None, report: Report, work: Path | None
    ) -> StudyResult:
        """Run it.

        Parameters
        ----------
        data : the folder with published data and reference values (`ITEMCURVE_DATA`).
        seeds : repetitions; the study's own number when None.
        report : called with a line of progress.
        work : folder for finished parts, from which an interrupted run resumes; None keeps none.
        """
