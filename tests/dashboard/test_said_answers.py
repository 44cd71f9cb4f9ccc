"""What was said by whom: classes that were predicted, options that were chosen, or nothing."""

import json

import numpy as np
import pytest
from tests.running.report_page import held

import itemcurve as ic
from itemcurve.dashboard.frozen_run import report
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.dashboard.said_answers import read_said
from itemcurve.evaluation.saved_evaluation import load_evaluation
from itemcurve.reports.source import read_source
from itemcurve.responses.chosen_options import ChosenOptions

LETTERS = ("A", "B", "C")


@pytest.fixture
def chosen(tmp_path):
    """A run with options beside it, in another order, of whom one is not known."""
    drawn = ic.simulate("2pl", respondents=30, items=8, seed=1).responses
    ic.fit(drawn, "2pl").save(tmp_path / "run")
    places = np.random.default_rng(0).integers(0, 3, (29, 8)).astype(np.int32)
    places[3, 2] = -1
    given = ChosenOptions(drawn.respondents[:0:-1], drawn.items[::-1], LETTERS, places)
    given.save(tmp_path / "exam.options.npz")
    return tmp_path / "run", given


def test_classes_are_those_that_were_predicted(labelled):
    source = read_source(labelled[0])
    said, evaluation = read_said(source), load_evaluation(labelled[0])
    predicted = evaluation.predictions
    rows = [predicted.respondents.index(name) for name in source.fit.responses.respondents]
    columns = [predicted.items.index(name) for name in source.fit.responses.items]
    assert said.options == predicted.classes
    np.testing.assert_array_equal(said.chosen, predicted.chosen[np.ix_(rows, columns)])


def test_the_card_names_what_everybody_said(labelled, chosen):
    source = read_source(labelled[0])
    documents = RunDocuments(source)
    suspect = documents.ranked["item"].iloc[0]
    card = documents.item(suspect)
    labels = card["facts"]
    assert set(card["answers"]["said"]) <= {"0", "1"}
    assert card["answers"]["said"].count(labels["likely_label"]) > 2
    run, given = chosen
    card = RunDocuments(read_source(run)).item(given.items[2])
    known = dict(zip(card["answers"]["respondents"], card["answers"]["said"], strict=True))
    for row, name in enumerate(given.respondents):
        place = given.chosen[row, 2]
        assert known.pop(name) == ("" if place < 0 else LETTERS[place])
    assert list(known.values()) == [""]


def test_the_report_holds_it_beside_the_responses(chosen, tmp_path):
    run, given = chosen
    text = report(run, tmp_path / "page.html").read_text("utf-8")
    layout = json.loads(held(text))["answers"]
    codes = np.frombuffer(held(text, "data-answers"), np.uint8).reshape(4, 8, 30).astype(int)
    assert layout["options"] == list(LETTERS)
    said = codes[2] + 256 * codes[3]
    columns = {c["name"]: c["cells"] for c in json.loads(held(text))["items"]["columns"]}
    aligned = given.align(tuple(layout["respondents"]), tuple(columns["item"])).chosen.T
    np.testing.assert_array_equal(np.where(said > 3, -1, said), aligned)


def test_what_cannot_be_read_says_nothing(tmp_path):
    drawn = ic.simulate("2pl", respondents=30, items=8, seed=1).responses
    fit = ic.fit(drawn, "2pl")
    assert read_said(read_source(fit)) is None
    fit.save(tmp_path / "run")
    assert read_said(read_source(tmp_path / "run")) is None
    (tmp_path / "broken.options.npz").write_bytes(b"no archive")
    assert read_said(read_source(tmp_path / "run")) is None
    assert RunDocuments(read_source(tmp_path / "run")).item(drawn.items[0])["answers"]["said"] == []
