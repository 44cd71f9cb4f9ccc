"""From a request to a test: rules by their names, never code."""

from collections.abc import Mapping, Sequence

from itemcurve.adaptive.ability.ability_test import AdaptiveTest
from itemcurve.adaptive.ability.exposure import Exposure
from itemcurve.adaptive.ability.stopping import (
    StopRule,
    ability_decided,
    ability_se,
    any_of,
    max_items,
    no_useful_item,
    score_half_width,
)
from itemcurve.adaptive.prediction.complete_responses import CompleteResponses
from itemcurve.adaptive.score.score_stopping import (
    better_than,
    first_of,
    score_decided,
    score_precision,
)
from itemcurve.adaptive.score.score_test import ScoreStop, ScoreTest
from itemcurve.adaptive.selection.catalogue import get_rule
from itemcurve.adaptive.selection.content_balance import ContentBalanced
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.selection.cost import CostAware
from itemcurve.bank.item_bank import Bank
from itemcurve.service.documents.session_documents import (
    NewScoreTest,
    NewSession,
    ScoreStopRules,
    StopRules,
)
from itemcurve.service.problems import ProblemError


def make_test(wanted: NewSession, bank: Bank) -> AdaptiveTest:
    """Make the test that was asked for."""
    return AdaptiveTest(
        bank,
        _select(wanted, bank),
        _stop(wanted.stop),
        ability_method=wanted.ability_method,
        exposure=Exposure(wanted.best, wanted.explore),
        respondent=wanted.respondent,
        seed=wanted.seed,
    )


def make_score_test(wanted: NewScoreTest, known: CompleteResponses) -> ScoreTest:
    """Make the test for the score that was asked for."""
    # A decision that may come at any answer needs intervals that hold at every look.
    is_sequence = wanted.stop.threshold is not None or wanted.stop.better_than is not None
    _check_names(known.items, weights=wanted.weights, groups=wanted.groups)
    return ScoreTest(
        known,
        min(wanted.max_items, len(known.items)),
        weights=wanted.weights,
        item_groups=wanted.groups,
        stop=_score_stop(wanted.stop),
        every_look=wanted.every_look or is_sequence,
        respondent=wanted.respondent,
        seed=wanted.seed,
    )


def _score_stop(wanted: ScoreStopRules) -> ScoreStop | None:
    rules: list[ScoreStop] = []
    if wanted.half_width is not None:
        rules.append(score_precision(wanted.half_width, at_least=wanted.at_least))
    if wanted.threshold is not None:
        rules.append(score_decided(wanted.threshold))
    if wanted.better_than is not None:
        rules.append(better_than(wanted.better_than))
    return first_of(*rules) if rules else None


def _check_names(items: Sequence[str], **given: Mapping[str, object] | None) -> None:
    """Refuse what does not name every item."""
    for name, values in given.items():
        missing = [] if values is None else [item for item in items if item not in values]
        if missing:
            detail = f"{name} must name every item; {len(missing)} are missing, the first is "
            raise ProblemError(422, "not-usable", f"{detail}{missing[0][:80]!r}.")


def _select(wanted: NewSession, bank: Bank) -> SelectionRule:
    rule = get_rule(wanted.select)
    _check_names(bank.items, costs=wanted.costs, groups=wanted.groups)
    if wanted.costs is not None:
        if not all(cost > 0 for cost in wanted.costs.values()):
            raise ProblemError(422, "not-usable", "costs must be above 0.")
        rule = CostAware(rule, wanted.costs)
    return rule if wanted.groups is None else ContentBalanced(rule, wanted.groups)


def _stop(wanted: StopRules) -> StopRule | None:
    least = wanted.at_least
    rules: list[StopRule] = []
    if wanted.max_items is not None:
        rules.append(max_items(wanted.max_items))
    if wanted.ability_se is not None:
        rules.append(ability_se(wanted.ability_se, at_least=least))
    if wanted.score_half_width is not None:
        rules.append(score_half_width(wanted.score_half_width, at_least=least))
    if wanted.no_useful_item is not None:
        rules.append(no_useful_item(wanted.no_useful_item))
    if wanted.ability_decided is not None:
        cut = wanted.ability_decided
        rules.append(ability_decided(cut.cut, cut_se=cut.cut_se, confidence=cut.confidence))
    return any_of(*rules) if rules else None
