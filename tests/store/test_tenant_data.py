"""Export gives files that need no server; deletion and age leave the others' data alone."""

import json

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test, open_ability_test
from itemcurve.store.run_rows import RunRow, UploadRow, add_run, add_upload, list_uploads
from itemcurve.store.session_tables import SessionTables
from itemcurve.store.tenant_data import Counts, delete_tenant, export_tenant, let_go
from itemcurve.store.tokens import find_token, make_token


def fill(store, tenant):
    bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1.0, 0.0, 1.0])
    test = ic.AdaptiveTest(bank, respondent=f"of {tenant}")
    test.record("1", 1.0)
    keep_ability_test(test, SessionTables(store.database, tenant), "s1")
    upload = UploadRow("ab" * 8, "logs.zip", 3, "00", 1.0)
    store.database.write(add_upload(tenant, upload))
    path = store.upload_path(tenant, upload.id)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"abc")
    store.database.write(add_run(tenant, RunRow("cd" * 8, "run", None, 1.0)))
    text, work = make_token(tenant, "t", ["read"])
    store.database.write(work)
    return text


def test_an_export_holds_everything_but_secrets_and_sessions_go_on_from_it(store, tmp_path):
    secret = fill(store, "a").split("_", 2)[2]
    fill(store, "b")
    assert export_tenant(store, "a", tmp_path / "out") == Counts(1, 1, 1, 1)
    back = ic.AdaptiveTest.load(tmp_path / "out" / "sessions" / "s1.json")
    assert (back.respondent, back.answers[0].item) == ("of a", "1")
    about = json.loads((tmp_path / "out" / "tenant.json").read_text())
    assert [token["name"] for token in about["tokens"]] == ["t"]
    content = b"".join(p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file())
    assert secret.encode() not in content
    assert b"of b" not in content


def test_a_deleted_tenant_leaves_nothing_and_the_others_keep_theirs(store):
    mine, theirs = fill(store, "a"), fill(store, "b")
    assert delete_tenant(store, "a") == Counts(1, 1, 1, 1)
    assert store.database.read(find_token(mine)) is None
    assert not store.tenant_folder("a").exists()
    assert store.database.read(find_token(theirs)) is not None
    assert store.upload_path("b", "ab" * 8).read_bytes() == b"abc"
    assert len(open_ability_test(SessionTables(store.database, "b"), "s1").answers) == 1
    delete_tenant(store, "b")
    tables = ("tenants", "tokens", "contents", "holdings", "sessions", "session_lines")
    for table in (*tables, "uploads", "jobs", "runs", "decisions"):
        assert store.database.read(lambda t, n=table: t.all(f"SELECT * FROM {n}")) == [], table


def test_what_is_over_goes_by_age_and_what_is_open_stays(store):
    fill(store, "a")
    fill(store, "b")
    over = "UPDATE sessions SET status = 'finished', changed_at = 1.0 WHERE tenant = 'a'"
    store.database.write(lambda t: t.run(over))
    assert let_go(store, older_than_days=30) == Counts(sessions=1, uploads=2)
    assert not SessionTables(store.database, "a").has("s1")
    assert SessionTables(store.database, "b").has("s1")
    assert store.database.read(list_uploads("b")) == []
    assert not store.upload_path("b", "ab" * 8).exists()
    store.database.write(lambda t: t.run("UPDATE sessions SET changed_at = 1.0"))
    assert let_go(store, older_than_days=30) == Counts()
    assert let_go(store, older_than_days=30, is_open_too=True) == Counts(sessions=1)
    assert not SessionTables(store.database, "b").has("s1")
