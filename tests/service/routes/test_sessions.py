"""Sessions over HTTP: one round trip a step, leases, keys, versions, records; on both databases."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import itemcurve as ic


@pytest.fixture
def begin(service, tokens, mark):
    def start(**more):
        wanted = {"bank": mark, "stop": {"max_items": 10}, **more}
        reply = service.post("/v1/sessions", wanted, token=tokens.write)
        assert reply.status == 201, reply.body
        return reply.json

    return start


@pytest.fixture
def answer(service, tokens):
    def give(session, answers, *, key=None, version=None, **more):
        headers = {"idempotency-key": key} if key else {}
        headers |= {"if-match": f'"{version}"'} if version is not None else {}
        given = [a if isinstance(a, dict) else {"item": a[0], "value": a[1]} for a in answers]
        body = {"answers": given, **more}
        path = f"/v1/sessions/{session['id']}/answers"
        return service.post(path, body, token=tokens.write, headers=headers)

    return give


def test_a_session_asks_what_the_library_asks_and_ends_when_it_ends(
    begin, answer, bank, service, tokens
):
    test = ic.AdaptiveTest(bank, stop=ic.stopping.max_items(10), seed=3)
    state = begin(seed=3)
    for number in range(10):
        assert state["lease"]["items"] == [test.next_item()]
        assert state["status"] == "open"
        item, value = state["lease"]["items"][0], float(number % 3 > 0)
        test.record(item, value)
        state = answer(state, [(item, value)]).json
        assert state["ability"] == pytest.approx(test.ability, abs=1e-12)
        assert state["answers"] == number + 1
    assert (state["status"], state["reason"]) == ("finished", "10 items answered")
    assert state["lease"] == {"items": [], "expires_at": None}
    shown = service.get(f"/v1/sessions/{state['id']}?score=true", token=tokens.read).json
    assert shown["score"]["value"] == pytest.approx(test.score.value, abs=1e-9)


def test_batches_are_filled_up_with_every_answer(begin, answer):
    state = begin(next=4)
    first = state["lease"]["items"]
    assert len(first) == 4
    state = answer(state, [(first[2], 1)], next=4).json
    assert state["lease"]["items"][:3] == [first[0], first[1], first[3]]
    assert len(state["lease"]["items"]) == 4


def test_a_lease_stays_the_same_until_answered_released_or_expired(begin, service, tokens, answer):
    state = begin(next=3, lease_seconds=600)
    path = f"/v1/sessions/{state['id']}"
    for _ in range(2):
        again = service.post(f"{path}/next", {"next": 8}, token=tokens.write).json
        assert again["lease"] == state["lease"]
        assert again["version"] == state["version"]
    service.forget()
    again = service.post(f"{path}/next", {"next": 8}, token=tokens.write).json
    assert again["lease"] == state["lease"]
    items = state["lease"]["items"]
    left = service.post(f"{path}/release", {"items": items[:1]}, token=tokens.write).json
    assert left["lease"]["items"] == items[1:]
    none = service.post(f"{path}/release", {}, token=tokens.write).json
    assert none["lease"]["items"] == []
    new = service.post(f"{path}/next", {"next": 2, "lease_seconds": 0.2}, token=tokens.write).json
    assert len(new["lease"]["items"]) == 2
    time.sleep(0.3)
    renewed = service.post(f"{path}/next", {"next": 5}, token=tokens.write).json
    assert len(renewed["lease"]["items"]) == 5
    assert renewed["lease"]["expires_at"] > new["lease"]["expires_at"]
    # An answer that comes after its lease is taken all the same.
    late = answer(state, [(new["lease"]["items"][0], 1)]).json
    assert late["answers"] == 1


def test_a_request_that_comes_again_changes_nothing(begin, answer, service, tokens):
    state = begin()
    item = state["lease"]["items"][0]
    first = answer(state, [(item, 1)], key="k1").json
    for _ in range(2):
        again = answer(state, [(item, 1)], key="k1")
        assert again.status == 200
        assert again.json == {**first, "is_repeated": True}
        service.forget()
    assert answer(state, [(item, 0)], key="k1").kind == "key-used"
    other = first["lease"]["items"][0]
    assert answer(state, [(other, 1)], key="k1").kind == "key-used"
    # Without a key: the same answer is known, another one is refused.
    assert answer(state, [(item, 1)]).json["answers"] == 1
    assert answer(state, [(item, 0)]).kind == "answered-before"
    final = service.get(f"/v1/sessions/{state['id']}", token=tokens.read).json
    assert (final["answers"], final["version"]) == (1, first["version"])


def test_a_session_is_begun_once_for_one_key(service, tokens, mark):
    wanted, headers = {"bank": mark, "seed": 5}, {"idempotency-key": "begin-1"}
    first = service.post("/v1/sessions", wanted, token=tokens.write, headers=headers)
    again = service.post("/v1/sessions", wanted, token=tokens.write, headers=headers)
    assert (first.status, again.status) == (201, 200)
    assert again.json == {**first.json, "is_repeated": True}
    other = service.post("/v1/sessions", {"bank": mark}, token=tokens.write, headers=headers)
    assert other.kind == "key-used"
    listed = service.get("/v1/sessions", token=tokens.read).json["sessions"]
    assert len(listed) == 1


def test_who_acts_on_an_old_version_is_told(begin, answer):
    state = begin(next=2)
    one, two = state["lease"]["items"]
    done = answer(state, [(one, 1)], version=state["version"])
    assert done.headers["etag"] == f'"{done.json["version"]}"'
    late = answer(state, [(two, 1)], version=state["version"])
    assert (late.status, late.kind) == (412, "changed-meanwhile")
    assert answer(state, [(two, 1)], version=done.json["version"]).status == 200


def test_two_servers_on_one_store_do_not_lose_answers(begin, answer, store, settings, tokens):
    from tests.running.service_caller import ServiceCaller

    state = begin(next=6)
    items = state["lease"]["items"]
    other = ServiceCaller(store, settings)
    path = f"/v1/sessions/{state['id']}/answers"
    for place, item in enumerate(items):
        body = {"answers": [{"item": item, "value": 1}], "next": 0}
        if place % 2:
            assert other.post(path, body, token=tokens.write).status == 200
        else:
            assert answer(state, [(item, 1)], next=0).status == 200
    assert other.get(f"/v1/sessions/{state['id']}", token=tokens.read).json["answers"] == 6
    other.close()


def test_two_servers_show_and_hand_out_the_same(begin, answer, store, settings, tokens, service):
    from tests.running.service_caller import ServiceCaller

    state, other = begin(next=2), ServiceCaller(store, settings)
    path = f"/v1/sessions/{state['id']}"
    first = state["lease"]["items"][0]
    assert other.get(path, token=tokens.read).json == state
    answered = answer(state, [(first, 1)], next=2).json
    # The other one has read the session before.
    assert other.get(path, token=tokens.read).json == answered
    more = answer(answered, [(answered["lease"]["items"][0], 0)], next=2).json
    handed = other.post(f"{path}/next", {"next": 2}, token=tokens.write).json
    assert handed["lease"] == more["lease"]
    assert len(other.get(f"{path}/record", token=tokens.read).json["answers"]) == 2
    assert service.ask("DELETE", path, token=tokens.write).status == 204
    assert other.get(path, token=tokens.read).kind == "no-such-session"
    other.close()


def test_many_at_once_on_one_session_are_all_recorded_once(begin, answer, service, tokens):
    state = begin(next=10, stop={"max_items": 30})
    items = state["lease"]["items"]
    with ThreadPoolExecutor(8) as threads:
        replies = list(
            threads.map(lambda n: answer(state, [(items[n % 10], 1)], key=f"k{n % 10}"), range(30))
        )
    assert {reply.status for reply in replies} == {200}
    record = service.get(f"/v1/sessions/{state['id']}/record", token=tokens.read).json
    assert sorted(a["item"] for a in record["answers"]) == sorted(items)


def test_items_that_cannot_be_answered_are_not_asked_again(begin, answer):
    state = begin(next=2)
    lost, other = state["lease"]["items"]
    state = answer(state, [{"item": lost, "missing": True}, (other, 1)], next=2).json
    for _ in range(9):
        assert lost not in state["lease"]["items"]
        state = answer(state, [(state["lease"]["items"][0], 0)]).json
    assert (state["answers"], state["status"]) == (10, "finished")


def test_the_record_goes_on_with_the_command_line_and_gives_the_same(
    begin, answer, service, tokens, bank, tmp_path
):
    state = begin(seed=9, respondent="model x", best=3, explore=0.1)
    for number in range(6):
        state = answer(state, [(state["lease"]["items"][0], float(number % 2))]).json
    record = service.get(f"/v1/sessions/{state['id']}/record", token=tokens.read).json
    (tmp_path / "s.json").write_text("".join(f"{line}\n" for line in record["lines"]))
    content = service.get(f"/v1/banks/{bank.mark}/content", token=tokens.read).body
    (tmp_path / f"bank-{bank.mark}.json").write_bytes(content)
    back = ic.AdaptiveTest.load(tmp_path / "s.json")
    assert back.respondent == "model x"
    assert [answer.item for answer in back.answers] == [a["item"] for a in record["answers"]]
    assert back.next_batch(1) == state["lease"]["items"]
    # From settings, seed and answers alone: the same items with the same chances.
    again = ic.AdaptiveTest(
        bank, stop=ic.stopping.max_items(10), exposure=ic.selection.Exposure(3, 0.1), seed=9
    )
    for given in record["answers"]:
        assert again.next_item() == given["item"]
        assert again.pending[0].probability == given["probability"]
        again.record(given["item"], given["response"])


def test_a_session_can_be_ended_and_is_then_over(begin, answer, service, tokens):
    state = begin(next=2)
    state = answer(state, [(state["lease"]["items"][0], 1)]).json
    path = f"/v1/sessions/{state['id']}"
    over = service.post(f"{path}/finish", token=tokens.write).json
    assert (over["status"], over["reason"]) == ("ended", "ended by the caller")
    assert over["score"]["lower"] < over["score"]["value"] < over["score"]["upper"]
    service.forget()
    assert service.post(f"{path}/finish", token=tokens.write).json["version"] == over["version"]
    assert answer(state, [(state["lease"]["items"][0], 1)]).kind == "session-over"
    assert service.post(f"{path}/next", {}, token=tokens.write).json["lease"]["items"] == []
    assert service.ask("DELETE", path, token=tokens.write).status == 204
    assert service.get(path, token=tokens.read).kind == "no-such-session"


def test_sessions_are_listed_page_by_page_the_latest_first(begin, answer, service, tokens):
    made = [begin(respondent=f"r{k}")["id"] for k in range(5)]
    first = service.get("/v1/sessions?limit=2", token=tokens.read).json
    found = [row["id"] for row in first["sessions"]]
    after = first["next"]
    while after:
        page = service.get(
            f"/v1/sessions?limit=2&after={after.replace(' ', '%20')}", token=tokens.read
        )
        found += [row["id"] for row in page.json["sessions"]]
        after = page.json["next"]
    assert found == made[::-1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"answers": []},
        {"answers": [{"item": "1"}]},
        {"answers": [{"item": "1", "value": 1, "missing": True}]},
        {"answers": [{"item": "1", "right": 3, "tries": 2}]},
        {"answers": [{"item": "1", "right": 3}]},
        {"answers": [{"item": "1", "value": "NaN"}]},
        {"answers": [{"item": "1", "value": 0.5}]},
        {"answers": [{"item": "no such item", "value": 1}]},
        {"answers": [{"item": "no such item", "missing": True}]},
        {"answers": [{"item": "1", "value": 1}, {"item": "1", "value": 1}]},
        {"answers": [{"item": "1", "value": 1}], "next": -1},
        {"answers": [{"item": "1", "value": 1}], "nextt": 1},
        {"answers": {"1": 1}},
        [],
        None,
    ],
)
def test_answers_that_are_none_are_refused_and_change_nothing(begin, service, tokens, wrong):
    state = begin()
    path = f"/v1/sessions/{state['id']}"
    reply = service.post(f"{path}/answers", body=json.dumps(wrong).encode(), token=tokens.write)
    assert reply.status == 422
    assert reply.kind in ("invalid-request", "not-usable", "answered-twice")
    assert service.get(path, token=tokens.read).json == state


@pytest.mark.parametrize(
    "wrong",
    [
        {"select": "exec"},
        {"seed": -1},
        {"stop": {"max_items": 0}},
        {"stop": {"import": "os"}},
        {"costs": {"1": 1.0}},
        {"groups": {"1": "a"}},
        {"respondent": ""},
        {"respondent": "a\u0000b"},
        {"explore": 2},
    ],
)
def test_settings_that_are_none_are_refused(service, tokens, mark, wrong):
    reply = service.post("/v1/sessions", {"bank": mark, **wrong}, token=tokens.write)
    assert reply.status == 422
    assert service.get("/v1/sessions", token=tokens.read).json["sessions"] == []


def test_costs_groups_and_tries_are_understood(service, tokens, mark, bank, begin, answer):
    costs = {item: 1.0 + (int(item) % 2) for item in bank.items}
    groups = {item: f"g{int(item) % 3}" for item in bank.items}
    state = begin(costs=costs, groups=groups, stop={"ability_se": 0.6, "at_least": 3})
    asked = []
    while state["lease"]["items"]:
        item = state["lease"]["items"][0]
        asked.append(groups[item])
        state = answer(state, [{"item": item, "right": 2, "tries": 2}]).json
    assert {"g0", "g1", "g2"} <= set(asked[:3])
    assert state["reason"] == "standard error of ability at most 0.6"
