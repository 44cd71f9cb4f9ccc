"""The service on either database, with two tenants, their tokens and a bank."""

import shutil
import time
from dataclasses import dataclass

import pytest

import itemcurve as ic
from itemcurve.adaptive.prediction.complete_responses import complete
from itemcurve.bank.saved_bank import bank_content
from itemcurve.store.data_folder import open_store
from itemcurve.store.run_rows import JobRow, RunRow, add_job, add_run
from itemcurve.store.tokens import make_token

pytest.importorskip("fastapi", reason="FastAPI is not installed")

from tests.running.service_caller import ServiceCaller

from itemcurve.service.settings import ServiceSettings


@pytest.fixture(scope="session")
def bank():
    return ic.Bank.from_parameters(
        "2pl", discrimination=1.4, difficulty=[k / 15 - 1 for k in range(30)]
    )


@pytest.fixture
def settings():
    """Small limits, so that tests reach them."""
    return ServiceSettings(
        is_token_required=True,
        most_body_bytes=20_000,
        most_upload_bytes=200_000,
        most_tenant_bytes=400_000,
        body_seconds=30,
        requests_per_second=10_000,
        burst=10_000,
        job_seconds=60,
        job_bytes=3 * 2**30,
    )


@pytest.fixture
def store(database_url, tmp_path):
    opened = open_store(tmp_path / "store", database_url)
    yield opened
    opened.close()


@dataclass(frozen=True)
class Tokens:
    """Of tenant a unless said otherwise."""

    write: str
    read: str
    admin: str
    operator: str
    expired: str
    revoked: str
    other: str


@pytest.fixture
def tokens(store):
    def make(tenant, *scopes, days=1.0):
        text, work = make_token(tenant, "test", scopes, days=days)
        return text, store.database.write(work)

    revoked, row = make("a", "read", "write", "admin")
    ended = "UPDATE tokens SET revoked_at = 1.0 WHERE id = ?"
    store.database.write(lambda t: t.run(ended, row.id))
    expired, row = make("a", "read", "write", "admin")
    past = "UPDATE tokens SET expires_at = 1.0 WHERE id = ?"
    store.database.write(lambda t: t.run(past, row.id))
    return Tokens(
        make("a", "read", "write")[0],
        make("a", "read")[0],
        make("a", "read", "write", "admin")[0],
        make("a", "operator")[0],
        expired,
        revoked,
        make("b", "read", "write", "admin")[0],
    )


@pytest.fixture
def service(store, settings):
    caller = ServiceCaller(store, settings)
    yield caller
    caller.close()


@pytest.fixture
def mark(service, tokens, bank):
    """The bank, handed in."""
    reply = service.post("/v1/banks?name=test", body=bank_content(bank), token=tokens.write)
    assert reply.status == 201
    return reply.json["mark"]


@pytest.fixture(scope="session")
def known():
    """Responses of those evaluated before."""
    return ic.simulate("2pl", respondents=30, items=60, seed=4).responses


@pytest.fixture
def calibration(service, tokens, known):
    """The responses, handed in."""
    reply = service.post(
        "/v1/calibrations?name=test", body=complete(known).content, token=tokens.write
    )
    assert reply.status == 201
    return reply.json["mark"]


@pytest.fixture(scope="session")
def fitted_run(tmp_path_factory):
    """A run folder, one item of which has its key wrong."""
    drawn = ic.simulate("2pl", respondents=60, items=12, seed=2).responses.array()
    drawn[:, 3] = 1 - drawn[:, 3]
    names = [f"q{k}" for k in range(12)]
    folder = tmp_path_factory.mktemp("fitted") / "run"
    ic.fit(ic.Responses.from_array(drawn, items=names), "2pl").save(folder)
    return folder


@pytest.fixture
def owned(service, store, tokens, mark, calibration, fitted_run):
    """One of everything, of tenant a: ids by the names that paths have for them."""
    session = service.post("/v1/sessions", {"bank": mark}, token=tokens.write).json
    upload = service.post("/v1/uploads?name=y.csv", body=b"a,b\n1,0\n", token=tokens.write).json
    run, job = "ab" * 8, "cd" * 8
    shutil.copytree(fitted_run, store.run_path("a", run))
    row = JobRow(job, upload["id"], "{}", "done", "", run, time.time(), time.time())
    store.database.write(add_job("a", row))
    store.database.write(add_run("a", RunRow(run, "of a", job, time.time())))
    return {
        "session": session["id"],
        "item": session["lease"]["items"][0],
        "mark": mark,
        "calibration": calibration,
        "upload": upload["id"],
        "job": job,
        "run": run,
        "reader": tokens.read,
    }
