"""Pictures as files: looked at before the work begins, drawn without a screen."""

from importlib import import_module
from pathlib import Path
from typing import Any

_FORMATS = (".pdf", ".png", ".svg")


def check_picture(out: Path) -> None:
    """Refuse a file that is no picture, and draw without a window from here on."""
    from itemcurve.errors import StorageError

    if out.suffix.lower() not in _FORMATS:
        raise StorageError(
            f"A picture is written to a file ending in {', '.join(_FORMATS)};",
            f"{str(out)!r} is none.",
            "Use .png if unsure.",
        )
    try:
        import_module("matplotlib").use("Agg")
    except ImportError:
        # The picture itself says which extra is missing.
        return


def save_picture(axes: Any, out: Path) -> None:
    """Write the picture of these axes to a file."""
    from itemcurve.cli.options.csv_files import make_parent

    make_parent(out)
    axes.figure.savefig(out, dpi=150)
