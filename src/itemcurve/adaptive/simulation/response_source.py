"""Where responses of simulated tests come from: the model, or real respondents."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from itemcurve.bank.answerable import check_answers
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ResponsesError
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.responses.matrix import Responses


class ResponseSource(Protocol):
    """Responses in blocks of respondents."""

    @property
    def abilities(self) -> Array:
        """True abilities; NaN where unknown."""

    def block(self, rows: Array, rng: np.random.Generator) -> Array:
        """Responses of some respondents (respondents × items); NaN for what is missing."""


@dataclass(frozen=True, eq=False)
class DrawnResponses:
    """Responses drawn from the bank's own models."""

    bank: Bank
    abilities: Array

    def block(self, rows: Array, rng: np.random.Generator) -> Array:
        """Draw responses to all items."""
        abilities = self.abilities[rows]
        drawn = []
        for part in self.bank.parts:
            eta = [e.T for e in part.likelihood.natural(NUMPY, abilities, part.values)]
            drawn.append((part.positions, part.model.family.sample(rng, eta)))
        if len(drawn) == 1 and np.array_equal(drawn[0][0], np.arange(len(self.bank))):
            return np.asarray(drawn[0][1])
        found = np.empty((len(abilities), len(self.bank)))
        for positions, values in drawn:
            found[:, positions] = values
        return found


@dataclass(frozen=True, eq=False)
class GivenResponses:
    """Real responses, to be replayed."""

    values: Array

    @classmethod
    def of(cls, bank: Bank, responses: Responses) -> "GivenResponses":
        """Put responses into the order of the bank."""
        if not isinstance(responses, Responses):
            raise ResponsesError(
                "Responses to replay must be a Responses object.",
                f"Got {type(responses).__name__}.",
                "Wrap arrays with Responses.from_array.",
            )
        values = np.full((responses.shape[0], len(bank)), np.nan)
        values[:, bank.positions(responses.items)] = responses.array()
        for part in bank.parts:
            check_answers(bank, part, values[:, part.positions])
        return cls(values)

    @property
    def abilities(self) -> Array:
        """Unknown."""
        return np.full(len(self.values), np.nan)

    def block(self, rows: Array, rng: np.random.Generator) -> Array:
        """Some respondents' responses."""
        return self.values[rows]
