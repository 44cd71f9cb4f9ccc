"""When a test is over: rules that give a reason, or None to go on."""

from collections.abc import Callable
from dataclasses import dataclass
from math import erf, isfinite, sqrt

import numpy as np

from itemcurve.adaptive.ability.ability_state import AdaptiveState
from itemcurve.errors import ModelError
from itemcurve.numerics.engine import Array

StopRule = Callable[[AdaptiveState], str | None]
"""Says why the test is over, or None to go on."""


@dataclass(frozen=True)
class MaxItems:
    """After this many answers."""

    count: int

    def __post_init__(self) -> None:
        """Refuse a test without items."""
        _check(
            self.count >= 1,
            "max_items needs at least 1 item.",
            self.count,
            "Use stopping.max_items(50)",
        )

    def __call__(self, state: AdaptiveState) -> str | None:
        """Count the answers."""
        return f"{self.count} items answered" if len(state.answered) >= self.count else None


@dataclass(frozen=True)
class _Precise:
    """Once something is known this well, after at least some answers."""

    limit: float
    at_least: int = 1

    def __post_init__(self) -> None:
        """Refuse a precision that no test has."""
        _check(self.limit > 0, "A precision to reach must be above 0.", self.limit, "Use 0.2")


@dataclass(frozen=True)
class AbilitySe(_Precise):
    """Once ability is known this well."""

    def __call__(self, state: AdaptiveState) -> str | None:
        """Compare the standard error."""
        is_done = len(state.answered) >= self.at_least and state.ability_se <= self.limit
        return f"standard error of ability at most {self.limit:g}" if is_done else None


@dataclass(frozen=True)
class ScoreHalfWidth(_Precise):
    """Once the score over the whole bank is known this well (90 % interval)."""

    def __call__(self, state: AdaptiveState) -> str | None:
        """Compare half the interval of the score."""
        if len(state.answered) < self.at_least:
            return None
        from itemcurve.adaptive.ability.score_of_ability_test import predict_state

        estimate = predict_state(state)
        is_done = (estimate.upper - estimate.lower) / 2 <= self.limit
        return f"half-width of the score at most {self.limit:g}" if is_done else None


@dataclass(frozen=True)
class NoUsefulItem:
    """Once no item left would tell more about ability than this (Fisher information)."""

    information: float = 0.01

    def __call__(self, state: AdaptiveState) -> str | None:
        """Look at the best item left."""
        if not state.is_available.any():
            return "no item left"
        best = float(state.bank.information(state.ability)[0][state.is_available].max())
        is_done = best < self.information
        return f"no item left with information {self.information:g}" if is_done else None


@dataclass(frozen=True)
class AbilityDecided:
    """Once ability is surely above or below a cut, or another respondent's ability.

    Parameters
    ----------
    cut, cut_se : the cut, or the other ability with its standard error.
    confidence : how sure.
    """

    cut: float
    cut_se: float = 0.0
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what decides nothing."""
        is_sound = isfinite(self.cut) and self.cut_se >= 0 and 0.5 < self.confidence < 1
        _check(is_sound, "A decision needs a finite cut and a confidence in (0.5, 1).", self, "")

    def __call__(self, state: AdaptiveState) -> str | None:
        """Compare the ability, as normal, with the cut."""
        error = sqrt(state.ability_se**2 + self.cut_se**2)
        if not len(state.answered) or not isfinite(error):
            return None
        above = 0.5 * (1 + erf((state.ability - self.cut) / (error * sqrt(2))))
        if max(above, 1 - above) < self.confidence:
            return None
        return f"ability {'above' if above > 0.5 else 'below'} {self.cut:g}"


@dataclass(frozen=True)
class GroupDecided:
    """Once the respondent surely belongs to one of two groups.

    Parameters
    ----------
    first, second : mean and standard deviation of ability in either group; equally likely before.
    confidence : how sure.
    """

    first: tuple[float, float]
    second: tuple[float, float]
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse what decides nothing."""
        is_sound = min(self.first[1], self.second[1]) > 0 and 0.5 < self.confidence < 1
        _check(is_sound, "Groups need sds above 0 and a confidence in (0.5, 1).", self, "")

    def __call__(self, state: AdaptiveState) -> str | None:
        """Compare how well each group explains the answers."""
        ends = [m + s * z for m, s in (self.first, self.second) for z in (-6.0, 6.0)]
        points = np.linspace(min(ends), max(ends), 401)
        likelihood = state.log_likelihood(points)
        likelihood = np.exp(likelihood - likelihood.max())
        masses = [
            float(likelihood @ _normal(points, *group)) for group in (self.first, self.second)
        ]
        share = masses[0] / max(sum(masses), 1e-300)
        if not len(state.answered) or max(share, 1 - share) < self.confidence:
            return None
        return f"belongs to the {'first' if share > 0.5 else 'second'} group"


