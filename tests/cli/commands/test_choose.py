"""`itemcurve choose`: items for the score, and short forms."""

import json

import pytest
from tests.cli.commands.conftest import MODELS

import itemcurve as ic


def test_a_short_form_predicts_alone_and_through_the_calibration(home, truth, command, tmp_path):
    short = tmp_path / "short.json"
    told = command("choose", home / "responses.npz", 30, "--out", short)
    assert "Short form of 30 of 120 items" in told.err
    items = told.out.split()
    assert len(items) == 30
    places = [ic.Responses.read(home / "responses.npz").items.index(item) for item in items]
    new = ic.Responses.from_array(truth.array()[[MODELS, MODELS + 1]][:, places], items=items)
    new.save(tmp_path / "new.csv")
    alone = json.loads(command("predict", short, tmp_path / "new.csv", "--json").out)["scores"]
    assert [row["answered"] for row in alone] == [30, 30]
    through = command(
        "predict", home / "responses.npz", tmp_path / "new.csv", "--choice", short, "--json"
    )
    for one, other in zip(alone, json.loads(through.out)["scores"], strict=True):
        assert one["score"] == pytest.approx(other["score"])
    new.take(columns=list(range(29))).save(tmp_path / "less.csv")
    refused = command("predict", short, tmp_path / "less.csv")
    assert (refused.code, "all of its items" in refused.err) == (2, True)


def test_a_calibration_that_is_not_there_is_named(command, tmp_path):
    for words in (("choose", tmp_path / "no.npz", 5), ("adapt", "plan", tmp_path / "no.npz")):
        done = command(*words)
        assert done.code == 2
        assert "no.npz" in done.err


def test_why_items_were_chosen_is_said_beside_their_ids(home, command, tmp_path):
    copy = tmp_path / "known, one.npz"
    copy.write_bytes((home / "responses.npz").read_bytes())
    done = command("choose", copy, 10)
    assert len(done.out.split()) == 10
    for word in ("Why these items", "drawn", "chosen", "agrees with", "1 hardest"):
        assert word in done.err
    assert "from as many random ones by 0." in done.err
    assert "asking nothing by 0." in done.err
    # Whatever options chose these items: only the same command keeps them.
    assert "the same command with --out short.json" in done.err
    assert "itemcurve predict short.json new.csv" in done.err
    short = tmp_path / "short one.json"
    kept = command("choose", copy, 10, "--out", short)
    assert f"itemcurve predict '{short}' new.csv" in kept.err
    assert "Why these items" not in command("choose", copy, 10, "--json").err
    everything = command("choose", copy, 120)
    assert "nothing is left to predict" in everything.err
    assert "(20 of 120 listed)" in everything.err


def test_a_count_below_nothing_is_called_one(home, command):
    done = command("choose", home / "responses.npz", -3)
    assert done.code == 2
    assert "Counts must be 1 or more; -3 was given" in done.err
