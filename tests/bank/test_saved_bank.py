"""Banks as plain data, and the mark by which a session knows its bank again."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.ability.ability_test_file import load_ability_test, save_ability_test
from itemcurve.bank import saved_bank
from itemcurve.bank.saved_bank import pack_bank, unpack_bank
from itemcurve.models.serialisation import Record
from itemcurve.storage.json_documents import pack_json, unpack_json


@pytest.fixture
def bank():
    rng = np.random.default_rng(2)
    return ic.Bank.from_parameters(
        "2pl", discrimination=rng.lognormal(size=6), difficulty=rng.normal(size=6)
    )


def test_a_bank_comes_back_with_the_same_mark(bank):
    written = unpack_json(pack_json(pack_bank(bank), "bank"), "bank")
    again = unpack_bank(Record(written, "the bank"))
    assert again.items == bank.items
    assert again.mark == bank.mark


def test_anything_that_differs_makes_another_mark(bank):
    others = [
        bank.take([1, 0, 2, 3, 4, 5]),
        bank.take([0, 1, 2, 3, 4]),
        ic.Bank(bank.items, bank.parts, ability_sd=2.0),
        ic.Bank(tuple("abcdef"), bank.parts),
    ]
    assert len({bank.mark, *(other.mark for other in others)}) == 5


def test_a_session_packs_its_bank_once_however_often_it_is_saved(bank, tmp_path, monkeypatch):
    packed = []

    def counted(given):
        packed.append(given)
        return pack_bank(given)

    monkeypatch.setattr(saved_bank, "pack_bank", counted)
    run = tmp_path / "run"
    truth = ic.simulate("2pl", respondents=40, items=6, seed=1)
    ic.fit(truth.responses, "2pl").save(run)
    items = ic.load(run).bank
    test = ic.AdaptiveTest(items)
    for answer in (1.0, 0.0, 1.0):
        test.record(test.next_item(), answer)
        save_ability_test(test, tmp_path / "session.json", run=run)
    assert packed == [items]
    assert load_ability_test(tmp_path / "session.json", bank=items).ability == test.ability
    assert len(packed) == 1