@dataclass(frozen=True)
class Combined:
    """Several rules: over when any of them, or all of them, say so."""

    rules: tuple[StopRule, ...]
    is_any: bool = True

    def __call__(self, state: AdaptiveState) -> str | None:
        """Ask the rules."""
        reasons = [rule(state) for rule in self.rules]
        found = [reason for reason in reasons if reason]
        if self.is_any:
            return found[0] if found else None
        return "; ".join(found) if len(found) == len(reasons) else None


def items_left(rule: StopRule | None, state: AdaptiveState) -> float:
    """How many items a test may still hand out before a number of items ends it."""
    if isinstance(rule, MaxItems):
        return rule.count - len(state.answered) - len(state.handed_out)
    if isinstance(rule, Combined):
        found = [items_left(part, state) for part in rule.rules]
        return min(found) if rule.is_any else max(found)
    return float("inf")


def max_items(count: int) -> MaxItems:
    """Stop after this many answers."""
    return MaxItems(count)


def ability_se(limit: float, *, at_least: int = 1) -> AbilitySe:
    """Stop once the standard error of ability is this small, after at least some answers."""
    return AbilitySe(limit, at_least)


def score_half_width(limit: float, *, at_least: int = 1) -> ScoreHalfWidth:
    """Stop once half the 90 % interval of the score over the whole bank is this small."""
    return ScoreHalfWidth(limit, at_least)


def no_useful_item(information: float = 0.01) -> NoUsefulItem:
    """Stop once no item left has this Fisher information."""
    return NoUsefulItem(information)


def ability_decided(cut: float, *, cut_se: float = 0.0, confidence: float = 0.95) -> AbilityDecided:
    """Stop once ability is surely above or below a cut, or the ability of another respondent."""
    return AbilityDecided(cut, cut_se, confidence)


def group_decided(
    first: tuple[float, float], second: tuple[float, float], *, confidence: float = 0.95
) -> GroupDecided:
    """Stop once the respondent surely belongs to one of two groups, given as (mean, sd)."""
    return GroupDecided(first, second, confidence)


def any_of(*rules: StopRule) -> Combined:
    """Stop as soon as one of the rules says so."""
    return _combined(rules, is_any=True)


def all_of(*rules: StopRule) -> Combined:
    """Stop as soon as all of the rules say so."""
    return _combined(rules, is_any=False)


def _combined(rules: tuple[StopRule, ...], is_any: bool) -> Combined:
    is_sound = bool(rules) and all(callable(rule) for rule in rules)
    _check(
        is_sound, "any_of and all_of take one rule or more.", rules, "Give stopping.max_items(50)"
    )
    return Combined(rules, is_any)


def _normal(points: Array, mean: float, sd: float) -> Array:
    return np.exp(-0.5 * ((points - mean) / sd) ** 2) / sd


def _check(is_sound: bool, must_hold: str, given: object, advice: str) -> None:
    if not is_sound:
        raise ModelError(must_hold, f"Got {given!r}.", f"{advice} if unsure." if advice else "")
