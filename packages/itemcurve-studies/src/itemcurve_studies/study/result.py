"""What every study gives: tables, claims with verdicts, pictures, and how it was run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.json_documents import pack_json
from itemcurve.storage.tables import pack_table
from itemcurve_studies.study.claims import claims_text

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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

        Claims are written as a text for people too, `claims.md`.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        packed = {name: pack_table(table, name) for name, table in self.tables.items()}
        for name, table in self.tables.items():
            write_bytes(target / f"{name}.csv", table.to_csv(index=False).encode())
        claims = self.tables.get("claims")
        if claims is not None and "verdict" in claims:
            write_bytes(target / "claims.md", claims_text(claims).encode())
        document = {"title": self.title, "notes": dict(self.notes), "tables": packed}
        write_bytes(target / "study.json", pack_json(document, "the study"))
        for name, draw in self.pictures.items():
            _save_picture(draw(), target / f"{name}.png")


def figure_of(ax: "Axes") -> "Figure":
    """Give the figure that a picture of itemcurve was drawn in."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def _save_picture(figure: "Figure", path: Path) -> None:
    import matplotlib.pyplot as plt

    figure.savefig(path, dpi=120)
    plt.close(figure)
