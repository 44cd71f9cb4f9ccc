"""Rules grown and pruned class by class, after RIPPER (Cohen, 1995)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_random_state

from itemcurve_studies.classifiers.rule_lists import Condition, Rule, RuleListClassifier

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]


class CoveringRules(RuleListClassifier):
    """Sequential covering: rules for the rarest class first, the most frequent is the default.

    A rule grows on two thirds of the instances left by the condition with the largest gain of
    FOIL, until it covers no other class; on the last third its final conditions are cut while
    (p − n) / (p + n) rises. A class has its rules when the next is wrong in half of the last third
    or more. RIPPER also ends by description length, and goes over its rules twice again.

    Parameters
    ----------
    least : instances of its class that a rule covers at least when it is grown.
    most : rules of one class.
    """

    def __init__(self, least: int = 2, most: int = 50, random_state: int | None = None) -> None:
        self.least = least
        self.most = most
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "CoveringRules":
        """Find the rules."""
        X, codes = self._read(X, y)
        random = check_random_state(self.random_state)
        order = np.argsort(np.bincount(codes), kind="stable")
        left = np.arange(len(X))
        self.rules_: list[Rule] = []
        for code in order[:-1]:
            for _ in range(self.most):
                rule = self._find(X[left], codes[left] == code, int(code), random)
                if rule is None:
                    break
                self.rules_.append(rule)
                left = left[~rule.covers(X[left])]
        self.default_ = int(np.bincount(codes[left]).argmax()) if len(left) else int(order[-1])
        return self

    def _find(self, X: Numbers, is_own: Mask, code: int, random: Any) -> Rule | None:
        """Give the next rule of a class; None when none is good enough."""
        if is_own.sum() < self.least:
            return None
        grows = _draw_part(is_own, random)
        grown = grow_rule(X[grows], is_own[grows], self.least)
        # With few instances the last third may hold none of the class; then all judge.
        judges = ~grows if is_own[~grows].any() else np.ones(len(X), dtype=bool)
        conditions = prune_rule(grown, X[judges], is_own[judges])
        rule = Rule(tuple(conditions), code)
        covered = rule.covers(X[judges])
        hits = int((covered & is_own[judges]).sum())
        is_good = bool(conditions) and 2 * hits > int(covered.sum())
        return rule if is_good and rule.covers(X).any() else None


def grow_rule(X: Numbers, is_own: Mask, least: int) -> list[Condition]:
    """Add the condition with the largest gain until no other class is covered."""
    found: list[Condition] = []
    rows = np.arange(len(X))
    while not is_own[rows].all():
        condition = best_condition(X[rows], is_own[rows], least)
        if condition is None:
            break
        found.append(condition)
        rows = rows[condition.holds(X[rows])]
    return found


def best_condition(X: Numbers, is_own: Mask, least: int) -> Condition | None:
    """Give the condition with the largest gain p·(log p/(p+n) − log P/(P+N)); None without gain."""
    order = np.argsort(X, axis=0, kind="stable")
    ordered = np.take_along_axis(X, order, axis=0)
    hits = np.cumsum(is_own[order], axis=0)[:-1].astype(np.float64)
    sizes = np.arange(1, len(X))[:, np.newaxis].astype(np.float64)
    total, before = float(is_own.sum()), np.log2(is_own.mean())
    is_cut = np.diff(ordered, axis=0) > 0
    best, found = 1e-9, None
    for is_above, own, size in ((False, hits, sizes), (True, total - hits, len(X) - sizes)):
        usable = is_cut & (own >= least)
        gain = np.where(usable, own * (np.log2(np.maximum(own, 1e-9) / size) - before), -1.0)
        place = int(gain.argmax()) if gain.size else 0
        if gain.size and gain.flat[place] > best:
            best = float(gain.flat[place])
            row, feature = np.unravel_index(place, gain.shape)
            low, high = ordered[row, feature], ordered[row + 1, feature]
            middle = (low + high) / 2
            threshold = float(middle if low <= middle < high else low)
            found = Condition(int(feature), threshold, is_above)
    return found


def prune_rule(conditions: list[Condition], X: Numbers, is_own: Mask) -> list[Condition]:
    """Keep the first conditions with the largest (p − n) / (p + n) on these instances."""
    covered = np.ones(len(X), dtype=bool)
    best, kept = -1.0, 0
    for count, condition in enumerate(conditions, 1):
        covered &= condition.holds(X)
        size = int(covered.sum())
        worth = (2 * int((covered & is_own).sum()) - size) / size if size else -1.0
        if worth > best:
            best, kept = worth, count
    return conditions[: max(kept, min(1, len(conditions)))]


def _draw_part(is_own: Mask, random: Any) -> Mask:
    """Draw two thirds, of the class and of the others alike."""
    found = np.zeros(len(is_own), dtype=bool)
    for part in (np.flatnonzero(is_own), np.flatnonzero(~is_own)):
        found[random.permutation(part)[: -(-2 * len(part) // 3)]] = True
    return found
