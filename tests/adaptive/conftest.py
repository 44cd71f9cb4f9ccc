"""Banks and a scripted respondent for tests of adaptive testing."""

import numpy as np
import pytest

from itemcurve.bank.item_bank import Bank


@pytest.fixture
def bank() -> Bank:
    rng = np.random.default_rng(4)
    return Bank.from_parameters(
        "2pl",
        items=[f"q{index}" for index in range(60)],
        discrimination=rng.lognormal(0.2, 0.3, 60),
        difficulty=rng.normal(size=60),
    )


@pytest.fixture
def mixed_bank(bank) -> Bank:
    """Right and wrong beside scores between 0 and 1, on one scale."""
    scores = Bank.from_parameters(
        "logit-normal",
        items=[f"s{index}" for index in range(12)],
        discrimination=1.0,
        difficulty=np.linspace(-2, 2, 12),
        noise=0.6,
    )
    return bank + scores


@pytest.fixture
def answer():
    """A respondent of ability 0.7 that answers an item the same way every time."""

    def respond(bank: Bank, item: str) -> float:
        place = int(bank.positions([item])[0])
        chance = bank.expected_response(0.7)[0, place]
        return float(np.random.default_rng(place).random() < chance)

    return respond
