"""`itemcurve choose`, `predict` and `adapt` for the score: from responses to a score."""

import json

import numpy as np
import pytest
from tests.logs.examples import lm_eval_results, lm_eval_run, lm_eval_sample

import itemcurve as ic

MODELS, ITEMS = 16, 120


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("2pl", respondents=MODELS + 2, items=ITEMS, seed=3).responses


@pytest.fixture(scope="module")
def home(truth, tmp_path_factory):
    """Logs of 16 models, imported: responses.npz with its list of items."""
    from itemcurve.cli.main import run

    folder = tmp_path_factory.mktemp("home")
    for model in range(MODELS):
        write(folder / "logs", f"model-{model:02d}", dict(enumerate(truth.array()[model])))
    out = folder / "responses.npz"
    assert run(["import", str(folder / "logs"), "--out", str(out), "--no-cache"]) == 0
    return folder


def write(folder, model, answers):
    samples = [lm_eval_sample(number, acc=value) for number, value in answers.items()]
    lm_eval_run(folder / model, samples, lm_eval_results(model, date=1.0))


def test_logs_become_a_score_in_four_commands(home, truth, command, tmp_path):
    """Import was the first; choose, the harness and predict are the others."""
    told = command("choose", home / "responses.npz", 40, "--format", "lm-eval")
    assert told.code == 0, told.err
    wanted = json.loads(told.out)["toy"]
    assert len(set(wanted)) == 40
    write(tmp_path / "new", "org/new", {k: truth.array()[MODELS][k] for k in wanted})
    done = command("predict", home / "responses.npz", tmp_path / "new")
    assert done.code == 0, done.err
    assert "org/new: 0." in done.out
    assert "± 0." in done.out
    assert "after 40 items" in done.out
    shown = json.loads(command("predict", home / "responses.npz", tmp_path / "new", "--json").out)
    (row,) = shown["scores"]
    assert abs(row["score"] - truth.means(axis=1)[MODELS]) < 0.15
    assert (row["answered"], shown["left_out"]) == (40, [])


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
    assert "outside the calibration" in page.read_text("utf-8")


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


def test_what_a_test_costs_is_said_before_it_starts(home, command, tmp_path):
    copy = tmp_path / "responses.npz"
    copy.write_bytes((home / "responses.npz").read_bytes())
    refused = command("adapt", "plan", copy, "--budget", 100)
    assert (refused.code, "needs costs" in refused.err) == (2, True)
    items = ic.Responses.read(copy).items
    rows = "".join(f"{item},25,tokens\n" for item in items)
    (tmp_path / "responses.costs.csv").write_text("item,cost,unit\n" + rows)
    done = command("adapt", "plan", copy, "--budget", 1000, "--half-width", 0.12)
    assert done.code == 0, done.err
    assert "1,000 tokens pay 40 items" in done.out
    assert "± 0.12 takes" in done.out
    plan = json.loads(command("adapt", "plan", copy, "--json").out)
    assert plan["cost_unit"] == "tokens"
    assert plan["plan"][0]["cost"] == 250
    begun = command("adapt", "start", tmp_path / "s.json", "--bank", copy, "--budget", 700)
    assert "28 of them asked" in begun.out


def test_a_calibration_that_is_not_there_is_named(command, tmp_path):
    for words in (("choose", tmp_path / "no.npz", 5), ("adapt", "plan", tmp_path / "no.npz")):
        done = command(*words)
        assert done.code == 2
        assert "no.npz" in done.err
