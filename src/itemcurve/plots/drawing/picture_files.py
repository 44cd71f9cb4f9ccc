"""Pictures as files: a crash leaves the former one or the new one."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.storage.atomic_files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase


def save_figure(figure: "FigureBase", path: Path, *, dpi: int) -> None:
    """Write a picture in the format that the end of its name says."""
    drawn = io.BytesIO()
    # A figure inside another one is saved with it.
    figure.savefig(drawn, format=path.suffix.lstrip(".").lower() or "png", dpi=dpi)  # type: ignore[attr-defined]
    write_bytes(path, drawn.getvalue())
