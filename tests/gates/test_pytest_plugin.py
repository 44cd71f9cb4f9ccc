"""The plugin of pytest, in a pytest of its own."""

import os
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np

import itemcurve as ic

ROOT = Path(__file__).parents[2]
TESTS = """
import pytest

def test_fine(assert_not_worse):
    found = assert_not_worse("old.csv", "same.csv")
    assert found.verdict == "ship"

def test_worse(assert_not_worse):
    assert_not_worse("old.csv", "worse.csv", margin=0.01)

def test_unclear(assert_not_worse):
    assert_not_worse("old.csv", "unclear.csv", margin=0.01)

def test_unclear_is_skipped(assert_not_worse):
    assert_not_worse("old.csv", "unclear.csv", margin=0.01, cannot_tell="skip")

def test_unclear_passes(assert_not_worse):
    assert_not_worse("old.csv", "unclear.csv", margin=0.01, cannot_tell="pass")
"""


def write(folder):
    old = np.tile([1.0, 0.0], 500)
    rows = {"old": old, "same": old, "worse": old.copy(), "unclear": old.copy()}
    rows["worse"][:100] = 0
    rows["unclear"][:100] = 1 - rows["unclear"][:100]
    for name, row in rows.items():
        responses = ic.Responses.from_array([row], ["m"])
        responses.frame().to_csv(folder / f"{name}.csv", index=False)
    (folder / "test_release.py").write_text(TESTS)


def run(folder, *options):
    plugin = ["-p", "itemcurve.gates.pytest_plugin"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", *plugin, *options],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        # Where the package is installed, pytest finds the plugin itself: it would be there twice.
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )


def test_a_test_fails_where_the_candidate_is_worse_or_unclear(tmp_path):
    write(tmp_path)
    done = run(tmp_path)
    assert "2 failed, 2 passed, 1 skipped" in done.stdout
    assert "REGRESSION: m (worse.csv) against m (old.csv)" in done.stdout
    assert "more items like these would tell" in done.stdout
    assert done.returncode == 1


def test_the_margin_can_be_set_for_all(tmp_path):
    write(tmp_path)
    done = run(tmp_path, "--itemcurve-margin", "0", "-k", "fine")
    assert "1 failed" in done.stdout
    assert "margin 0" in done.stdout


def test_pytest_finds_it_and_it_loads_nothing_heavy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module = project["entry-points"]["pytest11"]["itemcurve"]
    assert import_module(module).assert_not_worse
    code = (
        f"import pytest, sys; before = set(sys.modules); import {module};"
        "print(sorted({'numpy', 'pandas', 'scipy'} & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_installed_it_leaves_every_public_name_in_place(tmp_path):
    # As an installer would leave it: pytest then loads all of itemcurve by a loader of its own.
    folder = tmp_path / "itemcurve_trial-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: itemcurve-trial\nVersion: 1.0\n")
    (folder / "RECORD").write_text("itemcurve/__init__.py,,\n")
    (folder / "entry_points.txt").write_text(
        "[pytest11]\nitemcurve = itemcurve.gates.pytest_plugin\n"
    )
    if "itemcurve" in {found.name for found in entry_points(group="pytest11")}:
        (folder / "entry_points.txt").unlink()
    (tmp_path / "test_names.py").write_text(
        "import itemcurve as ic\n\n"
        "def test_names(assert_not_worse):\n"
        "    assert type(ic.__loader__).__name__ == 'AssertionRewritingHook'\n"
        "    same = ic.Responses.from_array([[1, 0] * 500])\n"
        "    assert assert_not_worse(same, same).verdict == 'ship'\n"
        "    assert all(getattr(ic, name) is not None for name in ic.__all__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_names.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )
    assert "1 passed" in done.stdout, done.stdout
