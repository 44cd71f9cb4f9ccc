"""Any order of steps of a session: what the service says is what a plain model of it says.

Answers, repeats with and without keys, wrong versions, releases, items put away, restarts, an end:
nothing is recorded twice, nothing that was said to be recorded is lost, leases stay the same.
"""

import tempfile
import uuid

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

import itemcurve as ic

pytest.importorskip("fastapi", reason="FastAPI is not installed")

from tests.running.service_caller import ServiceCaller

from itemcurve.adaptive.prediction.complete_responses import complete
from itemcurve.bank.saved_bank import bank_content
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.data_folder import open_store

BANK = ic.Bank.from_parameters("2pl", discrimination=1.3, difficulty=[k / 6 - 1 for k in range(12)])
KNOWN = ic.simulate("2pl", respondents=8, items=12, seed=1).responses
MOST = 8


class Sessions(RuleBasedStateMachine):
    """The service, and what it must say."""

    database: str | None = None

    @initialize(seed=st.integers(0, 5), wanted=st.integers(0, 4))
    def begin(self, seed, wanted):
        self.folder = tempfile.TemporaryDirectory()
        where = self.database and type(self).server.new_database()
        self.store = open_store(self.folder.name, where)
        self.service = ServiceCaller(
            self.store, ServiceSettings(requests_per_second=1e6, burst=1e6)
        )
        self.state = self.start({"seed": seed, "next": wanted})
        self.answers, self.away, self.requests, self.is_ended = {}, set(), [], False

    def start(self, settings):
        mark = self.service.post("/v1/banks", body=bank_content(BANK)).json["mark"]
        body = {"bank": mark, "stop": {"max_items": MOST}, **settings}
        return self.service.post("/v1/sessions", body).json

    def teardown(self):
        if hasattr(self, "service"):
            self.service.close()
            self.store.close()
            self.folder.cleanup()

    @property
    def path(self):
        return f"/v1/sessions/{self.state['id']}"

    def give(self, body, key=None, version=None):
        headers = {"idempotency-key": key} if key else {}
        headers |= {"if-match": str(version)} if version is not None else {}
        return self.service.post(f"{self.path}/answers", body, headers=headers)

    @precondition(lambda self: self.state["lease"]["items"])
    @rule(
        data=st.data(),
        value=st.sampled_from([0.0, 1.0, None]),
        wanted=st.integers(0, 4),
        has_key=st.booleans(),
    )
    def answer(self, data, value, wanted, has_key):
        item = data.draw(st.sampled_from(self.state["lease"]["items"]))
        given = {"item": item, "missing": True} if value is None else {"item": item, "value": value}
        body, key = {"answers": [given], "next": wanted}, uuid.uuid4().hex if has_key else None
        reply = self.give(body, key, self.state["version"])
        assert reply.status == 200, reply.body
        if value is None:
            self.away.add(item)
        else:
            self.answers[item] = value
        self.requests.append((body, key))
        self.state = reply.json
        assert item not in self.state["lease"]["items"]
        assert not self.state["is_repeated"]

    @precondition(lambda self: self.requests and not self.is_ended)
    @rule(data=st.data())
    def repeat(self, data):
        body, key = data.draw(st.sampled_from(self.requests))
        before = self.state
        reply = self.give(body, key)
        assert reply.status == 200
        assert reply.json["is_repeated"] == (key is not None)
        assert reply.json["answers"] == before["answers"]
        if key is not None:
            assert reply.json == {**before, "is_repeated": True}
        self.state = {**reply.json, "is_repeated": False}

    @precondition(lambda self: self.answers and not self.is_ended)
    @rule(data=st.data())
    def contradict(self, data):
        item = data.draw(st.sampled_from(sorted(self.answers)))
        other = {"answers": [{"item": item, "value": 1.0 - self.answers[item]}]}
        assert self.give(other).kind == "answered-before"
        keys = [key for body, key in self.requests if key and body["answers"][0]["item"] == item]
        if keys:
            assert self.give(other, keys[0]).kind == "key-used"

    @precondition(lambda self: self.state["lease"]["items"])
    @rule()
    def act_on_an_old_version(self):
        body = {"answers": [{"item": self.state["lease"]["items"][0], "value": 1.0}]}
        assert self.give(body, None, self.state["version"] - 1).status == 412

    @rule(wanted=st.integers(1, 5))
    def ask_next(self, wanted):
        before = self.state
        self.state = self.service.post(f"{self.path}/next", {"next": wanted}).json
        if before["lease"]["items"] or before["status"] != "open":
            assert self.state == before
        elif self.state["status"] == "open":
            left = MOST - len(self.answers)
            rest = len(BANK.items) - len(self.answers) - len(self.away)
            assert len(self.state["lease"]["items"]) == min(wanted, left, rest)

    @rule(data=st.data())
    def release(self, data):
        held = st.sampled_from(self.state["lease"]["items"] or ["nothing"])
        items = data.draw(st.lists(held, max_size=2))
        before = self.state["lease"]["items"]
        self.state = self.service.post(f"{self.path}/release", {"items": items}).json
        assert self.state["lease"]["items"] == [item for item in before if item not in items]

    @rule()
    def restart(self):
        self.service.forget()

    @precondition(lambda self: len(self.answers) > 3)
    @rule()
    def finish(self):
        score = self.state["score"]
        self.state = self.service.post(f"{self.path}/finish").json
        if self.state["question"] == "ability":
            # Predicted for this reply alone: it takes too long to be said each time.
            self.state["score"] = score
        self.is_ended = True
        assert self.state["lease"]["items"] == []

    @invariant()
    def what_is_shown_is_what_was_said(self):
        if not hasattr(self, "state"):
            return
        shown = self.service.get(self.path).json
        assert {**shown, "score": None} == {**self.state, "score": None}
        if self.state["question"] == "ability":
            assert shown == self.state
        if self.state["question"] == "score" and self.state["status"] != "open":
            assert shown["score"]["lower"] <= shown["score"]["value"] <= shown["score"]["upper"]
        record = self.service.get(f"{self.path}/record").json
        assert {a["item"]: a["response"] for a in record["answers"]} == self.answers
        assert set(record["set_aside"]) == self.away
        assert len(record["lines"]) == self.state["version"]
        if len(self.answers) >= MOST and not self.is_ended:
            assert self.state["status"] == "finished"


class ScoreTests(Sessions):
    """The same of tests for the score."""

    def start(self, settings):
        content = complete(KNOWN).content
        mark = self.service.post("/v1/calibrations", body=content).json["mark"]
        body = {"calibration": mark, "max_items": MOST, **settings}
        return self.service.post("/v1/sessions/score", body).json


TestOnSqlite = Sessions.TestCase
TestOnSqlite.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

TestScoresOnSqlite = ScoreTests.TestCase
TestScoresOnSqlite.settings = settings(TestOnSqlite.settings, max_examples=6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Sessions, ScoreTests])
def test_on_postgres(postgres, kind):
    from hypothesis.stateful import run_state_machine_as_test

    machine = type("OnPostgres", (kind,), {"database": "postgres", "server": postgres})
    run_state_machine_as_test(machine, settings=settings(TestOnSqlite.settings, max_examples=6))
