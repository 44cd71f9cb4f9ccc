"""Many simulated tests at once: how a bank, a rule and a length would do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.selection.catalogue import get_rule
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.simulation.batched_tests import Plan, run_tests
from itemcurve.adaptive.simulation.response_source import (
    DrawnResponses,
    GivenResponses,
    ResponseSource,
)
from itemcurve.bank.item_bank import Bank
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array, Engine, get_engine
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

# Respondents that are tested together: few enough for the cache.
_BLOCK = 1024


@dataclass(frozen=True, eq=False)
class SimulatedTests:
    """The traces of many tests, one row each.

    Attributes
    ----------
    bank : the items.
    true_ability : of each respondent; NaN where responses were given instead of drawn.
    asked : places of the items in order, −1 after the end (respondents × items).
    ability_path, se_path : estimate and standard error after each item (respondents × items).
    """

    bank: Bank
    true_ability: Array
    asked: Array
    ability_path: Array
    se_path: Array

    @property
    def n_items(self) -> Array:
        """Length of each test."""
        return (self.asked >= 0).sum(axis=1)

    @property
    def ability(self) -> Array:
        """Ability at the end of each test."""
        return self.ability_path[:, -1]

    @property
    def ability_se(self) -> Array:
        """Standard error at the end of each test."""
        return self.se_path[:, -1]

    @property
    def rmse(self) -> float:
        """Root mean squared error of the abilities at the end."""
        return float(np.sqrt(np.mean((self.ability - self.true_ability) ** 2)))

    def frame(self) -> "pandas.DataFrame":
        """Table with one row per test: true and estimated ability, its error, items asked."""
        import pandas

        return pandas.DataFrame(
            {
                "respondent": np.arange(len(self.ability)),
                "true_ability": self.true_ability,
                "ability": self.ability,
                "ability_se": self.ability_se,
                "items": self.n_items,
            }
        )

    def path(self) -> "pandas.DataFrame":
        """Table with one row per length: error, bias and mean standard error so far."""
        import pandas

        gaps = self.ability_path - self.true_ability[:, None]
        return pandas.DataFrame(
            {
                "items": np.arange(1, gaps.shape[1] + 1),
                "rmse": np.sqrt(np.mean(gaps**2, axis=0)),
                "bias": gaps.mean(axis=0),
                "ability_se": self.se_path.mean(axis=0),
            }
        )

    def exposure(self) -> "pandas.DataFrame":
        """Table with one row per item: the share of tests that asked it."""
        import pandas

        counts = np.bincount(self.asked[self.asked >= 0], minlength=len(self.bank))
        return pandas.DataFrame({"item": self.bank.items, "exposure": counts / len(self.asked)})


def simulate_tests(
    bank: Bank,
    *,
    respondents: int = 1000,
    abilities: ArrayLike | None = None,
    responses: Responses | None = None,
    select: str | SelectionRule = "fisher",
    max_items: int = 30,
    ability_se: float | None = None,
    exposure: Exposure | int = 1,
    engine: str | Engine = "numpy",
    seed: int = 0,
) -> SimulatedTests:
    """Run adaptive tests of many respondents together; abilities by posterior mean.

    Parameters
    ----------
    respondents : how many to draw from the population of the bank.
    abilities : true abilities instead.
    responses : real responses to replay instead; those missing are never asked.
    select : a rule of ability and bank (`"fisher"`, `"kl"`, `"random"`, or a function that looks
        at `state.ability` alone): its values are tabulated over ability once. Or several of them in
        turn (`"combined"`).
    max_items : length of a test.
    ability_se : end a test before that at this standard error.
    exposure : as for `AdaptiveTest`; `explore` is not simulated.
    engine : `"numpy"` or `"jax"`.

    Examples
    --------
    >>> import itemcurve as ic
    >>> bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=[-1, -0.5, 0, 0.5, 1])
    >>> ic.simulate_tests(bank, respondents=100, max_items=3, seed=1).n_items.max()
    np.int64(3)
    """
    rng = np.random.default_rng(seed)
    source = _source(bank, respondents, abilities, responses, rng)
    chance = exposure if isinstance(exposure, Exposure) else Exposure(int(exposure))
    _check(bank, max_items, chance)
    machine = get_engine(engine)
    rule = get_rule(select)
    length = min(max_items, len(bank))
    with machine.double_precision():
        plan = Plan.make(bank, rule, length, chance.best, ability_se, machine)
        blocks = [run_tests(plan, part, rng) for part in _blocks(source, rng)]
    n = len(source.abilities)
    asked, ability, error = (np.concatenate(parts)[:n] for parts in zip(*blocks, strict=True))
    return SimulatedTests(bank, source.abilities, asked, ability, error)


def _blocks(source: ResponseSource, rng: np.random.Generator) -> Iterator[Array]:
    """Responses of some respondents at a time (respondents × items)."""
    n = len(source.abilities)
    n_blocks = -(-n // _BLOCK)
    size = -(-n // n_blocks)
    # The last block is filled up with the first respondents again: one size, compiled once.
    rows = np.arange(n_blocks * size) % n
    for start in range(0, len(rows), size):
        yield source.block(rows[start : start + size], rng)


def _source(
    bank: Bank,
    respondents: int,
    abilities: ArrayLike | None,
    responses: Responses | None,
    rng: np.random.Generator,
) -> ResponseSource:
    if responses is not None:
        return GivenResponses.of(bank, responses)
    if abilities is None:
        if respondents < 1:
            raise ModelError(
                "A simulation needs at least one respondent.", f"Got {respondents}.", "Use 1000."
            )
        drawn = bank.ability_mean + bank.ability_sd * rng.normal(size=respondents)
        return DrawnResponses(bank, drawn)
    true = np.asarray(abilities, dtype=float)
    if true.ndim != 1 or not len(true) or not np.isfinite(true).all():
        raise ModelError(
            "abilities must be a list of finite numbers.", f"Got shape {true.shape}.", ""
        )
    return DrawnResponses(bank, true)


def _check(bank: Bank, max_items: int, chance: Exposure) -> None:
    if not isinstance(bank, Bank) or not len(bank) or max_items < 1 or chance.explore:
        raise ModelError(
            "A simulation needs a bank with items, tests of at least one item, and explore=0.",
            f"Got max_items={max_items}, explore={chance.explore}.",
            "Use AdaptiveTest to explore.",
        )
