"""A test from first to last item."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.selection.content_balance import ContentBalanced
from itemcurve.adaptive.selection.cost import CostAware
from itemcurve.adaptive.selection.fisher import Fisher
from itemcurve.errors import ModelError, ResponsesError

SELECT = ("fisher", "kl", "weighted-kl", "posterior-variance", "random", "combined")


def run(test, bank, answer):
    while (item := test.next_item()) is not None:
        test.record(item, answer(bank, item))
    return test


@pytest.mark.parametrize("select", SELECT)
@pytest.mark.parametrize("method", ["eap", "map", "ml", "wle"])
def test_every_rule_and_method_measures_a_respondent(bank, answer, select, method):
    stop = ic.stopping.max_items(25)
    test = run(ic.AdaptiveTest(bank, select, stop, ability_method=method, seed=3), bank, answer)
    assert len(test.answers) == 25
    assert len({given.item for given in test.answers}) == 25
    assert abs(test.ability - 0.7) < 4 * test.ability_se < 3
    assert test.stop_reason == "25 items answered"
    assert test.score.lower < float(test.score) < test.score.upper


@pytest.mark.parametrize("select", SELECT)
def test_items_of_different_models_are_asked_on_one_scale(mixed_bank, answer, select):
    test = ic.AdaptiveTest(mixed_bank, select, ic.stopping.max_items(30), seed=1)
    kinds = set()
    while (item := test.next_item()) is not None:
        kinds.add(item[0])
        value = answer(mixed_bank, item)
        test.record(item, value if item[0] == "q" else 0.3 + 0.4 * value)
    assert kinds == {"q", "s"}
    assert np.isfinite([test.ability, test.ability_se]).all()


@pytest.mark.parametrize("model", ["beta3", "gamma", "logit-normal", "2pl-nd", "4pl"])
def test_every_model_has_adaptive_tests(model):
    truth = ic.simulate(model, respondents=40, items=20, seed=2)
    fit = ic.fit(truth.responses, model, on_failure="ignore")
    for select in SELECT:
        test = ic.AdaptiveTest(fit.bank, select, ic.stopping.max_items(8), seed=0)
        row = truth.responses.array()[3]
        while (item := test.next_item()) is not None:
            test.record(item, row[fit.bank.positions([item])[0]])
        assert np.isfinite([test.ability, test.ability_se, float(test.score)]).all()


def test_the_prior_of_an_absolute_scale_is_the_population_of_the_fit():
    truth = ic.simulate("beta3", respondents=60, items=20, seed=1)
    fit = ic.fit(truth.responses, "beta3")
    assert fit.bank.ability_sd > 1.2
    test = ic.AdaptiveTest(fit.bank)
    assert (test.ability, test.ability_se) == (fit.bank.ability_mean, fit.bank.ability_sd)


def test_a_rule_of_ones_own_is_a_function_of_bank_and_state(bank):
    def hardest(bank, state):
        return bank.parts[0].values[:, 1]

    test = ic.AdaptiveTest(bank, hardest, ic.stopping.max_items(1))
    hardest_place = bank.parts[0].values[:, 1].argmax()
    assert test.next_item() == bank.items[hardest_place]


def test_asking_twice_gives_the_same_item(bank):
    test = ic.AdaptiveTest(bank, "random", seed=5)
    assert test.next_item() == test.next_item()
    assert test.next_batch(4) == test.next_batch(4)
    assert len(test.pending) == 4


def test_a_batch_is_not_the_best_items_of_one_ability(bank):
    test = ic.AdaptiveTest(bank)
    batch = test.next_batch(12)
    best = np.argsort(-bank.information(0.0)[0])[:12]
    assert len(set(batch)) == 12
    assert set(batch) != {bank.items[place] for place in best}
    spread = bank.parts[0].values[bank.positions(batch), 1].std()
    assert spread > bank.parts[0].values[best, 1].std()


def test_a_batch_ends_where_the_test_does(bank, answer):
    stop = ic.stopping.any_of(ic.stopping.max_items(20), ic.stopping.ability_se(0.01))
    test = ic.AdaptiveTest(bank, stop=stop)
    sizes = []
    while batch := test.next_batch(8):
        sizes.append(len(batch))
        test.record_many({item: answer(bank, item) for item in batch})
    assert sizes == [8, 8, 4]


def test_content_balancing_keeps_the_shares(bank, answer):
    groups = {item: "a" if int(item[1:]) < 15 else "b" for item in bank.items}
    rule = ContentBalanced(Fisher(), groups, {"a": 0.6, "b": 0.4})
    test = run(ic.AdaptiveTest(bank, rule, ic.stopping.max_items(20)), bank, answer)
    assert sum(groups[given.item] == "a" for given in test.answers) == 12


def test_cheap_items_are_asked_before_dear_ones(bank):
    costs = {item: 1.0 if int(item[1:]) % 2 else 50.0 for item in bank.items}
    batch = ic.AdaptiveTest(bank, CostAware(Fisher(), costs)).next_batch(10)
    assert all(costs[item] == 1.0 for item in batch)


def test_randomesque_draws_among_the_best_and_records_the_chance(bank):
    best = {bank.items[place] for place in np.argsort(-bank.information(0.0)[0])[:5]}
    firsts = {ic.AdaptiveTest(bank, exposure=5, seed=seed).next_item() for seed in range(60)}
    assert firsts == best
    assert _first_probability(bank, exposure=5) == pytest.approx(1 / 5)
    assert _first_probability(bank, select="random") == pytest.approx(1 / 60)
    explored = _first_probability(bank, exposure=ic.selection.Exposure(best=1, explore=0.3))
    assert min(abs(explored - 0.7 - 0.3 / 60), abs(explored - 0.3 / 60)) < 1e-12


def _first_probability(bank, **settings):
    test = ic.AdaptiveTest(bank, **settings)
    test.next_item()
    return test.pending[0].probability


def test_uncertain_items_widen_the_standard_error():
    truth = ic.simulate("2pl", respondents=25, items=40, seed=3)
    fit = ic.fit(truth.responses, "2pl")
    row = dict(zip(fit.bank.items, truth.responses.array()[0], strict=True))
    test = ic.AdaptiveTest(fit.bank)
    test.record_many(row)
    known = ic.score(fit.bank, truth.responses.take([0])).ability_se[0]
    assert known < test.ability_se < 2 * known


def test_decisions_stop_a_test(bank, answer):
    above = run(ic.AdaptiveTest(bank, stop=ic.stopping.ability_decided(-1.5)), bank, answer)
    assert above.stop_reason == "ability above -1.5"
    groups = ic.stopping.group_decided((-2.0, 0.5), (1.0, 0.5), confidence=0.99)
    group = run(ic.AdaptiveTest(bank, stop=groups), bank, answer)
    assert group.stop_reason == "belongs to the second group"
    assert len(group.answers) < 20


def test_stop_rules_combine(bank, answer):
    rules = ic.stopping.ability_se(0.3), ic.stopping.max_items(30)
    first = run(ic.AdaptiveTest(bank, stop=ic.stopping.any_of(*rules)), bank, answer)
    last = run(ic.AdaptiveTest(bank, stop=ic.stopping.all_of(*rules)), bank, answer)
    assert len(first.answers) < 30 <= len(last.answers)
    half = ic.stopping.any_of(
        ic.stopping.score_half_width(0.08, at_least=3), ic.stopping.max_items(60)
    )
    scored = run(ic.AdaptiveTest(bank, stop=half), bank, answer)
    assert (scored.score.upper - scored.score.lower) / 2 <= 0.08
    useless = run(ic.AdaptiveTest(bank, stop=ic.stopping.no_useful_item(0.3)), bank, answer)
    assert useless.stop_reason == "no item left with information 0.3"


def test_all_items_answered_ends_a_test(bank, answer):
    test = run(ic.AdaptiveTest(bank), bank, answer)
    assert test.next_item() is None
    assert test.stop_reason == "all items answered"
    mean = np.mean([given.response for given in test.answers])
    assert float(test.score) == pytest.approx(mean)
    assert test.score.lower == pytest.approx(test.score.upper)


@pytest.mark.parametrize(
    ("item", "response", "words"),
    [
        ("nobody", 1, "not, the first is 'nobody'"),
        ("q1", 0.5, "0 or 1"),
        ("q1", float("nan"), "finite number"),
        ("q1", "yes", "finite number"),
        ("q0", 1, "answer already"),
    ],
)
def test_answers_that_cannot_be_are_refused_and_change_nothing(bank, item, response, words):
    test = ic.AdaptiveTest(bank)
    test.record("q0", 1)
    before = test.ability
    with pytest.raises(ResponsesError, match=words):
        test.record(item, response)
    with pytest.raises(ResponsesError, match=words):
        test.record_many([("q5", 1), (item, response)])
    assert len(test.answers) == 1
    assert test.ability == before


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"select": "best"}, "selection rule"),
        ({"select": 3}, "selection rule"),
        ({"stop": 50}, "stop must be a rule"),
        ({"ability_method": "mle"}, "ability method"),
        ({"seed": -1}, "seed"),
        ({"exposure": 0}, "at least 1"),
    ],
)
def test_wrong_settings_are_refused(bank, settings, words):
    with pytest.raises(ModelError, match=words):
        ic.AdaptiveTest(bank, **settings)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ic.stopping.max_items(0),
        lambda: ic.stopping.ability_se(0),
        lambda: ic.stopping.score_half_width(-1),
        lambda: ic.stopping.ability_decided(float("nan")),
        lambda: ic.stopping.group_decided((0, 1), (1, 0)),
        lambda: ic.stopping.any_of(),
        lambda: ic.stopping.all_of(3),
        lambda: ic.selection.Exposure(best=1, explore=2),
    ],
)
def test_rules_that_decide_nothing_are_refused(make):
    with pytest.raises(ModelError):
        make()


def test_an_empty_bank_is_refused(bank):
    with pytest.raises(ModelError, match="empty bank"):
        ic.AdaptiveTest(bank.take([]))
    with pytest.raises(ModelError, match=r"Use fit\.bank"):
        ic.AdaptiveTest("run")
    with pytest.raises(ModelError, match="at least one item"):
        ic.AdaptiveTest(bank).next_batch(0)
