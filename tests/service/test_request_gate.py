"""Every route, as the description lists them: no token, wrong ones, those of others; limits."""

import json
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.running.service_caller import ServiceCaller

import itemcurve as ic
from itemcurve.bank.saved_bank import bank_content
from itemcurve.service.application import make_routes
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.tokens import revoke_token

DESCRIPTION = make_routes().openapi()
ROUTES = [
    (method.upper(), path)
    for path, operations in DESCRIPTION["paths"].items()
    for method in operations
    if path != "/health"
]
# What a request needs besides its path, so that nothing but the token can be wrong with it.
BODIES = {
    "/v1/sessions": {"bank": "{mark}"},
    "/v1/sessions/score": {"calibration": "{calibration}"},
    "/v1/sessions/{session}/next": {},
    "/v1/sessions/{session}/answers": {"answers": [{"item": "{item}", "value": 1}]},
    "/v1/sessions/{session}/release": {},
    "/v1/jobs": {"upload": "{upload}"},
    "/v1/runs/{run}/items/decisions": {"item": "q3", "decision": "wrong key"},
}
QUERIES = {
    "/v1/uploads": "?name=y.csv",
    "/v1/runs/{run}/item/answers": "?item=q3",
    "/v1/runs/{run}/respondent/answers": "?respondent=0",
    "/v1/runs/{run}/pages/item": "?item=q3",
    "/v1/runs/{run}/pages/respondent": "?respondent=0",
    "/v1/runs/{run}/pages/comparison": "?other=abababababababab",
    "/v1/tenant/data": "?confirm=a",
}
# Those that have no resource of anybody in their path.
OWN_LISTS = ("/v1/sessions", "/v1/banks", "/v1/uploads", "/v1/jobs", "/v1/runs")
# A bank whose item has a name without a UTF-8 form.
HALF = bank_content(
    ic.Bank.from_parameters("2pl", items=["\ud800"], discrimination=[1.0], difficulty=[0.0])
)
ENDLESS = ("/v1/sessions/events",)


def fill(text, owned):
    names = {"table": "leaderboard", "name": "leaderboard", **owned}
    for name, value in names.items():
        text = text.replace("{" + name + "}", value)
    return text


def ask(service, method, path, owned, token):
    contents = {"/v1/banks": owned["mark"], "/v1/calibrations": owned["calibration"]}
    if method == "POST" and path in contents:
        content = service.get(f"{path}/{contents[path]}/content", token=owned["reader"]).body
        return service.post(path, body=content, token=token)
    body = BODIES.get(path)
    content = fill(json.dumps(body), owned).encode() if body is not None else b"{}"
    if (method, path) == ("POST", "/v1/uploads"):
        content = b"a,b\n0,1\n"
    address = fill(path, owned) + QUERIES.get(path, "")
    return service.ask(method, address, body=content, token=token)


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: str(part))
def test_every_route_refuses_who_has_no_valid_token(service, tokens, owned, method, path):
    before = service.get(f"/v1/sessions/{owned['session']}", token=tokens.read).json
    for wrong in (None, "", "nonsense", tokens.write[:-1], tokens.expired, tokens.revoked):
        reply = ask(service, method, path, owned, wrong)
        assert (reply.status, reply.kind) == (401, "unknown-caller")
        assert reply.headers["www-authenticate"] == "Bearer"
    assert service.get(f"/v1/sessions/{owned['session']}", token=tokens.read).json == before


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: str(part))
def test_every_route_shows_a_tenant_nothing_of_another(service, tokens, owned, method, path):
    if path in ENDLESS:
        return
    reply = ask(service, method, path, owned, tokens.other)
    if "{" in path:
        assert reply.status == 404, reply.body
        assert reply.kind.startswith("no-such")
    elif method == "POST" and path in ("/v1/sessions", "/v1/sessions/score", "/v1/jobs"):
        assert reply.status == 404
    elif path == "/v1/tenant/data":
        assert reply.kind == "not-confirmed"
    elif path == "/metrics":
        assert reply.kind == "missing-scope"
    else:
        assert reply.status < 300
    for name, value in owned.items():
        is_told = "{" in path or (method == "POST" and path in ("/v1/banks", "/v1/calibrations"))
        if name not in ("item", "reader") and not is_told:
            assert value not in reply.body.decode()
    # It is all there still.
    kept = {"sessions": "session", "banks": "mark", "runs": "run", "jobs": "job"}
    kept |= {"calibrations": "calibration"}
    for path_, key in kept.items():
        assert service.get(f"/v1/{path_}/{owned[key]}", token=tokens.read).status == 200


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: str(part))
def test_every_route_asks_for_its_scope(service, tokens, owned, method, path):
    if path in ENDLESS:
        return
    is_admin = path in ("/metrics", "/v1/tenant/tokens", "/v1/tenant/data")
    with_read = ask(service, method, path, owned, tokens.read)
    if method == "GET" and not is_admin:
        assert with_read.status in (200, 404)
        return
    assert (with_read.status, with_read.kind) == (403, "missing-scope")
    if is_admin:
        assert ask(service, method, path, owned, tokens.write).kind == "missing-scope"
    # The numbers of the service are about all tenants.
    may, other = tokens.admin, tokens.operator
    if path == "/metrics":
        may, other = other, may
    assert ask(service, method, path, owned, other).kind == "missing-scope"
    done = ask(service, method, path, owned, may)
    assert done.status < 300 or (path, method) in (
        ("/v1/jobs/{job}/cancel", "POST"),
        ("/v1/banks/{mark}", "DELETE"),
    ), done.body


