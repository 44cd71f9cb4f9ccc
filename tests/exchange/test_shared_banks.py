"""Banks to give away."""

import json

import pytest
from tests.exchange.examples import make_fit, make_index

import itemcurve as ic
from itemcurve.errors import StorageError


def save(folder, **settings):
    fit = make_fit()
    card = ic.exchange.describe_bank(fit, licence="MIT", **settings)
    return fit, card, ic.exchange.save_bank(fit, card, folder)


@pytest.mark.parametrize("is_folder", [True, False])
def test_bank_and_card_come_back(tmp_path, is_folder):
    fit, card, path = save(tmp_path, index=make_index(make_fit()))
    bank, found = ic.exchange.load_bank(tmp_path if is_folder else path)
    assert bank.mark == fit.bank.mark
    assert found == card


def test_a_card_is_plain_json(tmp_path):
    _, _, path = save(tmp_path)
    assert json.loads(path.read_text("utf-8"))["licence"] == "MIT"


@pytest.mark.parametrize(
    ("key", "value"),
    [("mark", "../../x"), ("mark", "0" * 64), ("items", -1), ("models", []), ("format", "other")],
)
def test_damaged_cards_are_refused(tmp_path, key, value):
    _, _, path = save(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {key: value}))
    with pytest.raises(StorageError):
        ic.exchange.load_bank(path)


def test_a_changed_bank_is_refused(tmp_path):
    fit, _, path = save(tmp_path)
    file = tmp_path / f"bank-{fit.bank.mark}.json"
    file.write_bytes(file.read_bytes().replace(b"0.1", b"0.2", 1))
    with pytest.raises(StorageError, match="damaged"):
        ic.exchange.load_bank(path)


def test_several_cards_must_be_told_apart(tmp_path):
    with pytest.raises(StorageError, match="has 0"):
        ic.exchange.load_bank(tmp_path)
