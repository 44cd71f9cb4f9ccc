"""Fits in processes of their own: from upload to run and bank; watched, cancelled, limited."""

import io
import json
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

import itemcurve as ic
from itemcurve.service.jobs import job_queue
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.run_rows import JobRow, add_job, find_job
from itemcurve.store.tenants import add_tenant


@pytest.fixture
def submit(service, tokens):
    def upload_and_fit(file, content, **more):
        upload = service.post(f"/v1/uploads?name={file}", body=content, token=tokens.write)
        assert upload.status == 201, upload.body
        wanted = {"upload": upload.json["id"], **more}
        return service.post("/v1/jobs", wanted, token=tokens.write).json

    return upload_and_fit


@pytest.fixture
def wait(service, tokens):
    def until_over(job, seconds=60.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = service.get(f"/v1/jobs/{job['id']}", token=tokens.read).json
            if found["status"] not in ("queued", "running"):
                return found
            time.sleep(0.05)
        raise TimeoutError(found)

    return until_over


def table(tmp_path, respondents=40):
    drawn = ic.simulate("2pl", respondents=respondents, items=8, seed=5).responses
    drawn.save(tmp_path / "y.csv")
    return drawn, (tmp_path / "y.csv").read_bytes()


def test_an_upload_becomes_a_run_and_a_bank_to_test_with(submit, wait, service, tokens, tmp_path):
    responses, content = table(tmp_path)
    done = wait(submit("y.csv", content, model="2pl", name="my run"))
    assert done["status"] == "done", done
    run = service.get(f"/v1/runs/{done['run']}", token=tokens.read).json
    expected = ic.fit(responses, "2pl")
    assert run["name"] == "my run"
    items = service.get(f"/v1/runs/{done['run']}/items", token=tokens.read).json["columns"]
    assert items["difficulty"] == pytest.approx(expected.items["difficulty"].tolist(), abs=1e-6)
    session = service.post("/v1/sessions", {"bank": run["bank"]}, token=tokens.write)
    assert session.status == 201
    assert session.json["lease"]["items"] == [ic.AdaptiveTest(expected.bank).next_item()]


def test_jobs_that_no_server_follows_are_given_up_and_those_of_others_are_not(
    service, tokens, store, monkeypatch, request
):
    store.database.write(add_tenant("a"))
    (store.tenant_folder("a") / "runs" / "0.work").mkdir(parents=True)
    for name, age in (("ab" * 8, 3600.0), ("cd" * 8, 5.0)):
        at = time.time() - age
        row = JobRow(name, "00" * 8, "{}", "running", "", None, at, at)
        store.database.write(add_job("a", row))
    monkeypatch.setattr(job_queue, "_SILENT_S", 30.0)
    service.forget()
    found = [
        service.get(f"/v1/jobs/{name}", token=tokens.read).json["status"]
        for name in ("ab" * 8, "cd" * 8)
    ]
    # A file has one server: what was under way when this one started is over.
    is_file = "sqlite" in request.node.name
    assert found == (["failed", "failed"] if is_file else ["failed", "running"])
    assert (store.tenant_folder("a") / "runs" / "0.work").exists() != is_file


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestOneDatabase:
    """What does not depend on the database."""

    def test_an_archive_of_logs_is_read_as_a_folder_of_them(self, submit, wait):
        packed = io.BytesIO()
        drawn = ic.simulate("2pl", respondents=30, items=6, seed=1).responses.array()
        with zipfile.ZipFile(packed, "w") as archive:
            rows = [
                {"subject_id": f"m{r}", "responses": {f"q{k}": int(v) for k, v in enumerate(row)}}
                for r, row in enumerate(drawn)
            ]
            lines = "\n".join(json.dumps(row) for row in rows)
            archive.writestr("logs/toy.jsonlines", lines)
        done = wait(submit("logs.zip", packed.getvalue(), model="1pl"))
        assert done["status"] == "done", done

    def test_what_cannot_be_read_fails_with_a_reason(self, submit, wait):
        failed = wait(submit("y.csv", b"\x00\x01 no table"))
        assert failed["status"] == "failed"
        assert failed["message"]
        assert failed["run"] is None

    def test_a_job_can_be_watched_and_cancelled(self, submit, wait, service, tokens, tmp_path):
        _, content = table(tmp_path)
        first = submit("y.csv", content)
        second = submit("y.csv", content)
        cancelled = service.post(f"/v1/jobs/{second['id']}/cancel", token=tokens.write)
        assert cancelled.status == 200
        assert wait(second)["status"] == "cancelled"
        stream = service.get(f"/v1/jobs/{first['id']}/events", token=tokens.read)
        assert stream.headers["content-type"].startswith("text/event-stream")
        events = [
            json.loads(line.removeprefix("data: "))
            for line in stream.body.decode().splitlines()
            if line.startswith("data: ")
        ]
        assert events[-1]["status"] == "done"
        assert wait(first)["status"] == "done"
        again = service.post(f"/v1/jobs/{first['id']}/cancel", token=tokens.write)
        assert again.kind == "job-over"

    def test_a_job_and_an_upload_are_made_once_for_one_key(self, service, tokens, wait, tmp_path):
        _, content = table(tmp_path)
        path, own = "/v1/uploads?name=y.csv", {"idempotency-key": "u1"}
        first, again = (
            service.post(path, body=content, token=tokens.write, headers=own) for _ in range(2)
        )
        assert again.json == first.json
        other = service.post(path, body=content + b" ", token=tokens.write, headers=own)
        assert other.kind == "key-used"
        assert len(service.get("/v1/uploads", token=tokens.read).json["uploads"]) == 1
        wanted, own = {"upload": first.json["id"], "model": "1pl"}, {"idempotency-key": "j1"}
        jobs = [
            service.post("/v1/jobs", wanted, token=tokens.write, headers=own).json["id"]
            for _ in range(2)
        ]
        assert jobs[0] == jobs[1]
        wanted["model"] = "2pl"
        other = service.post("/v1/jobs", wanted, token=tokens.write, headers=own)
        assert other.kind == "key-used"
        assert wait({"id": jobs[0]})["status"] == "done"
        assert len(service.get("/v1/jobs", token=tokens.read).json["jobs"]) == 1
        # The same key of another tenant is another.
        theirs = service.post(path, body=b"a,b", token=tokens.other, headers=own)
        assert theirs.status == 201

    def test_a_cancelled_job_leaves_no_files_and_a_deleted_tenant_no_jobs(
        self, submit, wait, service, tokens, store, tmp_path
    ):
        _, content = table(tmp_path, respondents=400)
        first, second = submit("y.csv", content), submit("y.csv", content)
        while service.get(f"/v1/jobs/{first['id']}", token=tokens.read).json["status"] == "queued":
            time.sleep(0.02)
        service.post(f"/v1/jobs/{first['id']}/cancel", token=tokens.write)
        assert wait(first)["status"] == "cancelled"
        gone = service.ask("DELETE", "/v1/tenant/data?confirm=a", token=tokens.admin)
        assert (gone.status, gone.json["runs"]) == (200, 0)
        assert not store.tenant_folder("a").exists()
        time.sleep(0.3)
        assert not store.tenant_folder("a").exists()
        assert store.database.read(find_job("a", second["id"])) is None

    def test_banks_and_uploads_share_the_room_of_a_tenant(self, service, tokens, calibration):
        path = "/v1/uploads?name=a.csv"
        assert service.post(path, body=b"x" * 199_000, token=tokens.write).status == 201
        full = service.post(path, body=b"x" * 200_000, token=tokens.write)
        assert full.kind == "no-room"
        with ThreadPoolExecutor(4) as threads:
            at_once = list(
                threads.map(
                    lambda _: service.post(path, body=b"x" * 90_000, token=tokens.write), range(4)
                )
            )
        kinds = sorted(reply.status for reply in at_once)
        assert kinds == [201, 201, 413, 413]

    def test_uploads_have_limits_and_leave_nothing_behind(self, service, tokens, store):
        too_much = service.post("/v1/uploads?name=a.csv", body=b"x" * 200_001, token=tokens.write)
        assert too_much.kind == "too-large"
        for _ in range(2):
            path = "/v1/uploads?name=a.csv"
            assert service.post(path, body=b"x" * 199_000, token=tokens.write).status == 201
        full = service.post("/v1/uploads?name=a.csv", body=b"x" * 199_000, token=tokens.write)
        assert full.kind == "no-room"
        empty = service.post("/v1/uploads?name=a.csv", body=b"", token=tokens.write)
        assert empty.kind == "not-usable"
        files = list((store.tenant_folder("a") / "uploads").iterdir())
        listed = service.get("/v1/uploads", token=tokens.read).json["uploads"]
        assert sorted(path.name for path in files) == sorted(upload["id"] for upload in listed)
        assert len(files) == 2
        for upload in listed:
            path = f"/v1/uploads/{upload['id']}"
            assert service.ask("DELETE", path, token=tokens.write).status == 204
        assert list((store.tenant_folder("a") / "uploads").iterdir()) == []

    def test_an_unknown_model_is_refused_before_anything_starts(self, service, tokens):
        wanted = {"upload": "ab" * 8, "model": "os.system"}
        assert service.post("/v1/jobs", wanted, token=tokens.write).kind == "not-usable"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestLimits:
    """Jobs that want too much."""

    @pytest.fixture
    def settings(self):
        return ServiceSettings(is_token_required=True, job_bytes=200 * 2**20, job_seconds=30)

    def test_a_job_that_wants_too_much_memory_ends_and_the_service_does_not(
        self, submit, wait, service, tokens, tmp_path
    ):
        _, content = table(tmp_path)
        failed = wait(submit("y.csv", content))
        assert failed["status"] == "failed"
        assert service.get("/v1/jobs", token=tokens.read).status == 200


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
class TestTime:
    """Jobs that take too long."""

    @pytest.fixture
    def settings(self):
        return ServiceSettings(is_token_required=True, job_seconds=0.05)

    def test_a_job_that_takes_too_long_is_ended(self, submit, wait, tmp_path):
        failed = wait(submit("y.csv", table(tmp_path)[1]))
        assert (failed["status"], failed["message"]) == (
            "failed",
            "It took longer than 0.05 seconds.",
        )