def metrics(service, tokens):
    return service.get("/metrics", token=tokens.operator).body.decode()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestLimits:
    """What does not depend on the database."""

    def test_a_body_that_says_it_is_too_large_is_not_read(self, service, tokens):
        reply = service.post(
            "/v1/banks",
            body=b"{}",
            token=tokens.write,
            headers={"content-length": "999999999999"},
        )
        assert (reply.status, reply.kind) == (413, "too-large")

    def test_a_body_that_grows_too_large_is_cut_off(self, service, tokens):
        chunks = [(b"x" * 8000, 0.0)] * 4
        reply = service.ask("POST", "/v1/banks", chunks=chunks, token=tokens.write)
        assert (reply.status, reply.kind) == (413, "too-large")
        assert reply.headers["connection"] == "close"

    def test_a_body_that_never_ends_is_not_waited_for(self, store, tokens, settings):
        caller = ServiceCaller(store, replace(settings, body_seconds=0.5))
        chunks = [(b"{", 0.2)] * 10
        reply = caller.ask("POST", "/v1/banks", chunks=chunks, token=tokens.write)
        assert (reply.status, reply.kind) == (408, "too-slow")
        caller.close()

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"\xff\xfe",
            b"[" * 5000,
            b'{"items": ' + b"[" * 5000 + b"]" * 5000 + b"}",
            b'{"items": ["a"], "parts": []}',
            b'{"items": [], "parts": [], "ability_mean": 0, "ability_sd": 1}',
            b'{"__reduce__": "os.system"}',
            b"null",
            b'"\\ud800"',
            HALF,
        ],
    )
    def test_bodies_that_are_no_banks_are_refused(self, service, tokens, body):
        reply = service.post("/v1/banks", body=body, token=tokens.write)
        assert reply.status == 422
        assert reply.kind == "not-usable"

    @pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 9000, b'{"bank": "\\ud800"}'])
    def test_bodies_that_are_no_json_are_refused(self, service, tokens, body):
        reply = service.post("/v1/sessions", body=body, token=tokens.write)
        assert reply.status in (400, 422)
        assert reply.headers["content-type"] == "application/problem+json"

    def test_numbers_that_are_not_finite_are_none(self, service, tokens, mark):
        for value in (b"Infinity", b"1e999", b"NaN"):
            body = b'{"bank": "%s", "stop": {"ability_se": %s}}' % (mark.encode(), value)
            reply = service.post("/v1/sessions", body=body, token=tokens.write)
            assert (reply.status, reply.kind) == (422, "invalid-request")

    def test_bodies_of_all_requests_together_have_a_limit(self, store, tokens, settings):
        caller = ServiceCaller(store, replace(settings, most_bodies_bytes=15_000))
        halves = [(b"x" * 8000, 0.0), (b"x" * 8000, 0.3)]
        with ThreadPoolExecutor(2) as threads:
            replies = list(
                threads.map(
                    lambda parts: caller.ask("POST", "/v1/banks", chunks=parts, token=tokens.write),
                    [halves, [(b"x" * 8000, 0.1)]],
                )
            )
        assert {reply.status for reply in replies} == {503}
        assert {reply.kind for reply in replies} == {"busy"}
        # What was read is let go.
        again = caller.post("/v1/banks", body=b"x" * 8000, token=tokens.write)
        assert again.kind == "not-usable"
        caller.close()

    def test_a_fault_is_a_problem_too_and_says_nothing(self, service, tokens, monkeypatch):
        monkeypatch.setattr(
            "itemcurve.service.held_contents.list_holdings", lambda *_: 1 / 0, raising=True
        )
        reply = service.get("/v1/banks", token=tokens.read)
        assert (reply.status, reply.kind) == (500, "fault")
        assert "ZeroDivision" not in reply.body.decode()

    def test_event_streams_end_when_the_token_does_and_are_counted(
        self, service, store, tokens, monkeypatch
    ):
        monkeypatch.setattr("itemcurve.service.broadcast._PAUSE_S", 0.1)
        monkeypatch.setattr("itemcurve.service.broadcast._MOST_OF_A_TENANT", 2)
        monkeypatch.setattr("itemcurve.service.access.callers.REMEMBERED_S", 0.0)
        path = "/v1/sessions/events"
        with ThreadPoolExecutor(2) as threads:
            open_ones = [threads.submit(service.get, path, token=tokens.read) for _ in range(2)]
            end = time.monotonic() + 20
            while service.get(path, token="x").status and time.monotonic() < end:
                if "itemcurve_listeners 2" in metrics(service, tokens):
                    break
            assert service.get(path, token=tokens.read).kind == "too-many-streams"
            assert not any(found.done() for found in open_ones)
            store.database.write(revoke_token(tokens.read.split("_")[1]))
            for found in open_ones:
                assert found.result(20).status == 200
        assert "itemcurve_listeners 0" in metrics(service, tokens)

    def test_paths_and_methods_that_are_none_are_problems(self, service, tokens):
        assert service.get("/v1/nothing", token=tokens.read).kind == "not-found"
        assert service.ask("PUT", "/v1/banks", token=tokens.read).kind == "method-not-allowed"
        assert service.get("/v1/sessions/../../etc", token=tokens.read).status in (404, 422)
        assert service.get("/v1/sessions/%00", token=tokens.read).status == 422

    def test_who_asks_too_often_is_told_when_to_come_again(self, store, tokens):
        slow = ServiceSettings(is_token_required=True, requests_per_second=2, burst=5)
        caller = ServiceCaller(store, slow)
        replies = [caller.get("/v1/banks", token=tokens.read) for _ in range(8)]
        assert [reply.status for reply in replies].count(200) == 5
        assert replies[-1].kind == "too-many-requests"
        assert int(replies[-1].headers["retry-after"]) >= 1
        # Another token is not held up; guessing tokens is.
        assert caller.get("/v1/banks", token=tokens.other).status == 200
        guesses = [caller.get("/v1/banks", token=f"itc_{k}_x").status for k in range(8)]
        assert guesses[:5] == [401] * 5
        assert guesses[-1] == 429
        caller.close()

    def test_no_secret_is_logged_and_no_data(self, service, tokens, mark, caplog):
        with caplog.at_level(logging.DEBUG):
            logging.getLogger("itemcurve.service").propagate = True
            wanted = {"bank": mark, "respondent": "secret-model"}
            service.post("/v1/sessions", wanted, token=tokens.write)
            service.get("/v1/banks?token=query-secret", token=tokens.other)
            service.get("/v1/banks", token="itc_0123_wrong-secret")
            service.post("/v1/banks", body=b"secret-body", token=tokens.write)
        text = caplog.text
        assert '"route": "/v1/sessions"' in text
        secrets = [token.split("_", 2)[2] for token in (tokens.write, tokens.other)]
        for secret in (*secrets, "wrong-secret", "secret-model", "query-secret", "secret-body"):
            assert secret not in text

    def test_every_answer_forbids_what_a_page_does_not_need(self, service, tokens):
        for path in ("/", "/health", "/v1/banks", "/nothing"):
            headers = service.get(path, token=tokens.read).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "eval" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store"

    def test_metrics_count_requests_and_answers(self, service, tokens, owned):
        path = f"/v1/sessions/{owned['session']}/answers"
        answers = {"answers": [{"item": owned["item"], "value": 1}]}
        service.post(path, answers, token=tokens.write)
        text = service.get("/metrics", token=tokens.operator).body.decode()
        assert "itemcurve_answers_total 1" in text
        route = 'route="/v1/sessions/{session}/answers"'
        assert f'itemcurve_requests_total{{method="POST",{route},status="200"}} 1' in text
        assert f'itemcurve_request_seconds_bucket{{method="POST",{route},le="+Inf"}} 1' in text
        assert "itemcurve_sessions_in_memory 1" in text


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestOnThisMachine:
    """Without tokens: whoever is here, and no page that was made elsewhere."""

    @pytest.fixture
    def settings(self, fitted_run):
        return ServiceSettings(run_folders=[fitted_run])

    def test_no_token_is_needed_and_the_runs_are_shown(self, service, bank):
        assert service.post("/v1/banks", body=bank_content(bank)).status == 201
        assert [run["name"] for run in service.get("/v1/runs").json["runs"]] == ["fitted0/run"]
        page = service.get("/")
        # The page asks for its runs itself.
        assert "<script" in page.body.decode()
        assert page.headers["content-type"].startswith("text/html")

    @pytest.mark.parametrize(
        "host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "", "["]
    )
    def test_a_name_that_is_not_ours_is_refused(self, service, host):
        for path in ("/", "/health", "/v1/runs"):
            assert service.get(path, headers={"host": host}).kind == "wrong-host"

    @pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:8765", "LOCALHOST"])
    def test_names_of_this_machine_are_ours(self, service, host):
        assert service.get("/v1/runs", headers={"host": host}).status == 200

    @pytest.mark.parametrize(
        "headers",
        [
            {"origin": "https://evil.example"},
            {"origin": "http://127.0.0.1:9999"},
            {"origin": "null"},
            {"origin": "http://["},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ],
    )
    def test_requests_of_other_sites_are_refused(self, service, bank, headers):
        reply = service.post("/v1/banks", body=bank_content(bank), headers=headers)
        assert (reply.status, reply.kind) == (403, "cross-site")
        own = {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"}
        assert service.post("/v1/banks", body=bank_content(bank), headers=own).status == 201

    def test_a_wrong_token_is_refused_here_too(self, service, tokens):
        assert service.get("/v1/runs", token=tokens.expired).status == 401
        assert service.get("/v1/runs", token=tokens.other).json["runs"] == []
