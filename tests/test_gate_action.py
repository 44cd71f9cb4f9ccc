"""The action of GitHub: its script is run as the runner would run it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import itemcurve as ic

ROOT = Path(__file__).parents[1]
ACTION = ROOT / ".github" / "actions" / "gate"


def read(path):
    return dict(line.split("=", 1) for line in path.read_text("utf-8").splitlines())


@pytest.fixture
def judge(tmp_path):
    old = np.tile([1.0, 0.0], 500)
    rows = {"old": old, "same": old, "worse": old.copy(), "unclear": old.copy()}
    rows["worse"][:100] = 0
    rows["unclear"][:100] = 1 - rows["unclear"][:100]
    for name, row in rows.items():
        ic.Responses.from_array([row], [name]).save(tmp_path / f"{name}.npz")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "python").symlink_to(sys.executable)

    def run(candidate, **settings):
        variables = {
            **os.environ,
            "PATH": f"{binaries}:{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sys.path),
            "RUNNER_TEMP": str(tmp_path / "temp with spaces"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "BASELINE": str(tmp_path / "old.npz"),
            "CANDIDATE": str(tmp_path / candidate),
            "MARGIN": "0.01",
            **settings,
        }
        return subprocess.run(
            ["bash", ACTION / "gate.sh"],
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("candidate", "settings", "code", "verdict"),
    [
        ("same.npz", {}, 0, "ship"),
        ("worse.npz", {}, 10, "regression"),
        ("unclear.npz", {}, 11, "cannot tell"),
        ("unclear.npz", {"CANNOT_TELL": "pass"}, 0, "cannot tell"),
        ("worse.npz", {"CANNOT_TELL": "pass"}, 10, "regression"),
        ("nowhere.npz", {}, 2, ""),
    ],
)
def test_the_verdict_is_the_exit_code_and_an_output(
    judge, tmp_path, candidate, settings, code, verdict
):
    done = judge(candidate, **settings)
    assert done.returncode == code, done.stderr
    assert read(tmp_path / "output")["verdict"] == verdict
    summary = tmp_path / "summary.md"
    assert summary.exists() == bool(verdict)
    if verdict:
        assert verdict.capitalize() in summary.read_text("utf-8")


def test_outputs_name_files_and_the_difference(judge, tmp_path):
    judge("worse.npz")
    found = read(tmp_path / "output")
    assert float(found["difference"]) == pytest.approx(-0.05)
    assert Path(found["junit"]).is_file()
    assert Path(found["markdown"]).is_file()


def test_options_are_handed_on_and_never_read_as_commands(judge, tmp_path):
    done = judge("worse.npz", ARGUMENTS=f"--flips=0\n--a=$(touch {tmp_path}/broken)")
    assert done.returncode == 2
    assert not (tmp_path / "broken").exists()
    assert judge("worse.npz", ARGUMENTS="--flips=0\n\n--missing=worst").returncode == 10


def test_inputs_reach_the_script_as_variables_only():
    action = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
    script = (ACTION / "gate.sh").read_text("utf-8")
    steps = action["runs"]["steps"]
    assert all("${{" not in step["run"] for step in steps)
    for name in ("BASELINE", "CANDIDATE", "MARGIN", "ARGUMENTS", "CANNOT_TELL"):
        assert name in steps[-1]["env"]
        assert name in script
