"""Tokens: shown once, kept hashed, and over when they are said to be."""

import time

import pytest

from itemcurve.errors import StorageError
from itemcurve.store.tokens import find_token, list_tokens, make_token, revoke_token


def test_a_token_is_found_by_its_text_alone_and_the_text_is_nowhere(store):
    text, work = make_token("team", "harness", ["write", "read"], days=1)
    made = store.database.write(work)
    found = store.database.read(find_token(text))
    assert found == made
    assert found.scopes == ("read", "write")
    assert found.is_valid(time.time())
    assert not found.is_valid(time.time() + 86401)
    secret = text.split("_", 2)[2]
    rows = store.database.read(lambda t: t.all("SELECT * FROM tokens"))
    assert all(secret not in str(row) for row in rows)
    for wrong in (
        "",
        "itc",
        text[:-1],
        text + "x",
        text.replace("itc", "xyz"),
        "itc_é_ü",
        "a" * 999,
    ):
        assert store.database.read(find_token(wrong)) is None


def test_a_revoked_token_is_over(store):
    text, work = make_token("team", "old", ["read"], days=None)
    made = store.database.write(work)
    assert store.database.write(revoke_token(made.id))
    assert not store.database.write(revoke_token(made.id))
    assert not store.database.read(find_token(text)).is_valid(time.time())
    assert [token.id for token in store.database.read(list_tokens("team"))] == [made.id]
    assert store.database.read(list_tokens("a")) == []


@pytest.mark.parametrize(("scopes", "days"), [(["all"], 1), ([], 1), (["read"], 0)])
def test_what_is_no_scope_or_no_time_is_refused(scopes, days):
    with pytest.raises(StorageError, match="A token has scopes"):
        make_token("team", "x", scopes, days=days)
