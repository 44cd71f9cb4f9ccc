"""From a request to a test: rules by their names, never code."""

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
from itemcurve.adaptive.selection.catalogue import get_rule
from itemcurve.adaptive.selection.content_balance import ContentBalanced
from itemcurve.adaptive.selection.contract import SelectionRule
from itemcurve.adaptive.selection.cost import CostAware
from itemcurve.bank.item_bank import Bank
from itemcurve.service.documents.session_documents import NewSession, StopRules
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


def _select(wanted: NewSession, bank: Bank) -> SelectionRule:
    rule = get_rule(wanted.select)
    for given, name in ((wanted.costs, "costs"), (wanted.groups, "groups")):
        if given is not None and (missing := [item for item in bank.items if item not in given]):
            detail = f"{name} must name every item; {len(missing)} are missing, the first is "
            raise ProblemError(422, "not-usable", f"{detail}{missing[0][:80]!r}.")
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
