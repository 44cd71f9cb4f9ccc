"""Notebooks run from their first cell, and what comes out is what they keep."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tests.test_readme import OUTPUT, ROOT

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
RENEW = "python docs/site/notebook_output.py"


def _load(name):
    spec = spec_from_file_location(name, ROOT / "docs" / "site" / f"{name}.py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


RUNNER = _load("notebook_output")


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_comes_out_is_what_is_kept(path):
    kept, found = nbformat.read(path, as_version=4), RUNNER.run_notebook(path)
    for before, now in zip(kept.cells, found.cells, strict=True):
        shown, printed = ("\n".join(RUNNER.texts_of(cell)) for cell in (before, now))
        assert OUTPUT.is_alike(shown, printed), f"{shown}\n\nbut now\n\n{printed}\n\n{RENEW}"
        assert RUNNER.count_pictures(before) == RUNNER.count_pictures(now), RENEW


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_keep_results_and_no_traces_of_a_machine(path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.outputs for cell in cells)
    assert not any(output.output_type == "error" for cell in cells for output in cell.outputs)
    text = path.read_text("utf-8")
    assert str(Path.home()) not in text
    assert "/tmp/" not in text


def test_the_gallery_names_every_notebook():
    text = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
    assert all(f"(notebooks/{path.name})" in text for path in NOTEBOOKS)
    assert len(NOTEBOOKS) >= 4
