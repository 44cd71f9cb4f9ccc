"""Tests for the score over HTTP: the items, scores and files of the library; on both databases."""

import gc
import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.prediction.complete_responses import complete


@pytest.fixture
def begin(service, tokens, calibration):
    def start(**more):
        wanted = {"calibration": calibration, "max_items": 12, **more}
        reply = service.post("/v1/sessions/score", wanted, token=tokens.write)
        assert reply.status == 201, reply.body
        return reply.json

    return start


@pytest.fixture
def answer(service, tokens):
    def give(state, items, value, **more):
        body = {"answers": [{"item": item, "value": value} for item in items], **more}
        path = f"/v1/sessions/{state['id']}/answers"
        reply = service.post(path, body, token=tokens.write)
        assert reply.status == 200, reply.body
        return reply.json

    return give


def value_of(item):
    return float(int(item.partition("_")[2]) % 3 > 0)


def test_a_test_asks_and_says_what_the_library_does(begin, answer, known, service, tokens):
    test = ic.ScoreTest(complete(known), 12, seed=3, respondent="new")
    state = begin(seed=3, respondent="new")
    assert (state["question"], state["ability"], state["stage"]) == (
        *("score", None),
        "first stage: items drawn",
    )
    while state["lease"]["items"]:
        assert state["lease"]["items"] == test.next_batch(1)
        (item,) = state["lease"]["items"]
        test.record(item, value_of(item))
        state = answer(state, [item], value_of(item))
        # A restart in the middle changes nothing.
        if state["answers"] in (4, 8):
            service.forget()
    assert (state["answers"], state["status"], state["reason"]) == (
        *(12, "finished"),
        "12 items answered",
    )
    assert state["stage"] == test.stage
    assert state["score"]["value"] == pytest.approx(test.score.value, abs=1e-9)
    assert state["score"]["lower"] == pytest.approx(test.score.lower, abs=1e-9)
    (listed,) = service.get("/v1/sessions", token=tokens.read).json["sessions"]
    assert (listed["question"], listed["score"]) == ("score", state["score"])


def test_the_score_of_a_test_that_goes_on_is_worked_out_when_asked_for(
    begin, answer, known, service, tokens
):
    state = begin(next=5)
    state = answer(state, state["lease"]["items"], 1.0)
    assert state["score"] is None
    path = f"/v1/sessions/{state['id']}"
    shown = service.get(f"{path}?score=true", token=tokens.read).json["score"]
    low, high = (np.quantile(known.means(axis=1), share) for share in (0.0, 1.0))
    assert low - 0.1 < shown["lower"] < shown["value"] < shown["upper"] <= high + 0.1
    over = service.post(f"{path}/finish", token=tokens.write).json
    assert (over["status"], over["score"]) == ("ended", shown)
    service.forget()
    assert service.get(path, token=tokens.read).json["score"] == shown


def test_rules_end_it_when_the_library_says_so(begin, answer, known):
    state = begin(max_items=60, stop={"half_width": 0.12})
    test = ic.ScoreTest(complete(known), 60, stop=ic.stopping.score_precision(0.12))
    while (items := state["lease"]["items"]) == test.next_batch(1) and items:
        test.record(items[0], value_of(items[0]))
        state = answer(state, items, value_of(items[0]))
    assert test.is_finished
    assert state["reason"] == test.stop_reason == "half-width of the score at most 0.12"
    decided = begin(max_items=60, stop={"threshold": 0.5})
    while decided["lease"]["items"]:
        decided = answer(decided, decided["lease"]["items"], 1.0)
    assert decided["reason"] == "score above 0.5"
    rival = dict.fromkeys(known.items, 0.0)
    better = begin(max_items=60, stop={"better_than": rival})
    while better["lease"]["items"]:
        better = answer(better, better["lease"]["items"], 1.0)
    assert better["reason"] == "better than the other"


def test_groups_and_weights_are_those_of_the_library(begin, known):
    groups = {item: f"g{k % 4}" for k, item in enumerate(known.items)}
    weights = {item: 1.0 + k % 2 for k, item in enumerate(known.items)}
    for more in ({"groups": groups}, {"weights": weights}, {"every_look": True}):
        given = {"item_groups" if name == "groups" else name: v for name, v in more.items()}
        expected = ic.ScoreTest(complete(known), 12, seed=1, **given).next_batch(6)
        assert begin(seed=1, next=6, **more)["lease"]["items"] == expected


def test_the_record_goes_on_as_a_session_file(
    begin, answer, service, tokens, calibration, tmp_path
):
    state = begin(seed=2, respondent="model y")
    for _ in range(9):
        (item,) = state["lease"]["items"]
        state = answer(state, [item], value_of(item))
    record = service.get(f"/v1/sessions/{state['id']}/record", token=tokens.read).json
    assert record["format"] == "itemcurve-score-session-2"
    (tmp_path / "s.json").write_text("".join(f"{line}\n" for line in record["lines"]))
    content = service.get(f"/v1/calibrations/{calibration}/content", token=tokens.read).body
    (tmp_path / f"calibration-{calibration}.json").write_bytes(content)
    back = ic.ScoreTest.load(tmp_path / "s.json")
    assert (back.respondent, len(back.answers)) == ("model y", 9)
    assert back.next_batch(1) == state["lease"]["items"]


