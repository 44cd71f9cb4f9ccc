"""`itemcurve adapt start` for the score, and what ends such a test."""

import json

import numpy as np
import pytest
from tests.cli.commands.conftest import MODELS
from tests.running.report_page import read_words

import itemcurve as ic


def test_a_test_for_the_score_needs_no_fit_and_says_what_it_assumes(home, truth, command, tmp_path):
    session = tmp_path / "s.json"
    begun = command("adapt", "start", session, "--bank", home / "responses.npz", "--max-items", 20)
    assert begun.code == 0, begun.err
    assert "12 are drawn" in begun.out
    assert "The interval holds" in begun.out
    known = ic.Responses.read(home / "responses.npz")
    answers = dict(zip(known.items, truth.array()[MODELS], strict=True))
    while items := command("adapt", "next", session, "--batch", 4).out.split():
        rows = "".join(f"{item},{answers[item]:g}\n" for item in items)
        (tmp_path / "a.csv").write_text("item,response\n" + rows)
        assert command("adapt", "record", session, "--answers", tmp_path / "a.csv").code == 0
    text = command("adapt", "show", session).out
    assert "after 20 items" in text
    assert "20 of 120 items; 20 items answered" in text
    shown = json.loads(command("adapt", "show", session, "--json").out)
    assert shown["question"] == "score"
    assert shown["score_lower"] <= truth.means(axis=1)[MODELS] <= shown["score_upper"]
    assert "ability" not in shown
    picture = tmp_path / "course.png"
    assert command("adapt", "show", session, "--plot", picture).code == 0
    assert picture.stat().st_size > 5_000


def test_session_prediction_and_report_agree_on_who_is_outside(home, command, tmp_path):
    known = ic.Responses.read(home / "responses.npz")
    session = tmp_path / "s.json"
    command("adapt", "start", session, "--bank", home / "responses.npz", "--max-items", 10)
    items = command("adapt", "next", session, "--batch", 10).out.split()
    (tmp_path / "a.csv").write_text("item,response\n" + "".join(f"{item},1\n" for item in items))
    said = command("adapt", "record", session, "--answers", tmp_path / "a.csv").out
    assert "outside the calibration" in said
    ic.Responses.from_array(np.ones((1, 10)), items=items).save(tmp_path / "new.csv")
    predicted = command("predict", home / "responses.npz", tmp_path / "new.csv").out
    assert "outside the calibration" in predicted
    shown = json.loads(command("adapt", "show", session, "--json").out)
    row = json.loads(
        command("predict", home / "responses.npz", tmp_path / "new.csv", "--json").out
    )["scores"][0]
    assert shown["outside_calibration"] is row["outside_calibration"] is True
    assert shown["score"] == pytest.approx(row["score"])
    ic.fit(known).save(tmp_path / "run")
    page = tmp_path / "page.html"
    assert command("report", tmp_path / "run", "--session", session, "--out", page).code == 0
    assert "outside the calibration" in read_words(page)


def test_a_threshold_and_a_rival_end_a_test(home, truth, command, tmp_path):
    known = ic.Responses.read(home / "responses.npz")
    answers = dict.fromkeys(known.items, 1.0)
    for name, options, words in (
        ("t", ("--threshold", 0.3), "score above 0.3"),
        ("r", ("--better-than", known.respondents[0]), f"better than {known.respondents[0]}"),
    ):
        session = tmp_path / f"{name}.json"
        begun = command("adapt", "start", session, "--bank", home / "responses.npz", *options)
        assert "at every look" in begun.out, begun.err
        while items := command("adapt", "next", session, "--batch", 10).out.split():
            rows = "".join(f"{item},{answers[item]:g}\n" for item in items)
            (tmp_path / "a.csv").write_text("item,response\n" + rows)
            command("adapt", "record", session, "--answers", tmp_path / "a.csv")
        assert words in command("adapt", "show", session).out


def test_questions_are_not_mixed(home, command, tmp_path):
    base = ("adapt", "start", tmp_path / "s.json", "--bank", home / "responses.npz")
    both = command(*base, "--question", "score", "--select", "kl")
    assert (both.code, "--select does not go with --question score" in both.err) == (2, True)
    other = command(*base, "--question", "ability", "--threshold", 0.5)
    assert (other.code, "--threshold does not go" in other.err) == (2, True)
