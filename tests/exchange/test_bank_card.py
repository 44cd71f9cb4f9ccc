"""Cards of banks."""

import pytest
from tests.exchange.examples import make_fit, make_index

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.logs.harness.item_index import ItemIndex


def test_a_card_says_what_the_bank_is():
    fit = make_fit()
    card = ic.exchange.describe_bank(fit, licence="CC-BY-4.0", index=make_index(fit))
    assert (card.models, card.items, card.respondents) == ({"2pl": 30}, 30, 40)
    assert (card.ability_mean, card.ability_sd) == (fit.bank.ability_mean, fit.bank.ability_sd)
    assert card.lowest == fit.estimates.abilities.min()
    assert card.tasks == ("quiz",)
    assert card.licence == "CC-BY-4.0"


def test_the_hash_is_of_content_and_not_of_order():
    fit = make_fit()
    index = make_index(fit)
    card = ic.exchange.describe_bank(fit, licence="MIT", index=index)
    turned = ItemIndex(index.entries[::-1])
    card.check_items(turned, fit.bank)
    with pytest.raises(StorageError, match="content that the bank was calibrated on"):
        card.check_items(make_index(fit, "other"), fit.bank)


def test_a_bank_without_a_history_has_a_card_too():
    bank = ic.Bank.from_parameters("1pl", difficulty=[0.0, 1.0])
    card = ic.exchange.describe_bank(bank, licence="MIT")
    assert (card.respondents, card.lowest, card.content, card.method) == (0, None, "", "unknown")
    with pytest.raises(StorageError, match="belong together"):
        card.check(make_fit().bank)
