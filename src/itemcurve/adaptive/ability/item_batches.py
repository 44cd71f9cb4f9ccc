"""Several items at once that do not all ask the same thing."""

from dataclasses import replace

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.adaptive.ability.exposure import DrawnItem, Exposure
from itemcurve.adaptive.selection.contract import SelectionRule


def draw_batch(
    rule: SelectionRule, exposure: Exposure, state: AdaptiveState, count: int
) -> list[DrawnItem]:
    """Draw items one after the other, without their answers.

    The items that are best at one ability resemble each other. So each is chosen for an ability
    of its own: the middle of one of `count` equally likely slices of the posterior, in an order
    that halves what is left open, so that a batch cut short still covers it. A single item is
    chosen at the estimate itself.

    Returns
    -------
    Draws in order, each with its probability given those before.
    """
    found: list[DrawnItem] = []
    for share in _spread(count):
        taken = np.array([draw.place for draw in found], dtype=int)
        now = replace(state, handed_out=np.concatenate([state.handed_out, taken]))
        ability = state.ability if share is None else _quantile(state, share)
        drawn = exposure.draw(rule(now.bank, now.moved(ability)), now.is_available, state.rng)
        if drawn is None:
            break
        found.append(drawn)
    return found


def _spread(count: int) -> list[float | None]:
    """The estimate first, then quantiles in the order of van der Corput."""
    shares: list[float | None] = [None]
    for index in range(1, count):
        share, step = 0.0, 0.5
        while index:
            share, index, step = share + step * (index % 2), index // 2, step / 2
        shares.append(share)
    return shares


def _quantile(state: AdaptiveState, share: float) -> float:
    """Ability below which this share of the posterior lies, shifted to the estimate."""
    cumulative = np.cumsum(state.posterior) - 0.5 * state.posterior
    return float(np.interp(share, cumulative, state.nodes)) - state.centre + state.ability
