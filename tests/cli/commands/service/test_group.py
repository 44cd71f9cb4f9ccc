"""Tokens, exports, back-ups by commands; the service refuses to be open to all."""

import json

import pytest

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import keep_ability_test
from itemcurve.store.data_folder import open_store
from itemcurve.store.session_tables import SessionTables


@pytest.fixture
def data(tmp_path):
    return tmp_path / "store"


def test_tokens_are_made_listed_and_revoked(command, data):
    made = command(
        "store", "new-token", "team-a", "--name", "ci", "--scopes", "read", "--data", data
    )
    assert made.code == 0
    token = made.out.strip()
    assert token.startswith("itc_")
    listed = command("store", "tokens", "--data", data)
    identity = token.split("_")[1]
    assert identity in listed.out
    assert "ci  read" in listed.out
    assert token not in listed.out
    assert command("store", "revoke-token", identity, "--data", data).code == 0
    again = command("store", "revoke-token", identity, "--data", data)
    assert again.code == 2
    assert "A token to revoke" in again.err
    found = json.loads(command("store", "tokens", "--json", "--data", data).out)
    assert found["tokens"][0]["revoked_at"] is not None


@pytest.mark.parametrize(
    "wrong", [("Team A",), ("a", "--scopes", "root"), ("a", "--scopes", ""), ("../x",)]
)
def test_what_is_no_tenant_or_scope_is_refused(command, data, wrong):
    assert command("store", "new-token", *wrong, "--data", data).code == 2


def test_data_are_exported_backed_up_restored_let_go_and_deleted(command, data, tmp_path):
    bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1.0, 0.0, 1.0])
    store = open_store(data)
    command("store", "new-token", "a", "--data", data)
    keep_ability_test(ic.AdaptiveTest(bank), SessionTables(store.database, "a"), "s")
    store.close()
    out = command("store", "export", "a", "--out", tmp_path / "out", "--data", data)
    assert "1 sessions, 1 banks" in out.out
    assert command("adapt", "show", tmp_path / "out" / "sessions" / "s.json").code == 0
    assert command("store", "back-up", "--out", tmp_path / "copy", "--data", data).code == 0
    assert command("store", "retain", "--days", "0", "--data", data).out.startswith("0 sessions")
    assert command("store", "delete", "a", "--confirm", "b", "--data", data).code == 2
    assert "1 sessions" in command("store", "delete", "a", "--confirm", "a", "--data", data).out
    new = tmp_path / "new"
    assert command("store", "restore", tmp_path / "copy", "--data", new).code == 0
    again = open_store(new)
    assert SessionTables(again.database, "a").has("s")
    again.close()


def test_a_service_for_others_without_a_token_is_refused(command, data):
    pytest.importorskip("fastapi")
    refused = command("serve", "--host", "0.0.0.0", "--data", data)
    assert refused.code == 2
    assert "needs a token" in refused.err
