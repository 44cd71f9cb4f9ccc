"""Abilities of respondents against a frozen bank: EAP, MAP, ML and Warm's WLE."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from itemcurve.bank.answerable import check_answers
from itemcurve.bank.item_bank import Bank, BankPart
from itemcurve.bank.shown_errors import UNDETERMINED, is_undetermined, shown_errors
from itemcurve.errors import ModelError
from itemcurve.models.bare_values import BareValues
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, Array, Matrix, as_dense
from itemcurve.numerics.hermite import gauss_hermite
from itemcurve.numerics.row_blocks import hadamard, product
from itemcurve.numerics.shapes import (
    PerItem,
    PerPoint,
    PerRespondent,
    PerRow,
    RespondentsByItems,
    RowPoints,
    axes,
)
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

ScoringMethod = Literal["eap", "map", "ml", "wle"]
_METHODS = ("eap", "map", "ml", "wle")
_BLOCK_CELLS = 2**21
# Abilities are sought here; beyond, an estimate counts as infinite.
_NODES = np.linspace(-15.0, 15.0, 161)
# Posterior means: a grid in prior standard deviations, and the sd below which it is too coarse.
_STANDARD_POINTS = np.linspace(-8.0, 8.0, 801)
_NARROW = 0.06
_SURELY_WIDE = 2 * _NARROW
_HERMITE_POINTS = 21
_MOST_ROOT_STEPS = 60


@dataclass(frozen=True)
class Scores:
    """Abilities with standard errors, one row per respondent."""

    respondents: tuple[str, ...]
    ability: PerRespondent
    ability_se: PerRespondent
    method: str

    @cached_property
    def _flags(self) -> list[str]:
        named = {True: "unbounded", False: "no responses"}
        lost = is_undetermined(self.ability_se)
        return [
            (UNDETERMINED if is_lost else "") if np.isfinite(v) else named[bool(np.isinf(v))]
            for v, is_lost in zip(self.ability, lost, strict=True)
        ]

    def frame(self) -> "pandas.DataFrame":
        """Table with columns respondent, ability, ability_se, flags."""
        import pandas

        return pandas.DataFrame(
            {
                "respondent": self.respondents,
                "ability": self.ability,
                "ability_se": shown_errors(self.ability_se),
                "flags": self._flags,
            }
        )


def score(
    bank: Bank,
    responses: Responses,
    *,
    method: ScoringMethod = "eap",
    prior_mean: float | None = None,
    prior_sd: float | None = None,
) -> Scores:
    """Measure respondents against a frozen bank.

    Parameters
    ----------
    method : `"eap"` posterior mean, `"map"` posterior mode, `"ml"` maximum likelihood (infinite
        for a perfect score, flagged), `"wle"` Warm's weighted likelihood (1989), nearly unbiased.
        Estimates beyond ±15 count as infinite.
    prior_mean, prior_sd : normal prior of ability, used by `"eap"` and `"map"`; the population
        that the bank was calibrated on when left out.
    """
    if method not in _METHODS:
        raise ModelError(
            "The scoring method must be one of eap, map, ml, wle.",
            f"Got {method!r}.",
            "Use 'eap' if unsure.",
        )
    if not isinstance(bank, Bank) or not isinstance(responses, Responses):
        raise ModelError(
            "score needs a Bank and Responses.",
            f"Got {type(bank).__name__} and {type(responses).__name__}.",
            "Use fit.bank, and Responses.from_array for arrays.",
        )
    prior_mean, prior_sd = _prior(bank, prior_mean, prior_sd)
    aligned = bank.aligned(responses)
    channels = [_part_channels(aligned, part, responses) for part in aligned.parts]
    n_respondents, n_items = responses.shape
    rows = max(1, _BLOCK_CELLS // n_items)
    solve = _SOLVERS[method]
    found = [
        solve(_Block(aligned, channels, slice(at, at + rows)), prior_mean, prior_sd)
        for at in range(0, n_respondents, rows)
    ]
    ability, error = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if method in ("ml", "wle"):
        # Without a prior, a respondent who answered nothing has no ability at all.
        silent = responses.counts(axis=1) == 0
        ability, error = np.where(silent, np.nan, ability), np.where(silent, np.nan, error)
    return Scores(responses.respondents, ability, error, method)


def score_one(
    asked: Bank, values: PerItem, *, method: ScoringMethod = "eap"
) -> tuple[float, float]:
    """Measure one respondent who answered all items of a bank: ability and standard error.

    As `score` against the bank's own population, without a table of responses around the values:
    an adaptive test asks after every answer.
    """
    block, (mean, sd) = _answered_block(asked, values), _prior(asked, None, None)
    ability, error = _SOLVERS[method](block, mean, sd)
    return float(ability[0]), float(error[0])


def log_likelihood_of_one(asked: Bank, values: PerItem, abilities: PerPoint) -> PerPoint:
    """Log-likelihood of one respondent who answered all items of a bank, up to a constant."""
    return _answered_block(asked, values).log_likelihood(abilities, shared=True)[0]


def log_likelihood_at(
    bank: Bank, responses: Responses, abilities: PerPoint
) -> Annotated[Array, axes("respondents points")]:
    """Log-likelihood of each respondent at these abilities, up to a constant of the responses.

    Returns
    -------
    Respondents × abilities.
    """
    aligned = bank.aligned(responses)
    channels = [_part_channels(aligned, part, responses) for part in aligned.parts]
    return _Block(aligned, channels, slice(None)).log_likelihood(abilities, shared=True)


def log_likelihood_around(
    bank: Bank, responses: Responses, points: Annotated[Array, axes("respondents points")]
) -> Annotated[Array, axes("respondents points")]:
    """The same at points of each respondent's own."""
    aligned = bank.aligned(responses)
    channels = [_part_channels(aligned, part, responses) for part in aligned.parts]
    rows = max(1, _BLOCK_CELLS // responses.shape[1])
    found = []
    for at in range(0, len(points), rows):
        block = _Block(aligned, channels, slice(at, at + rows))
        own = points[at : at + rows]
        found.append(np.stack([block.log_likelihood(t, shared=False) for t in own.T], axis=1))
    return np.concatenate(found)


def _answered_block(asked: Bank, values: PerItem) -> "_Block":
    row = np.asarray(values, dtype=float)[None, :]
    channels = [p.likelihood.channels(BareValues(row[:, p.positions])) for p in asked.parts]
    return _Block(asked, channels, slice(None))


def _part_channels(bank: Bank, part: BankPart, responses: Responses) -> list[Matrix | None]:
    """Channels of one model's items, which other models' responses need not suit."""
    is_alone = len(part.positions) == responses.shape[1]
    own = responses if is_alone else responses.take(columns=part.positions.tolist())
    if isinstance(part.model, HasCategories):
        check_answers(bank, part, own.array())
    else:
        check_answers(bank, part, own.observed_values()[None])
    return part.likelihood.channels(own)


def _prior(bank: Bank, mean: float | None, sd: float | None) -> tuple[float, float]:
    """The prior that was asked for, or the bank's population within what can be integrated."""
    if not (sd is None or 0.01 <= sd <= 5.0) or not (mean is None or abs(mean) <= 5.0):
        raise ModelError(
            "prior_sd must lie between 0.01 and 5 and prior_mean between -5 and 5.",
            f"Got prior_mean={mean}, prior_sd={sd}.",
            "Leave them out for the population of the calibration.",
        )
    own_mean = float(np.clip(bank.ability_mean, -5.0, 5.0))
    own_sd = float(np.clip(bank.ability_sd, 0.01, 5.0))
    return own_mean if mean is None else mean, own_sd if sd is None else sd


# Slopes are exact; their differences over this distance lose no digit that matters.
_STEP = 1e-4


class _Block:
    """Some respondents' channels with the items they belong to: sums over items at abilities.

    `shared` abilities are the same for all respondents (respondents × abilities out, by matrix
    products); otherwise each respondent has one (respondents out).
    """

    def __init__(self, bank: Bank, channels: list[list[Matrix | None]], rows: slice) -> None:
        self._parts = [
            (part, [None if c is None else _dense(c[rows]) for c in matrices])
            for part, matrices in zip(bank.parts, channels, strict=True)
        ]

    def log_likelihood(self, abilities: Array, shared: bool) -> Array:
        return self._total(
            abilities, shared, lambda lik, t, v: lik.curves(NUMPY, t, v), lambda lik, m: m
        )

    def slope(self, abilities: Array, shared: bool) -> Array:
        return self._total(
            abilities, shared, lambda lik, t, v: lik.ability_slopes(NUMPY, t, v), lambda lik, m: m
        )

    def information(self, abilities: Array, shared: bool) -> Array:
        return self._total(
            abilities, shared, lambda lik, t, v: [lik.ability_information(NUMPY, t, v)], _weights
        )

    def curvature(self, abilities: PerRespondent) -> PerRespondent:
        """How sharply a respondent's own log-likelihood bends (observed information).

        Of grades it depends on which were given; elsewhere, and of shares, the expected
        information is taken.
        """
        if not any(isinstance(part.model, HasCategories) for part, _ in self._parts):
            return self.information(abilities, shared=False)
        ends = [self.slope(abilities + step, shared=False) for step in (_STEP, -_STEP)]
        return np.maximum((ends[1] - ends[0]) / (2 * _STEP), 1e-300)

    def warm_slope(self, abilities: Array, shared: bool) -> Array:
        """l′ + (I′ − E[l′l″])/(2I), whose root is Warm's estimate."""
        term = self._total(
            abilities, shared, lambda lik, t, v: [lik.bias_term(NUMPY, t, v)], _weights
        )
        information = np.maximum(self.information(abilities, shared), 1e-300)
        return self.slope(abilities, shared) + term / (2 * information)

    def _total(
        self,
        abilities: Array,
        shared: bool,
        curves: Callable[[Likelihood, Array, Array], list[Array]],
        matrices: Callable[[Likelihood, list[Array | None]], list[Array | None]],
    ) -> Array:
        total = np.zeros(())
        for part, channels in self._parts:
            likelihood = part.likelihood
            pairs = zip(
                matrices(likelihood, channels),
                curves(likelihood, abilities, part.values),
                strict=True,
            )
            for matrix, curve in pairs:
                if shared:
                    total = total + product(NUMPY, matrix, curve)
                else:
                    total = total + hadamard(NUMPY, matrix, curve.T).sum(axis=1)
        return total


def _weights(likelihood: Likelihood, channels: list[Array | None]) -> list[Array | None]:
    known = [channel for channel in channels if channel is not None]
    # Only the weight itself can stand for ones.
    return [likelihood.total_weight(known) if len(known) == len(channels) else None]


def _dense(matrix: RespondentsByItems) -> Array:
    return np.asarray(as_dense(matrix), dtype=float)


def _posterior_mean(block: _Block, mean: float, sd: float) -> tuple[PerRespondent, PerRespondent]:
    """Integrate over a fine grid; posteriors too narrow for it, around their own mode."""
    points = mean + sd * _STANDARD_POINTS
    log_values = block.log_likelihood(points, shared=True) - 0.5 * _STANDARD_POINTS**2
    average, spread = _moments(log_values, np.broadcast_to(points, log_values.shape))
    # The mode takes longest to find: only where the grid itself sees little spread.
    if not (spread < _SURELY_WIDE * sd).any():
        return average, spread
    mode, error = _posterior_mode(block, mean, sd)
    narrow = error < _NARROW * sd
    if narrow.any():
        offsets, log_weights = gauss_hermite(_HERMITE_POINTS)
        local = mode[:, None] + error[:, None] * offsets
        log_values = np.stack([block.log_likelihood(t, shared=False) for t in local.T], axis=1)
        log_values += log_weights - 0.5 * ((local - mean) / sd) ** 2
        own_average, own_spread = _moments(log_values, local)
        average = np.where(narrow, own_average, average)
        spread = np.where(narrow, own_spread, spread)
    return average, spread


def _moments(log_values: RowPoints, points: RowPoints) -> tuple[PerRow, PerRow]:
    """Mean and sd of normalised exp(log_values), row by row."""
    weights = np.exp(log_values - log_values.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    average = (weights * points).sum(axis=1)
    return average, np.sqrt((weights * (points - average[:, None]) ** 2).sum(axis=1))


def _posterior_mode(block: _Block, mean: float, sd: float) -> tuple[PerRespondent, PerRespondent]:
    mode = _highest(
        block.log_likelihood(_NODES, shared=True) - 0.5 * ((_NODES - mean) / sd) ** 2,
        lambda t, shared: block.slope(t, shared) - (t - mean) / sd**2,
    )
    return mode, 1.0 / np.sqrt(block.curvature(mode) + sd**-2)


def _likeliest(block: _Block, mean: float, sd: float) -> tuple[PerRespondent, PerRespondent]:
    ability = _highest(block.log_likelihood(_NODES, shared=True), block.slope)
    return ability, _standard_error(ability, block.curvature)


def _warm(block: _Block, mean: float, sd: float) -> tuple[PerRespondent, PerRespondent]:
    information = np.maximum(block.information(_NODES, shared=True), 1e-300)
    height = block.log_likelihood(_NODES, shared=True) + 0.5 * np.log(information)
    ability = _highest(height, block.warm_slope)
    return ability, _standard_error(ability, lambda t: block.information(t, shared=False))


_Solver = Callable[["_Block", float, float], tuple[PerRespondent, PerRespondent]]
_SOLVERS: Mapping[str, _Solver] = {
    "eap": _posterior_mean,
    "map": _posterior_mode,
    "ml": _likeliest,
    "wle": _warm,
}


def _standard_error(
    ability: PerRespondent, informed: Callable[[PerRespondent], PerRespondent]
) -> PerRespondent:
    is_finite = np.isfinite(ability)
    information = informed(np.where(is_finite, ability, 0.0))
    return np.where(is_finite, 1.0 / np.sqrt(np.maximum(information, 1e-300)), np.inf)


def _highest(
    height: Annotated[Array, axes("respondents nodes")], slope: Callable[[Array, bool], Array]
) -> PerRespondent:
    """Find the root of the slope at the highest peak; ±∞ where it rises up to the range's end.

    Parameters
    ----------
    height : what to maximise, at the nodes (respondents × nodes).
    slope : its derivative; peaks are where it falls through zero.
    """
    at_nodes = np.broadcast_to(slope(_NODES, True), height.shape)
    falls = (at_nodes[:, :-1] > 0) & (at_nodes[:, 1:] <= 0)
    candidates = np.where(falls, np.maximum(height[:, :-1], height[:, 1:]), -np.inf)
    best = candidates.argmax(axis=1)
    rows = np.arange(len(height))
    root = _root(slope, best, at_nodes[rows, best], at_nodes[rows, best + 1])
    end = np.where(height[:, 0] > height[:, -1], -np.inf, np.inf)
    return np.where(falls.any(axis=1), root, end)


def _root(
    slope: Callable[[Array, bool], Array],
    left: PerRespondent,
    at_low: PerRespondent,
    at_high: PerRespondent,
) -> PerRespondent:
    """Solve slope = 0 between neighbouring nodes by the Illinois method."""
    low, high = _NODES[left], _NODES[left + 1]
    middle = low
    before: Array | None = None
    for _ in range(_MOST_ROOT_STEPS):
        gap = at_low - at_high
        share = np.divide(at_low, gap, out=np.full_like(gap, 0.5), where=gap > 0)
        middle = low + np.clip(share, 0.0, 1.0) * (high - low)
        value = slope(middle, False)
        if np.abs(value).max() < 1e-12:
            break
        rises = value > 0
        # Halving the value at an end that stayed twice makes the bracket shrink from both sides.
        kept = np.where(rises == before, 0.5, 1.0)
        at_low, at_high = (
            np.where(rises, value, kept * at_low),
            np.where(rises, kept * at_high, value),
        )
        before = rises
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return middle
