"""Notebooks keep what comes out of them: `python docs/site/notebook_output.py [notebooks]`.

Runs each from its first cell, in a folder of its own, and writes what comes out into it. What
changes from run to run (times, versions, ids) is left out. `tests/test_notebooks.py` runs the same
cells and compares.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "docs" / "notebooks"
_SECONDS = 600
_INLINE = "module://matplotlib_inline.backend_inline"
_LANGUAGE = {"name": "python"}


def run_notebook(path: Path) -> Any:
    """Run all cells; give the notebook with what came out."""
    book = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(book, timeout=_SECONDS, kernel_name="python3", resources=resources)
        # Pictures are shown in the notebook, whatever draws them elsewhere.
        client.execute(env={**os.environ, "MPLBACKEND": _INLINE})
    book.metadata["language_info"] = dict(_LANGUAGE)
    for cell in book.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_noise(output)]
    return book


def texts_of(cell: Any) -> list[str]:
    """Give what a cell printed and showed, as text."""
    found = []
    for output in cell.get("outputs", ()):
        if output.output_type == "stream":
            found.append(output.text)
        elif "text/plain" in output.get("data", {}) and "image/png" not in output.data:
            found.append(output.data["text/plain"])
    return found


def count_pictures(cell: Any) -> int:
    """Say how many pictures a cell drew."""
    return sum("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))


def _is_noise(output: Any) -> bool:
    """Warnings and logging of libraries, and the names of objects that were drawn."""
    return bool(output.output_type == "stream" and output.name == "stderr")


if __name__ == "__main__":
    for given in sys.argv[1:] or sorted(map(str, NOTEBOOKS.glob("*.ipynb"))):
        print(given)
        nbformat.write(run_notebook(Path(given)), given)
