"""Rules grown and pruned class by class, after RIPPER (Cohen, 1995)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_random_state

from itemcurve_studies.classifiers.rule_lists import Condition, Rule, RuleListClassifier

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Order = NDArray[np.intp]


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
        rarest = np.argsort(np.bincount(codes), kind="stable")
        order = sort_rows(X)
        self.rules_: list[Rule] = []
        for code in rarest[:-1]:
            for _ in range(self.most):
                rule = self._find(X, codes == code, int(code), random, order)
                if rule is None:
                    break
                self.rules_.append(rule)
                is_left = ~rule.covers(X)
                X, codes, order = X[is_left], codes[is_left], _renumber(order, is_left)
        self.default_ = int(np.bincount(codes).argmax()) if len(codes) else int(rarest[-1])
        return self

    def _find(self, X: Numbers, is_own: Mask, code: int, random: Any, order: Order) -> Rule | None:
        """Give the next rule of a class; None when none is good enough."""
        if is_own.sum() < self.least:
            return None
        grows = _draw_part(is_own, random)
        grown = grow_rule(X, is_own, self.least, keep_rows(order, grows))
        # With few instances the last third may hold none of the class; then all judge.
        judges = ~grows if is_own[~grows].any() else np.ones(len(X), dtype=bool)
        conditions = prune_rule(grown, X[judges], is_own[judges])
        rule = Rule(tuple(conditions), code)
        covered = rule.covers(X[judges])
        hits = int((covered & is_own[judges]).sum())
        is_good = bool(conditions) and 2 * hits > int(covered.sum())
        return rule if is_good and rule.covers(X).any() else None


def grow_rule(X: Numbers, is_own: Mask, least: int, order: Order | None = None) -> list[Condition]:
    """Add the condition with the largest gain until no other class is covered.

    Parameters
    ----------
    order : rows as `sort_rows` gives them, or some of them; only these count.
    """
    found: list[Condition] = []
    order = sort_rows(X) if order is None else order
    while not is_own[order[0]].all():
        condition = best_condition(X, is_own, least, order)
        if condition is None:
            break
        found.append(condition)
        order = keep_rows(order, condition.holds(X))
    return found


def sort_rows(X: Numbers) -> Order:
    """Give the rows in the order of each feature (features × rows), equal ones as they come."""
    return np.argsort(X.T, axis=1, kind="stable")


def keep_rows(order: Order, is_kept: Mask) -> Order:
    """Leave rows out of such an order, which stays sorted: far quicker than to sort again."""
    return order[is_kept[order]].reshape(len(order), -1)


def _renumber(order: Order, is_kept: Mask) -> Order:
    """Leave rows out, as `keep_rows` does, and number the others as they stand without these."""
    return (np.cumsum(is_kept) - 1)[keep_rows(order, is_kept)]


def best_condition(
    X: Numbers, is_own: Mask, least: int, order: Order | None = None
) -> Condition | None:
    """Give the condition with the largest gain p·(log p/(p+n) − log P/(P+N)); None without gain."""
    order = sort_rows(X) if order is None else order
    ordered = np.take_along_axis(X.T, order, axis=1)
    hits = np.cumsum(is_own[order], axis=1)
    count, total = order.shape[1], float(hits[0, -1])
    before = np.log2(is_own[order[0]].mean())
    features, places = np.nonzero(np.diff(ordered, axis=1) > 0)
    own, size = hits[features, places].astype(np.float64), places + 1.0
    best, found = 1e-9, None
    for is_above, inside, among in ((False, own, size), (True, total - own, count - size)):
        usable = np.flatnonzero(inside >= least)
        if not len(usable):
            continue
        inside, among = inside[usable], among[usable]
        gain = inside * (np.log2(np.maximum(inside, 1e-9) / among) - before)
        if gain.max() > best:
            best = float(gain.max())
            # Of equal ones the fewest rows below, then the first feature.
            equal = usable[gain == best]
            at = equal[np.lexsort((features[equal], places[equal]))[0]]
            feature, place = int(features[at]), int(places[at])
            low, high = ordered[feature, place], ordered[feature, place + 1]
            middle = (low + high) / 2
            threshold = float(middle if low <= middle < high else low)
            found = Condition(feature, threshold, is_above)
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
