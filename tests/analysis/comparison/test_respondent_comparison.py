"""Two respondents on the same items."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError


def binary(gained, lost, same=60, wrong=20):
    old = [0] * gained + [1] * lost + [1] * same + [0] * wrong
    new = [1] * gained + [0] * lost + [1] * same + [0] * wrong
    return ic.Responses.from_array([old, new], ["old", "new"])


def test_right_and_wrong_answers_get_mcnemars_test_and_a_score_interval():
    found = ic.compare_respondents(binary(14, 6), "old", "new")
    assert found.difference == pytest.approx(0.08)
    assert (found.n_better, found.n_worse, found.n_items) == (14, 6, 100)
    assert found.p_value == pytest.approx(ic.paired.mcnemar(14, 6))
    assert found.lower < found.difference < found.upper
    assert "McNemar" in found.method


def test_swapping_the_two_turns_everything_round():
    one = ic.compare_respondents(binary(14, 6), "old", "new")
    other = ic.compare_respondents(binary(14, 6), "new", "old")
    assert other.difference == -one.difference
    assert (other.lower, other.upper) == pytest.approx((-one.upper, -one.lower))
    assert other.p_value == one.p_value


def test_graded_scores_get_the_paired_t_test():
    scores = np.random.default_rng(0).random((2, 70))
    found = ic.compare_respondents(ic.Responses.from_array(scores, ["a", "b"]), "a", "b")
    expected = ttest_rel(scores[1], scores[0])
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-10)
    reach = expected.confidence_interval(0.9)
    assert (found.lower, found.upper) == pytest.approx((reach.low, reach.high), abs=1e-10)


def test_repeats_are_not_items():
    random = np.random.default_rng(1)
    counts = random.binomial(5, 0.6, size=(2, 40))
    long = [
        (name, f"q{item}", value, weight)
        for name, row in zip("ab", counts, strict=True)
        for item, k in enumerate(row)
        for value, weight in ((1, k), (0, 5 - k))
        if weight
    ]
    import pandas

    table = pandas.DataFrame(long, columns=["respondent", "item", "response", "weight"])
    found = ic.compare_respondents(ic.Responses.from_frame(table), "a", "b")
    expected = ttest_rel(counts[1] / 5, counts[0] / 5)
    assert found.n_items == 40
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-10)
    assert "repeats" in found.method


def test_lower_is_better_for_losses():
    losses = np.random.default_rng(2).random((2, 30))
    losses[1] -= 0.2
    responses = ic.Responses.from_array(losses, ["a", "b"])
    found = ic.compare_respondents(responses, "a", "b", is_higher_better=False)
    assert found.difference == pytest.approx((losses[0] - losses[1]).mean())
    assert found.score_b == pytest.approx(losses[1].mean())
    assert (found.flips()["difference"] > 0).sum() == found.n_better


def test_clusters_widen_the_interval_where_items_go_together():
    random = np.random.default_rng(3)
    codes = np.repeat(np.arange(25), 8)
    chance = np.clip(0.6 + 0.35 * random.normal(size=(2, 25))[:, codes], 0.02, 0.98)
    responses = ic.Responses.from_array((random.random((2, 200)) < chance).astype(int), ["a", "b"])
    alone = ic.compare_respondents(responses, "a", "b")
    together = ic.compare_respondents(responses, "a", "b", clusters=codes.tolist())
    assert together.upper - together.lower > 1.2 * (alone.upper - alone.lower)
    assert "25 clusters" in together.method
    by_name = dict(zip(responses.items, codes.tolist(), strict=True))
    again = ic.compare_respondents(responses, "a", "b", clusters=by_name)
    assert again.lower == together.lower


def test_two_runs_are_matched_by_the_ids_of_their_items():
    old = ic.Responses.from_array([[1, 0, 1, 1]], ["m"], ["q1", "q2", "q3", "q4"])
    new = ic.Responses.from_array([[1, 1, 0]], ["m"], ["q4", "q2", "q9"])
    found = ic.compare_respondents(old, others=new)
    assert found.pairs.items == ("q2", "q4")
    assert found.difference == 0.5
    assert found.missing.apart == (2, 1)
    assert (found.a, found.b) == ("m", "m (other run)")


def test_what_is_missing_is_said_and_counted_as_the_worst_beside():
    answers = np.ones((2, 40))
    answers[1, :6] = np.nan
    answers[0, 5:8] = np.nan
    responses = ic.Responses.from_array(answers, ["a", "b"])
    found = ic.compare_respondents(responses, "a", "b")
    assert (found.missing.first, found.missing.second, found.missing.both) == (2, 5, 1)
    assert found.n_items == 32
    assert found.difference == 0
    assert found.as_worst is not None
    assert found.as_worst.difference == pytest.approx(-3 / 40)
    text = str(found)
    assert "b has no answer to 5 items that a answered; a has 1.000 there" in text
    assert "counted as the worst, the difference is -0.0750" in text
    worst = ic.compare_respondents(responses, "a", "b", missing="worst")
    assert worst.difference == found.as_worst.difference
    assert worst.as_worst is None


def test_flips_list_what_got_worse_first_with_words_where_known():
    found = ic.compare_respondents(binary(2, 1, 3, 0), "old", "new")
    table = found.flips(texts={"item_3": "Why?"})
    assert table["change"].tolist() == ["worse", "better", "better"]
    assert table["item"].tolist() == ["item_3", "item_1", "item_2"]
    assert table["text"].tolist() == ["Why?", "", ""]
    assert found.flips("better")["item"].tolist() == ["item_1", "item_2"]


def test_respondents_who_never_differ_are_not_told_apart_for_certain():
    found = ic.compare_respondents(binary(0, 0, 40, 10), "old", "new")
    assert found.p_value == 1.0
    assert found.lower < 0 < found.upper
    assert found.detectable() > 0
    constant = ic.Responses.from_array([[0.2] * 9, [0.3] * 9], ["a", "b"])
    graded = ic.compare_respondents(constant, "a", "b")
    assert graded.lower < graded.difference < graded.upper


def test_ability_against_a_bank_stands_beside_the_score():
    truth = ic.simulate("2pl", respondents=300, items=60, seed=4)
    bank = ic.fit(truth.responses).bank
    names = truth.responses.respondents[:2]
    found = ic.compare_respondents(truth.responses, *names, bank=bank)
    scored = ic.score(bank, truth.responses, method="wle")
    assert found.ability is not None
    assert found.ability.difference == pytest.approx(scored.ability[1] - scored.ability[0])
    assert found.ability.error == pytest.approx(np.hypot(*scored.ability_se[:2]))
    strange = ic.Responses.from_array([[1, 0, 1]] * 2, ["a", "b"], ["x", "y", "z"])
    with pytest.raises(ModelError, match="knows none of the"):
        ic.compare_respondents(strange, "a", "b", bank=bank)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a": "old", "b": "old"}, "both are 'old'"),
        ({"a": "old", "b": "nobody"}, "given is 'nobody', there are old, new"),
        ({"a": "old"}, "given is None"),
        ({"a": "old", "b": "new", "clusters": [1, 2]}, "have none"),
        ({"a": "old", "b": "new", "clusters": {"item_01": 1}}, "have none"),
        ({"a": "old", "b": "new", "clusters": [1] * 100}, "2 clusters at least"),
    ],
)
def test_what_cannot_be_compared_is_refused(given, words):
    with pytest.raises(ResponsesError, match=words):
        ic.compare_respondents(binary(14, 6), **given)


def test_one_item_and_no_item_are_too_few():
    one = ic.Responses.from_array([[1], [0]], ["a", "b"])
    with pytest.raises(ResponsesError, match="share 1"):
        ic.compare_respondents(one, "a", "b")
    with pytest.raises(ResponsesError, match="they share none: one has 'x'"):
        ic.compare_respondents(
            ic.Responses.from_array([[1, 0]], ["a"], ["x", "y"]),
            others=ic.Responses.from_array([[1, 0]], ["a"], ["u", "v"]),
        )


@pytest.mark.parametrize("settings", [{"level": 1.0}, {"missing": "ignore"}])
def test_wrong_settings_are_refused(settings):
    with pytest.raises(ModelError, match="level between 0 and 1"):
        ic.compare_respondents(binary(3, 2), "old", "new", **settings)
