"""Adaptive tests of a block of respondents, one item after the other for all of them at once.

The values of a rule are tabulated over ability, best items first, so that choosing is a look-up;
posteriors live on nodes, and an answer adds one row of the item curves to each. Both engines run
the same step.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.adaptive.ability.ability_state import AbilityEstimate, for_rules
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.selection.random_order import Random
from itemcurve.adaptive.selection.turns import InTurn
from itemcurve.bank.item_bank import Bank
from itemcurve.models.bare_values import BareValues
from itemcurve.numerics.engine import NUMPY, Array, Engine, as_dense

_REACH = 5.0
# A Gaussian posterior wider than half the distance of nodes is integrated to four digits.
_N_NODES = 61
_N_ROWS = 201


@dataclass(frozen=True, eq=False)
class Plan:
    """What does not depend on respondents.

    Attributes
    ----------
    orders : of each rule whose turn it is: items by value at each tabulated ability, best first
        (rows × items kept); None for a random order.
    curves : of each channel at the nodes, that of the weight last (channels × items × nodes).
    nodes, log_prior : abilities and the population's log density there.
    best : how many items the draw is among.
    """

    bank: Bank
    orders: tuple[Array | None, ...]
    curves: Array
    nodes: Array
    log_prior: Array
    length: int
    best: int
    ability_se: float | None
    engine: Engine

    @classmethod
    def make(
        cls,
        bank: Bank,
        rule: SelectionRule,
        length: int,
        best: int,
        ability_se: float | None,
        engine: Engine,
    ) -> "Plan":
        """Tabulate the rule, or those that take turns, and the curves."""
        steps = np.linspace(-_REACH, _REACH, _N_NODES)
        nodes = bank.ability_mean + bank.ability_sd * steps
        rules = rule.rules if isinstance(rule, InTurn) else (rule,)
        return cls(
            bank,
            tuple(None if isinstance(own, Random) else _tabulate(bank, own) for own in rules),
            _curves(bank, nodes),
            nodes,
            -0.5 * steps**2,
            length,
            best,
            ability_se,
            engine,
        )


def run_tests(plan: Plan, responses: Array, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Items asked, abilities and standard errors after each (respondents × length each)."""
    n, size = responses.shape
    engine, bank = plan.engine, plan.bank
    channels = [engine.place(channel) for channel in _channels(bank, responses)]
    used = np.isnan(responses) if responses.dtype.kind == "f" else np.zeros((n, size), dtype=bool)
    # The best items of a table row are enough, unless some of them cannot be asked.
    kept = size if used.any() else min(size, plan.length + plan.best - 1)
    orders = [engine.place(order) for order in _orders(plan, rng, n, kept)]
    state = (
        np.broadcast_to(plan.log_prior, (n, _N_NODES)),
        used,
        np.full(n, bank.ability_mean),
        np.full(n, bank.ability_sd),
    )
    tables = tuple(map(engine.place, (plan.curves, plan.nodes)))
    height, used, ability, error = map(engine.place, state)
    advance = engine.compile(_advance, static=("engine", "is_random", "limit"))
    draws = rng.integers(1, plan.best + 1, size=(plan.length, n))
    found = []
    for step, draw in enumerate(draws):
        turn = step % len(orders)
        item, height, used, ability, error = advance(
            channels,
            *tables,
            orders[turn],
            height,
            used,
            ability,
            error,
            engine.place(draw),
            engine=engine,
            is_random=plan.orders[turn] is None,
            limit=plan.ability_se,
        )
        found.append((item, ability, error))
    items, abilities, errors = (np.stack([np.asarray(f[k]) for f in found], 1) for k in range(3))
    return items, abilities, errors


def _advance(
    channels: list[Array],
    curves: Array,
    nodes: Array,
    order: Array,
    height: Array,
    used: Array,
    ability: Array,
    error: Array,
    draw: Array,
    *,
    engine: Engine,
    is_random: bool,
    limit: float | None,
) -> tuple[Array, Array, Array, Array, Array]:
    """Ask every respondent one item more; tests that are over stay as they are."""
    xp = engine.xp
    item, is_asked = _choose(xp, order, used, ability, nodes, draw, is_random)
    if limit is not None:
        is_asked = is_asked & (error > limit)
    # The last curve belongs to the weight of an answer, which is one.
    gain = xp.take(curves[-1], item, axis=0)
    for channel, curve in zip(channels, curves[:-1], strict=True):
        gain = gain + xp.take_along_axis(channel, item[:, None], axis=1) * xp.take(curve, item, 0)
    height = height + xp.where(is_asked[:, None], gain, 0.0)
    weights = xp.exp(height - height.max(axis=1, keepdims=True))
    moments = weights @ xp.stack([xp.ones_like(nodes), nodes, nodes**2], axis=1)
    mean = moments[:, 1] / moments[:, 0]
    spread = xp.sqrt(xp.maximum(moments[:, 2] / moments[:, 0] - mean**2, 1e-12))
    ability = xp.where(is_asked, mean, ability)
    error = xp.where(is_asked, spread, error)
    return xp.where(is_asked, item, -1), height, engine.mark(used, item), ability, error


