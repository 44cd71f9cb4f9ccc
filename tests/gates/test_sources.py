"""Sides of a comparison: logs, run folders, files."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError
from itemcurve.gates.sources import Selection, check_sides, read_side

UNCACHED = Selection(cache=False)


def test_samples_that_failed_are_there_without_an_answer(write_run):
    side = read_side(write_run("logs", [1, None, 0, 1]), None, UNCACHED)
    assert side.responses.shape == (1, 4)
    assert np.isnan(side.responses.array()).sum() == 1
    assert side.measures == {"toy": ("acc", "none", True)}
    assert set(side.tasks.values()) == {"toy"}


def test_files_and_runs_are_read_too(tmp_path):
    drawn = ic.simulate("2pl", respondents=40, items=12, seed=1).responses
    drawn.save(tmp_path / "responses.csv")
    ic.fit(drawn).save(tmp_path / "run")
    for name in ("responses.csv", "run"):
        side = read_side(tmp_path / name, drawn.respondents[3])
        np.testing.assert_array_equal(side.responses.array()[0], drawn.array()[3])


def test_a_respondent_that_is_not_there_is_refused(tmp_path, write_run):
    logs = write_run("logs", [1, 0])
    with pytest.raises(ResponsesError, match="asked for is nobody, there are model"):
        read_side(logs, "nobody", UNCACHED)
    with pytest.raises(ResponsesError, match="there is none at"):
        read_side(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResponsesError, match="there are none"):
        read_side(tmp_path / "empty", None, UNCACHED)


def test_sides_scored_differently_are_refused(write_run):
    old, new = write_run("old", [1, 0, 1]), write_run("new", [1, 0, 1], metric="exact_match")
    with pytest.raises(ResponsesError, match=r"toy is by acc in .* and by exact_match in"):
        ic.gate(old, new, margin=0.1, cache=False)


def test_samples_that_ask_something_else_are_not_the_same_items(write_run):
    changed = {number: f"And what is {number}?" for number in range(3)}
    old, new = write_run("old", [1, 0, 1]), write_run("new", [1, 0, 1], questions=changed)
    first, second = (read_side(path, None, UNCACHED) for path in (old, new))
    with pytest.raises(ResponsesError, match="3 samples have the same ids"):
        check_sides(first, second)
