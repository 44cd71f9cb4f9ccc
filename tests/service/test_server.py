"""The server itself: what it refuses to be, slow and broken connections, kills."""

import contextlib
import json
import logging
import socket
import subprocess
import sys
import time

import pytest
from tests.running.http_service import HttpService

from itemcurve.service import slow_connections
from itemcurve.service.server import Address, ServiceError, check_exposure, write_logs
from itemcurve.service.settings import ServiceSettings

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def running(store):
    service = HttpService(store, ServiceSettings(body_seconds=0.5, most_body_bytes=10_000))
    yield service
    service.stop()


def talk(service, *parts, pause=0.0, seconds=20.0):
    with socket.create_connection(("127.0.0.1", service.port), timeout=seconds) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        found = b""
        while chunk := connection.recv(65536):
            found += chunk
        return found


HEAD = b"POST /v1/banks HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_others_cannot_be_served_without_a_token(store, host):
    with pytest.raises(ServiceError, match="needs a token"):
        check_exposure(Address(host), ServiceSettings(), store)
    with pytest.raises(ServiceError, match="needs a token"):
        check_exposure(Address(), ServiceSettings(host_names=["evals.example"]), store)


def test_with_a_token_they_can_and_it_is_asked_for(store, tokens):
    assert check_exposure(Address("0.0.0.0"), ServiceSettings(), store).is_token_required
    named = ServiceSettings(host_names=["evals.example"])
    assert check_exposure(Address(), named, store).is_token_required


def test_this_machine_needs_none(store):
    for host in ("127.0.0.1", "::1", "localhost", "127.0.0.2"):
        assert not check_exposure(Address(host), ServiceSettings(), store).is_token_required


def test_the_first_page_waits_for_no_engine(store):
    # Sessions and analyses import what they need when the first of them comes.
    code = "import sys, itemcurve.service.application; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = {name.partition(".")[0] for name in done.stdout.split()}
    assert not found & {"numpy", "pandas", "scipy", "sklearn", "jax"}


def test_who_sends_no_request_is_not_waited_for(running, monkeypatch):
    monkeypatch.setattr(slow_connections, "HEADER_SECONDS", 0.4)
    started = time.monotonic()
    assert talk(running) == b""
    assert talk(running, b"GET /health HTTP/1.1\r\nHo") == b""
    assert time.monotonic() - started < 15


def test_slow_large_and_broken_requests_are_answered_and_the_server_goes_on(running):
    slow = talk(running, HEAD + b"Content-Length: 100\r\n\r\n{")
    assert b" 408 " in slow.splitlines()[0]
    large = talk(running, HEAD + b"Content-Length: 99999999\r\n\r\n{}")
    assert b" 413 " in large.splitlines()[0]
    chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"fa0\r\n" + b"x" * 4000 + b"\r\n"
    grown = talk(running, chunked + 3 * (b"fa0\r\n" + b"x" * 4000 + b"\r\n") + b"0\r\n\r\n")
    assert b" 413 " in grown.splitlines()[0]
    for broken in (
        b"\x16\x03\x01 hello\r\n\r\n",
        b"GET\r\n\r\n",
        HEAD + b"Content-Length: -1\r\n\r\n",
    ):
        assert b" 200 " not in talk(running, broken)
    fine = talk(running, b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert b" 200 " in fine.splitlines()[0]
    assert b"uvicorn" not in fine.lower()


def test_headers_have_an_end(running):
    start = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: "
    for long in (start + b"a" * 2**20, start + b"a" * 70_000 + b"\r\n\r\n"):
        found = b""
        with contextlib.suppress(OSError):
            found = talk(running, long)
        assert b" 200 " not in found
    many = b"".join(b"X%d: a\r\n" % k for k in range(20_000))
    with contextlib.suppress(OSError):
        assert b" 200 " not in talk(running, b"GET /health HTTP/1.1\r\n" + many + b"\r\n")
    # Bodies beyond that, in a connection that goes on, are none.
    body = (
        b"POST /v1/banks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n" + b"x" * 9000
    )
    fine = talk(running, 12 * body + HEAD.replace(b"POST /v1/banks", b"GET /health") + b"\r\n")
    assert fine.count(b"HTTP/1.1 422 ") == 12
    assert fine.count(b"HTTP/1.1 200 ") == 1


def test_two_hosts_are_refused(running):
    twice = HEAD.replace(b"POST /v1/banks", b"GET /health") + b"Host: evil.example\r\n\r\n"
    assert b" 400 " in talk(running, twice).splitlines()[0]


def test_who_takes_nothing_of_an_answer_is_let_go(running, monkeypatch):
    monkeypatch.setattr(slow_connections, "UNREAD_SECONDS", 0.2)
    size = b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as unread:
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        unread.connect(("127.0.0.1", running.port))
        unread.settimeout(20)
        # More than buffers of the system hold.
        unread.sendall(size * 200)
        end = time.monotonic() + 15
        while running.server.server_state.connections and time.monotonic() < end:
            time.sleep(0.05)
        assert not running.server.server_state.connections


def test_logs_are_lines_of_json_without_values(store, capsys):
    write_logs(logging.INFO)
    log = logging.getLogger("itemcurve.service")
    log.info(json.dumps({"event": "request", "status": 200}))
    try:
        raise ValueError("secret value")
    except ValueError:
        log.exception("fault")
    log.handlers = []
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert lines[0]["event"] == "request"
    assert lines[1]["error"] == "ValueError"
    assert "secret" not in json.dumps(lines)


@pytest.mark.slow
def test_a_killed_server_loses_nothing_that_it_acknowledged(store):
    from benchmarks.service.kills import kill_under_load

    found = kill_under_load("sqlite", 3, 0.4, "server")
    assert found["lost"] == found["changed"] == found["doubled"] == 0
    assert found["sessions that go on"] == found["sessions"]
    assert found["acknowledged"] > 0
    assert found["failures"] == []
