"""`itemcurve gate`: exit codes, files, and what is refused."""

import json
import re
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from tests.cli.commands.conftest import write_log

import itemcurve as ic


@pytest.fixture
def runs(tmp_path):
    """Logs of a run in use, and of three candidates under the same name."""
    answers = (np.random.default_rng(1).random(300) < 0.7).astype(float)
    worse, unclear = answers.copy(), answers.copy()
    worse[np.flatnonzero(answers == 1)[:40]] = 0
    unclear[np.flatnonzero(answers == 1)[:15]] = 0
    unclear[np.flatnonzero(answers == 0)[:14]] = 1
    for name, row in (
        ("old", answers),
        ("same", answers),
        ("worse", worse),
        ("unclear", unclear),
    ):
        write_log(tmp_path / name, "model", dict(enumerate(row)))
    return tmp_path


@pytest.mark.parametrize(
    ("candidate", "code", "words"),
    [("same", 0, "SHIP"), ("worse", 10, "REGRESSION"), ("unclear", 11, "CANNOT TELL")],
)
def test_two_folders_of_logs_to_a_verdict_in_one_command(command, runs, candidate, code, words):
    done = command("gate", runs / "old", runs / candidate, "--margin", 0.02, "--no-cache")
    assert (done.code, done.err) == (code, "")
    assert done.out.startswith(f"{words}: model ({candidate}) against model (old), margin 0.02")
    assert ("more items like these would tell" in done.out) == (code == 11)
    # Flips are readable: task, number and question.
    assert bool(re.search(r"toy \d+: What is \d+\?", done.out)) == (code != 0)


def test_it_writes_markdown_junit_and_json(command, runs, tmp_path):
    done = command(
        *("gate", runs / "old", runs / "worse", "--margin", 0.02, "--no-cache", "--json"),
        *("--markdown", tmp_path / "out" / "gate.md", "--junit", tmp_path / "gate.xml"),
    )
    assert done.code == 10
    found = json.loads(done.out)
    assert (found["verdict"], found["exit_code"], found["worse"]) == ("regression", 10, 40)
    assert len(found["flips"]) == 40
    assert "Regression" in (tmp_path / "out" / "gate.md").read_text("utf-8")
    assert fromstring((tmp_path / "gate.xml").read_text("utf-8")).attrib["failures"] == "1"


def test_samples_that_failed_are_said_and_can_leave_the_verdict_open(command, tmp_path):
    answers = dict(enumerate([1.0] * 300))
    write_log(tmp_path / "old", "model", answers)
    write_log(tmp_path / "new", "model", {**answers, **dict.fromkeys(range(30))})
    done = command("gate", tmp_path / "old", tmp_path / "new", "--margin", 0.02, "--no-cache")
    assert done.code == 11
    assert "has no answer to 30 items" in done.out
    sure = command(
        *("gate", tmp_path / "old", tmp_path / "new", "--margin", 0.02, "--no-cache"),
        *("--missing", "worst"),
    )
    assert sure.code == 10


def test_run_folders_and_files_are_sides_too(command, files):
    who = ("--a", "respondent_001", "--b", "respondent_001")
    done = command("gate", files / "run", files / "responses.csv", "--margin", 0.5, *who)
    assert done.code == 0, done.err


def save(folder, name, values, items=None):
    ic.Responses.from_array([values], ["m"], items).save(folder / name)
    return folder / name


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (([1, 0], ["x", "y"]), ([1, 0], ["u", "v"]), "they share none"),
        (([1], ["x"]), ([1], ["x"]), "share 1"),
        (([1, np.nan], ["x", "y"]), ([np.nan, 1], ["x", "y"]), "share 0"),
    ],
)
def test_unusable_sides_end_with_code_2_in_one_line(command, tmp_path, first, second, words):
    old, new = save(tmp_path, "old.npz", *first), save(tmp_path, "new.npz", *second)
    done = command("gate", old, new, "--margin", 0.01)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert words in done.err


def test_several_respondents_must_be_named(command, files):
    done = command("gate", files / "responses.csv", files / "responses.csv", "--margin", 0.01)
    assert done.code == 2
    assert "--a" in done.err


def test_items_that_stand_twice_are_repeats_and_not_items(command, tmp_path):
    rows = ["respondent,item,response", *(f"m,q{n},{n % 2}" for n in range(40)), "m,q0,1"]
    (tmp_path / "old.csv").write_text("\n".join(rows))
    done = command("gate", tmp_path / "old.csv", tmp_path / "old.csv", "--margin", 0.2)
    assert done.code == 0
    assert "on 40 items" in done.out


@pytest.mark.parametrize("margin", ["-1", "nan", "inf", "much"])
def test_a_margin_is_a_number(command, tmp_path, margin):
    old = save(tmp_path, "old.npz", [1, 0, 1])
    done = command("gate", old, old, f"--margin={margin}")
    assert done.code == 2
    assert "margin" in done.err


def test_losses_in_files_are_judged_from_below(command, tmp_path):
    losses = np.random.default_rng(0).gamma(2.0, 0.5, size=300)
    old, new = save(tmp_path, "old.npz", losses), save(tmp_path, "new.npz", losses * 0.3)
    assert command("gate", old, new, "--margin", 0.1, "--lower-is-better").code == 0
    assert command("gate", new, old, "--margin", 0.1, "--lower-is-better").code == 10
    assert command("diff", old, new, "--lower-is-better").out.count("is better beyond chance") == 1
    percent = save(tmp_path, "percent.npz", [100.0, 0.0] * 150)
    done = command("gate", save(tmp_path, "share.npz", [1.0, 0.0] * 150), percent, "--margin", 0.01)
    assert done.code == 2
    assert "same scale" in done.err
