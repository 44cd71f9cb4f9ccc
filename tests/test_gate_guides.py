"""The guides of comparisons, gates and votes: what they print is what comes out."""

import os
import re
from pathlib import Path

import pytest

from itemcurve.cli.main import run

DOCS = Path(__file__).parents[1] / "docs"


def read(page, language):
    text = (DOCS / page).read_text("utf-8")
    fenced = re.findall(r"```(\w*)\n(.*?)```", text, flags=re.DOTALL)
    return [block for found, block in fenced if found == language]


@pytest.mark.parametrize(
    ("page", "commands"), [("compare_models.md", 1), ("release_gate.md", 1), ("preferences.md", 1)]
)
def test_every_printed_line_is_what_comes_out(page, commands, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in read(page, "python"):
        exec(compile(block, page, "exec"), names)
    lines = [line for block in read(page, "") for line in block.splitlines()]
    # Commands on folders that the page does not make are there to be read.
    own = [line.split()[1:] for line in lines if line.startswith("itemcurve") and ".csv" in line]
    assert len(own) == commands
    assert [run(words) for words in own] == [0] * commands
    printed = {line.rstrip() for line in capfd.readouterr().out.splitlines()}
    text = (DOCS / page).read_text("utf-8")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    shown = [line.removeprefix("    ") for line in re.findall(r"^    .*$", text, re.MULTILINE)]
    # What Python prints is compared by test_readme.py.
    assert len(shown) > 2
    assert [line for line in shown if line not in printed] == []


def test_the_workflow_has_ten_lines_and_calls_the_action_that_is_there():
    import yaml

    (block,) = read("release_gate.md", "yaml")
    assert len(block.splitlines()) == 10
    workflow = yaml.safe_load(block.replace("\non:", '\n"on":'))
    step = workflow["jobs"]["gate"]["steps"][-1]
    place = step["uses"].partition("@")[0].split("/", 2)[2]
    action = yaml.safe_load((DOCS.parent / place / "action.yml").read_text("utf-8"))
    assert set(step["with"]) <= set(action["inputs"])
    needed = {name for name, given in action["inputs"].items() if given.get("required")}
    assert needed <= set(step["with"])


def test_the_test_of_the_guide_runs_as_printed(tmp_path):
    import subprocess
    import sys

    import numpy as np

    from itemcurve.responses.matrix import Responses

    block = next(block for block in read("release_gate.md", "python") if "def test" in block)
    for name in ("baseline", "candidate"):
        folder = tmp_path / "logs"
        folder.mkdir(exist_ok=True)
        Responses.from_array([np.tile([1, 0], 500)]).frame().to_csv(folder / name, index=False)
        (folder / name).rename(folder / f"{name}.csv")
    block = block.replace('baseline"', 'baseline.csv"').replace('candidate"', 'candidate.csv"')
    (tmp_path / "test_release.py").write_text(block)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "itemcurve.gates.pytest_plugin", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "1 passed" in done.stdout