def test_a_run_gives_its_calibration_and_its_bank(service, tokens, owned, fitted_run):
    fit = ic.load(fitted_run)
    run = owned["run"]
    made = service.post(f"/v1/calibrations?run={run}&name=of run", body=b"", token=tokens.write)
    assert (made.status, made.json["items"], made.json["name"]) == (201, 12, "of run")
    assert made.json["mark"] == complete(fit).content_mark
    held = service.post(f"/v1/banks?run={run}", body=b"", token=tokens.write).json
    assert held["mark"] == fit.bank.mark
    for path in ("calibrations", "banks"):
        foreign = service.post(f"/v1/{path}?run={run}", body=b"", token=tokens.other)
        assert foreign.kind == "no-such-run"


def test_a_calibration_that_a_session_needs_is_kept(begin, service, tokens, calibration):
    state, path = begin(), f"/v1/calibrations/{calibration}"
    assert service.ask("DELETE", path, token=tokens.write).kind == "conflict"
    gone = f"/v1/sessions/{state['id']}"
    assert service.ask("DELETE", gone, token=tokens.write).status == 204
    assert service.ask("DELETE", path, token=tokens.write).status == 204
    assert service.get(path, token=tokens.read).kind == "no-such-calibration"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestWhatIsRefused:
    """Does not depend on the database."""

    @pytest.mark.parametrize(
        "wrong",
        [
            b"",
            b"[]",
            b'{"items": ["a"], "respondents": ["r"], "responses": ["1"]}',
            b'{"items": ["a", "a"], "respondents": ["1","2","3","4","5"],'
            b' "responses": ["1 1","1 1","1 1","1 1","1 1"]}',
            b'{"items": ["a"], "respondents": ["1","2","3","4","5"], "responses": ["1"]}',
            b'{"items": ["a"], "respondents": ["1","2","3","4","5"],'
            b' "responses": ["nan","1","1","1","1"]}',
            b'{"items": [], "respondents": ["1","2","3","4","5"], "responses": ["","","","",""]}',
            b'{"items": ["\\ud800"], "respondents": ["1","2","3","4","5"],'
            b' "responses": ["1","1","1","1","1"]}',
        ],
    )
    def test_what_is_no_calibration(self, service, tokens, wrong):
        reply = service.post("/v1/calibrations", body=wrong, token=tokens.write)
        assert (reply.status, reply.kind) == (422, "not-usable")
        assert service.get("/v1/calibrations", token=tokens.read).json["calibrations"] == []

    @pytest.mark.parametrize(
        "wrong",
        [
            {"max_items": 0},
            {"stop": {"half_width": 0}},
            {"stop": {"exec": 1}},
            {"weights": {"0": 1.0}},
            {"groups": {"0": "a"}},
            {"bank": "0" * 64},
            {"every_look": True, "groups": "all"},
        ],
    )
    def test_settings_that_are_none(self, service, tokens, calibration, known, wrong):
        if wrong.get("groups") == "all":
            wrong = {**wrong, "groups": {item: f"g{k < 5}" for k, item in enumerate(known.items)}}
        wanted = {"calibration": calibration, **wrong}
        reply = service.post("/v1/sessions/score", wanted, token=tokens.write)
        assert reply.status == 422
        assert service.get("/v1/sessions", token=tokens.read).json["sessions"] == []

    def test_answers_beyond_the_scale(self, begin, service, tokens):
        state = begin()
        body = {"answers": [{"item": state["lease"]["items"][0], "value": 1.5}]}
        path = f"/v1/sessions/{state['id']}"
        assert service.post(f"{path}/answers", body, token=tokens.write).kind == "not-usable"
        assert service.get(path, token=tokens.read).json == state


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_many_tests_about_one_calibration_share_what_is_as_long_as_it(
    begin, service, tokens, store
):
    from itemcurve.adaptive.score.item_choice import ChoicePlan

    gc.collect()
    before = {id(found) for found in gc.get_objects() if isinstance(found, ChoicePlan)}
    names = [begin(seed=seed)["id"] for seed in range(6)]
    service.forget()
    for name in names:
        assert service.get(f"/v1/sessions/{name}", token=tokens.read).status == 200
    plans = {id(found) for found in gc.get_objects() if isinstance(found, ChoicePlan)}
    assert len(plans - before) == 1
    first = "SELECT body FROM session_lines WHERE number = 1"
    for (line,) in store.database.read(lambda t: t.all(first)):
        assert json.loads(line)["settings"]["weights"] is None