def _choose(
    xp: Any,
    order: Array,
    used: Array,
    ability: Array,
    nodes: Array,
    draw: Array,
    is_random: bool,
) -> tuple[Array, Array]:
    """The item of each respondent, and whether there is one."""
    if is_random:
        candidates, wanted = order, xp.ones_like(draw)
    else:
        share = (ability - nodes[0]) / (nodes[-1] - nodes[0])
        row = xp.clip(xp.round(share * (_N_ROWS - 1)), 0, _N_ROWS - 1).astype(int)
        candidates, wanted = xp.take(order, row, axis=0), draw
    is_free = ~xp.take_along_axis(used, candidates, axis=1)
    rank = xp.cumsum(is_free, axis=1)
    wanted = xp.minimum(wanted, xp.maximum(rank[:, -1], 1))
    place = xp.argmax((rank == wanted[:, None]) & is_free, axis=1)
    item = xp.take_along_axis(candidates, place[:, None], axis=1)[:, 0]
    return item, rank[:, -1] > 0


def _tabulate(bank: Bank, rule: SelectionRule) -> Array:
    """Items by value at each tabulated ability, best first (rows × items)."""
    rows = []
    for share in np.linspace(-_REACH, _REACH, _N_ROWS):
        ability = bank.ability_mean + share * bank.ability_sd
        estimate = AbilityEstimate(ability, bank.ability_sd, ability, bank.ability_sd)
        nobody = np.zeros(0)
        state = for_rules(bank, estimate, nobody, nobody, nobody, np.random.default_rng(0))
        values = rule(bank, state.moved(ability))
        rows.append(np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable"))
    return np.stack(rows)


def _orders(plan: Plan, rng: np.random.Generator, n: int, kept: int) -> list[Array]:
    """Orders of the rules in turn, those left to chance drawn for each respondent.

    Chance has one order per respondent for the whole test: of the items that were not asked its
    first one is any of them with equal chances, whatever other rules took.
    """
    chance = np.zeros((n, 0))
    if any(order is None for order in plan.orders):
        chance = _random_orders(rng, n, len(plan.bank), kept)
    return [chance if order is None else order[:, :kept] for order in plan.orders]


def _random_orders(rng: np.random.Generator, n: int, size: int, kept: int) -> Array:
    """The first items of a random order for each respondent (respondents × kept)."""
    keys = rng.random((n, size), dtype=np.float32)
    if kept == size:
        return np.argsort(keys, axis=1)
    first = np.argpartition(keys, kept, axis=1)[:, :kept]
    places = np.argsort(np.take_along_axis(keys, first, axis=1), axis=1)
    return np.take_along_axis(first, places, axis=1)


def _curves(bank: Bank, nodes: Array) -> Array:
    """Curves of every part's statistics, zero for items of other parts, and that of the weight.

    Of a censored part the weight counts answers inside the bounds, which is a channel like others.
    """
    found, weight = [], np.zeros((len(bank), len(nodes)))
    for part in bank.parts:
        curves = part.likelihood.curves(NUMPY, nodes, part.values)
        if not part.likelihood.is_censored:
            weight[part.positions] = curves.pop()
        for curve in curves:
            whole = np.zeros((len(bank), len(nodes)))
            whole[part.positions] = curve
            found.append(whole)
    return np.stack([*found, weight])


def _channels(bank: Bank, responses: Array) -> list[Array]:
    """Channels of all responses, in the order of the curves (respondents × items each)."""
    found = []
    for part in bank.parts:
        is_alone = len(bank.parts) == 1
        own = responses if is_alone else responses[:, part.positions]
        # What is missing is never asked; any number will do for it.
        own = np.nan_to_num(own, nan=0.5) if own.dtype.kind == "f" else own
        channels = part.likelihood.channels(BareValues(own))
        for matrix in channels if part.likelihood.is_censored else channels[:-1]:
            # Bare values are dense, and their weight, the one channel that may be None, is known.
            assert matrix is not None
            channel = as_dense(matrix)
            if is_alone:
                found.append(channel)
                continue
            whole = np.zeros(responses.shape)
            whole[:, part.positions] = channel
            found.append(whole)
    return found
