"""Differential item functioning: is an item harder for one group than for equally able others?

Uses: **contamination** (models released before and after an item was published: the later ones do
better on it than their ability says), **families** of models, **languages** of a prompt.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.special import chdtrc

from itemcurve.analysis.groups.difference_effects import (
    GroupCurves,
    ItemEffect,
    class_of,
    group_curves,
    item_effect,
)
from itemcurve.analysis.groups.difference_tests import (
    Flags,
    ItemTest,
    likelihood_ratio,
    score,
    wald,
)
from itemcurve.analysis.model_fit.item_fit import adjust
from itemcurve.bank.shown_errors import shown_errors
from itemcurve.errors import ConvergenceWarning, ModelError
from itemcurve.estimation.checked_responses import check_responses
from itemcurve.estimation.fit import read_settings
from itemcurve.estimation.groups.fit_groups import GroupData, Start, fit_groups, one_population
from itemcurve.estimation.groups.group_problem import GroupSolution
from itemcurve.estimation.groups.settings import (
    SCALAR,
    GroupCodes,
    Groups,
    match_items,
    read_groups,
)
from itemcurve.estimation.observed_categories import settle_categories
from itemcurve.estimation.status import FitStatus
from itemcurve.estimation.thread_limit import few_threads
from itemcurve.models.capabilities import completed
from itemcurve.models.catalogue import get_model
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array
from itemcurve.responses.matrix import Responses

if TYPE_CHECKING:
    import pandas

Test = Literal["auto", "likelihood-ratio", "wald", "score"]
_TESTS = {"likelihood-ratio": likelihood_ratio, "wald": wald, "score": score}
_MOST_ROUNDS = 10
# More items are tested by score: a fit for each would take minutes.
_MANY_ITEMS = 60
# How far twice the gain of the likelihood exceeds its limit in small groups (Bartlett's factor is
# 1 + c/n), measured on tables of 40 + 40 to 300 + 300 without any difference.
_EXCESS = 5.0


@dataclass(frozen=True, eq=False)
class ItemDifferences:
    """What is known of the difference of each item between groups.

    Attributes
    ----------
    items : their ids.
    groups : the groups, the reference first, and who is in which.
    test : name of the test.
    level : share of flagged items that may be flagged wrongly.
    statistic, degrees_of_freedom, p_value : of each item; NaN where it cannot be tested.
    effects : how much an item differs, None where it cannot be tested.
    flagged : items that differ, by `p_adjusted` and `level`.
    means, sds : of the groups' abilities, with flagged items free to differ.
    rounds : of purification.
    curves : what pictures show.
    status : how the fit ended in which items are judged.
    """

    items: tuple[str, ...]
    groups: GroupCodes
    test: str
    level: float
    statistic: Array
    degrees_of_freedom: Array
    p_value: Array
    effects: tuple[ItemEffect | None, ...]
    flagged: Flags
    means: Array
    sds: Array
    rounds: int
    curves: GroupCurves
    status: FitStatus = FitStatus.CONVERGED

    @property
    def p_adjusted(self) -> Array:
        """p-values adjusted for the number of items (Benjamini and Hochberg 1995)."""
        return adjust(self.p_value)

    def frame(self) -> "pandas.DataFrame":
        """One row per item, the most telling first.

        `difference` is by how much the group's expected response exceeds that of equally able
        respondents of the reference, averaged over the group, with its 95 % interval;
        `absolute_difference` counts curves that cross too. `size` is negligible below 5 % of the
        range of responses, moderate to 10 %, large above. Of several groups, the one that differs
        most is named.
        """
        import pandas

        rows = []
        for place, item in enumerate(self.items):
            effect = self.effects[place]
            row: dict[str, Any] = {
                "item": item,
                "statistic": self.statistic[place],
                "degrees_of_freedom": int(self.degrees_of_freedom[place]),
                "p_value": self.p_value[place],
                "p_adjusted": self.p_adjusted[place],
                "flagged": bool(self.flagged[place]),
            }
            rows.append(row | _effect_columns(effect, self.groups.names, self.flagged[place]))
        table = pandas.DataFrame(rows)
        return table.sort_values("p_value", kind="stable", ignore_index=True)

    def __str__(self) -> str:
        names = self.frame().loc[lambda table: table["flagged"], "item"].tolist()
        said = f"{len(names)} of {len(self.items)} items differ between groups"
        shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        return f"{said}: {shown}." if names else f"{said}."


def dif(
    responses: Responses,
    groups: Any,
    model: str | ItemModel = "2pl",
    *,
    test: Test = "auto",
    level: float = 0.05,
    anchors: Iterable[str] | None = None,
    purify: bool = True,
) -> ItemDifferences:
    """Find items that differ between groups of equally able respondents.

    Every item is tested with all others as anchors. Those that differ are freed and the others
    tested again, until the same items are found (purification): an item that differs would
    otherwise bend the scale that the others are judged on. Items have no priors here: what
    tests find is judged by how maximum likelihood varies.

    Parameters
    ----------
    responses : who answered what.
    groups : a label for each respondent, in order or by id, or `itemcurve.groups.Groups`, which can
        name the reference.
    model : of the items.
    test : `"likelihood-ratio"`, `"wald"` or `"score"`; `"auto"` takes the ratio for few items,
        else the score, which one fit gives for all items. In groups of fewer than 200 what looks
        striking to score or Wald is settled by the ratio.
    level : share of flagged items that may be flagged wrongly (false-discovery rate).
    anchors : items, or patterns, known to be the same in all groups; they are not tested.
    purify : whether to test again with flagged items free.

    Examples
    --------
    >>> import itemcurve as ic
    >>> truth = ic.simulate("2pl", respondents=400, items=10, seed=1)
    >>> found = ic.dif(truth.responses, groups=["old", "new"] * 200)
    >>> bool(found.flagged.any())
    False
    """
    data = read_data(responses, groups, model)
    fixed = np.zeros(len(responses.items), dtype=bool)
    if anchors is not None:
        fixed = match_items([anchors] if isinstance(anchors, str) else anchors, responses.items)
    answers = _fewest_answers(responses, data.groups)
    testable = ~fixed & (answers >= 2)
    if not testable.any() or (testable.all() and len(testable) < 3):
        raise ModelError(
            "Differences need items that every group answers, others to anchor the scale.",
            f"{int(testable.sum())} of {len(testable)} can be tested.",
            "Leave anchors out, or give responses of all groups to the same items.",
        )
    name = _chosen(test, data)
    with few_threads(responses):
        purified = _purified(data, name, level, testable, answers, purify)
        _warn(purified[0].optimum.status)
        return _summary(data, name, level, answers, purified)


_Purified = tuple[GroupSolution, Flags, list[ItemTest | None], int]


def _summary(
    data: GroupData, name: str, level: float, answers: Array, purified: _Purified
) -> ItemDifferences:
    base, flagged, found, rounds = purified
    means, sds = base.terms.population.moments(base.point.state)
    location, unit = means[0], sds[0]
    effects = tuple(None if own is None else item_effect(data, base, own) for own in found)
    return ItemDifferences(
        data.responses.items,
        data.groups,
        name,
        level,
        np.array([np.nan if own is None else own.statistic for own in found]),
        np.array([0 if own is None else own.degrees for own in found]),
        np.array(list(map(_p_value, found, answers))),
        effects,
        flagged,
        (means - location) / unit,
        sds / unit,
        rounds,
        group_curves(data, base, found),
        base.optimum.status,
    )


def _warn(status: FitStatus) -> None:
    if not status.is_converged:
        warnings.warn(
            f"The fit in which items are judged {status}. What is said of them may be wrong: give "
            "more respondents, fewer groups, or a model with fewer parameters.",
            ConvergenceWarning,
            stacklevel=3,
        )


def _purified(
    data: GroupData, name: str, level: float, testable: Flags, answers: Array, purify: bool
) -> _Purified:
    """Test and free items in turn, until the same ones are found."""
    flagged = np.zeros(len(testable), dtype=bool)
    base = fit_groups(data, SCALAR, flagged, one_population(data))
    seen: list[bytes] = []
    for rounds in range(1, _MOST_ROUNDS + 1):
        test = _TESTS[name](data, base, flagged)
        found = [test(item) if testable[item] else None for item in range(len(testable))]
        p_values = np.array(list(map(_p_value, found, answers)))
        now = np.nan_to_num(adjust(p_values), nan=1.0) <= level
        # Something must tell the scale.
        is_known = np.array_equal(now, flagged) or now.tobytes() in seen
        if is_known or not purify or now.sum() > 0.5 * len(now):
            return base, now, found, rounds
        seen.append(now.tobytes())
        flagged = now
        base = fit_groups(data, SCALAR, flagged, Start.near(base))
    return base, flagged, found, _MOST_ROUNDS


def read_data(responses: Responses, groups: Any, model: str | ItemModel) -> GroupData:
    """Responses, groups and a model without priors, checked."""
    if isinstance(responses, Responses):
        model = settle_categories(get_model(model), responses, has_priors=False)
    chosen, _, _ = read_settings(model, prior=None)
    if isinstance(responses, Responses):
        chosen = completed(chosen, responses.shape[1])
    check_responses(responses, chosen)
    wanted = groups if isinstance(groups, Groups) else Groups(groups)
    codes = read_groups(wanted, responses.respondents)
    return GroupData(responses, chosen, codes, np.zeros((responses.shape[0], 0)))


def _fewest_answers(responses: Responses, groups: GroupCodes) -> Array:
    """Answers to each item in the group that gave fewest."""
    counts = [
        responses.take(np.flatnonzero(groups.codes == group).tolist()).counts(axis=0)
        for group in range(len(groups.names))
    ]
    return np.min(counts, axis=0)


def _chosen(test: str, data: GroupData) -> str:
    if test in _TESTS:
        return test
    if test != "auto":
        raise ModelError(
            f"The test must be 'auto', {', '.join(map(repr, _TESTS))}.",
            f"Got {test!r}.",
            "Leave it out.",
        )
    return "likelihood-ratio" if len(data.responses.items) <= _MANY_ITEMS else "score"


def _p_value(own: ItemTest | None, answers: int) -> float:
    """Chance of so large a statistic without a difference.

    Parameters
    ----------
    answers : to this item, in the group that gave fewest.
    """
    if own is None or own.degrees < 1:
        return np.nan
    return float(chdtrc(own.degrees, own.statistic / (1.0 + _EXCESS / answers)))


def _effect_columns(
    effect: ItemEffect | None, names: tuple[str, ...], is_flagged: bool
) -> dict[str, Any]:
    if effect is None:
        nothing = dict.fromkeys(("difference", "lower", "upper", "absolute_difference"), np.nan)
        return {"group": "", **nothing, "size": "not tested"}
    place = int(np.argmax(effect.absolute))
    reach = 1.959964 * float(shown_errors(effect.error)[place])
    return {
        "group": names[place + 1],
        "difference": effect.signed[place],
        "lower": effect.signed[place] - reach,
        "upper": effect.signed[place] + reach,
        "absolute_difference": effect.absolute[place],
        "size": class_of(effect.absolute[place] / effect.range) if is_flagged else "none found",
    }
