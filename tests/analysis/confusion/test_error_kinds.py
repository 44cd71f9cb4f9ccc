"""Errors in words: whose they are, and where to look."""

import numpy as np
import pytest

import itemcurve as ic


@pytest.fixture(name="view")
def mixed_errors():
    """A pool that does well on items 1 to 20, badly on 21 to 30, and the wrong way on 31 to 34."""
    rng = np.random.default_rng(0)
    ability = np.sort(rng.normal(size=200))
    easy = rng.random((200, 20)) < 0.93
    hard = rng.random((200, 10)) < 0.3
    chance = 1 / (1 + np.exp(3 * ability))
    turned = rng.random((200, 4)) < chance[:, np.newaxis]
    middling = rng.random((200, 10)) < 1 / (1 + np.exp(-2 * ability))[:, np.newaxis]
    answers = np.hstack([easy, hard, turned, middling]).astype(float)
    fit = ic.fit(ic.Responses.from_array(answers), "2pl")
    truth = np.array(["cat", "dog"] * 22)
    wrong = {"a": [0, 25, 31], "b": []}
    named = {who: truth.copy() for who in wrong}
    for who, rows in wrong.items():
        for row in rows:
            named[who][row] = "dog" if truth[row] == "cat" else "cat"
    return ic.confusion(fit, truth, named)


def test_every_error_has_its_kind_and_row(view):
    table = view.errors()
    assert table["row"].tolist() == [1, 32, 26]
    assert table["kind"].tolist() == ["its own", "label in doubt", "shared"]
    assert table[["given", "named"]].iloc[0].tolist() == ["cat", "dog"]


def test_words_name_the_rows_to_look_at(view):
    first, second = view.say()
    assert first.startswith("a is right on 41 of 44 items. Errors: ")
    assert "1 is its own, where most of the pool is right (row 1)." in first
    assert "check the label (row 32)" in first
    assert "1 is missed by at least half of the pool too." in first
    assert second == "b is right on 44 of 44 items."
