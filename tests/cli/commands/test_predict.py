"""`itemcurve predict`: from the answers to some items to a score."""

import json

import numpy as np
import pytest
from tests.cli.commands.conftest import MODELS, write_log

import itemcurve as ic


def test_logs_become_a_score_in_four_commands(home, truth, command, tmp_path):
    """Import was the first; choose, the harness and predict are the others."""
    told = command("choose", home / "responses.npz", 40, "--format", "lm-eval")
    assert told.code == 0, told.err
    wanted = json.loads(told.out)["toy"]
    assert len(set(wanted)) == 40
    write_log(tmp_path / "new", "org/new", {k: truth.array()[MODELS][k] for k in wanted})
    done = command("predict", home / "responses.npz", tmp_path / "new")
    assert done.code == 0, done.err
    assert "org/new: 0." in done.out
    assert "± 0." in done.out
    assert "after 40 items" in done.out
    shown = json.loads(command("predict", home / "responses.npz", tmp_path / "new", "--json").out)
    (row,) = shown["scores"]
    assert abs(row["score"] - truth.means(axis=1)[MODELS]) < 0.15
    assert (row["answered"], shown["left_out"]) == (40, [])


def test_groups_and_unknown_items_on_the_command_line(home, truth, command, tmp_path):
    known = ic.Responses.read(home / "responses.npz")
    groups = tmp_path / "groups.csv"
    rows = [f"{item},{'ab'[place % 2]}" for place, item in enumerate(known.items)]
    groups.write_text("item,group\n" + "\n".join(rows))
    table = np.hstack([truth.array()[[MODELS], :50], [[1.0]]])
    new = tmp_path / "new.csv"
    ic.Responses.from_array(table, items=[*known.items[:50], "elsewhere"]).save(new)
    refused = command("predict", home / "responses.npz", new)
    assert (refused.code, "'elsewhere'" in refused.err) == (2, True)
    options = ("--leave-out-unknown", "--groups", groups)
    done = command("predict", home / "responses.npz", new, *options)
    assert done.code == 0, done.err
    assert "after 50 items" in done.out
    assert "1 item left out: not in the calibration." in done.out
    assert "balanced" in done.out
    told = command("choose", home / "responses.npz", 10, "--groups", groups, "--json")
    chosen = json.loads(told.out)["items"]
    assert sorted({row["group"] for row in chosen}) == ["a", "b"]
    tasks = command("choose", home / "responses.npz", 10, "--groups", "task")
    assert len(tasks.out.split()) == 10


def test_a_target_from_elsewhere_is_predicted(home, truth, command, tmp_path):
    known = ic.Responses.read(home / "responses.npz")
    target = tmp_path / "target.csv"
    scores = 10 * known.means(axis=1) + 3
    rows = [f"{name},{score}" for name, score in zip(known.respondents, scores, strict=True)]
    target.write_text("respondent,score\n" + "\n".join(rows))
    new = tmp_path / "new.csv"
    ic.Responses.from_array(truth.array()[[MODELS]], items=known.items).save(new)
    done = command("predict", home / "responses.npz", new, "--target", target, "--json")
    found = json.loads(done.out)["scores"][0]["score"]
    assert found == pytest.approx(10 * truth.means(axis=1)[MODELS] + 3, abs=1.0)
    target.write_text("respondent,score\nnobody,1\n")
    refused = command("predict", home / "responses.npz", new, "--target", target)
    assert (refused.code, "columns respondent and score" in refused.err) == (2, True)
