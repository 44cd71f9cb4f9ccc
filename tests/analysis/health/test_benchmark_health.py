"""Benchmark health: what was planted is found, what was not is not."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.health.headroom import measure_headroom
from itemcurve.analysis.health.item_counts import group_items, item_rest
from itemcurve.analysis.health.key_evidence import weigh_keys
from itemcurve.analysis.health.option_votes import count_votes
from itemcurve.analysis.model_fit.margin_permutation import permute_within_margins
from itemcurve.errors import ResponsesError
from itemcurve.responses.chosen_options import ChosenOptions


def draw(respondents=80, items=200, seed=1, model="2pl"):
    drawn = ic.simulate(model, respondents=respondents, items=items, seed=seed)
    return np.asarray(drawn.responses.array(), dtype=float)


def judge(values, **settings):
    return ic.health(ic.Responses.from_array(values), **settings)


def test_permuted_answers_keep_both_margins_and_missing_cells():
    values = draw()
    values[np.random.default_rng(0).random(values.shape) < 0.2] = np.nan
    drawn = permute_within_margins(values, np.random.default_rng(1))
    assert np.array_equal(np.isnan(drawn), np.isnan(values))
    for axis in (0, 1):
        assert np.nansum(drawn, axis=axis).tolist() == np.nansum(values, axis=axis).tolist()
    assert np.mean(drawn[~np.isnan(drawn)] != values[~np.isnan(values)]) > 0.1


def test_permuted_tables_with_the_same_margins_are_equally_likely():
    # Of 2 × 2 and 3 × 3 permutation matrices there are 2 and 6; each must come as often.
    random = np.random.default_rng(3)
    seen = {}
    for _ in range(1200):
        drawn = permute_within_margins(np.eye(3), random)
        seen[drawn.tobytes()] = seen.get(drawn.tobytes(), 0) + 1
    assert len(seen) == 6
    assert 150 < min(seen.values()) <= max(seen.values()) < 260


def test_permuted_scores_keep_the_means_of_items():
    scores = np.clip(draw() * 0.6 + np.random.default_rng(0).random((80, 200)) * 0.4, 0, 1)
    drawn = permute_within_margins(scores, np.random.default_rng(1))
    assert np.abs(drawn.mean(axis=0) - scores.mean(axis=0)).max() < 0.05
    assert (drawn.min(), drawn.max()) >= (0, 0)
    assert drawn.max() <= 1


def test_dead_and_saturated_items_are_counted():
    values = draw()
    values[:, :3], values[:, 3:5], values[:, 5] = 1, 0, 1
    values[0, 5] = 0
    found = judge(values)
    checks = found.checks().set_index("check")["items"]
    table = found.frame()
    assert (table["condition"][:3] == "all right").all()
    assert (table["condition"][3:5] == "all wrong").all()
    assert table["condition"][5] == "saturated"
    assert checks["all right"] == (table["mean_response"] == 1).sum()
    assert checks["all wrong"] == (table["mean_response"] == 0).sum()


def test_few_respondents_agree_by_chance_and_that_is_said():
    found = judge((np.random.default_rng(0).random((6, 300)) < 0.9).astype(float))
    row = found.checks().set_index("check").loc["all right"]
    # All items are equally hard: what is all right is so by chance.
    assert row["items"] == pytest.approx(row["by_chance"], rel=0.25)


def test_copies_are_redundant_and_others_are_not():
    values = draw()
    values[:, 10], values[:, 20] = values[:, 11], values[:, 21]
    found = judge(values)
    pairs = set(zip(found.redundant.first, found.redundant.second, strict=True))
    assert pairs == {("item_011", "item_012"), ("item_021", "item_022")}
    assert found.redundant.pairs_by_chance <= 0.2
    assert len(judge(draw()).redundant_pairs()) == 0


@pytest.mark.parametrize("model", ["2pl", "3pl"])
def test_right_keys_are_not_suspected(model):
    for seed, shape in enumerate([(80, 200), (30, 300), (150, 100)]):
        found = judge(draw(*shape, seed, model))
        assert found.keys.is_suspect.sum() == 0
        assert len(found.suspect_keys()) == 0


def plant(values, share=0.05, seed=0):
    """Give some items another key of four: those who erred are now right, one in three."""
    random = np.random.default_rng(seed)
    planted = random.choice(values.shape[1], int(share * values.shape[1]), replace=False)
    changed = values.copy()
    lands = random.random((len(values), planted.size)) < 1 / 3
    changed[:, planted] = (1 - values[:, planted]) * lands
    return changed, planted


def test_planted_wrong_keys_come_first_and_lowest_means_do_not_find_them():
    precision, by_mean = [], []
    for seed in range(3):
        values, planted = plant(draw(80, 400, seed), seed=seed)
        first = np.argsort(-judge(values, seed=seed).keys.log_odds)[:20]
        precision.append(np.isin(first, planted).mean())
        by_mean.append(np.isin(np.argsort(values.mean(axis=0), kind="stable")[:20], planted).mean())
    assert np.mean(precision) > 0.85
    assert np.mean(precision) > np.mean(by_mean) + 0.1


def test_suspects_are_mostly_wrong_keys():
    values, planted = plant(draw(120, 400, 5), seed=5)
    found = judge(values)
    suspects = np.flatnonzero(found.keys.is_suspect)
    assert suspects.size >= 5
    assert np.isin(suspects, planted).mean() > 0.8
    assert (found.suspect_keys()["condition"] == "suspect key").all()


def choose(values, key, random, n_options=5):
    """Options behind right and wrong answers: errors fall on any other option alike."""
    others = (key + 1 + random.integers(0, n_options - 1, size=values.shape)) % n_options
    return np.where(values == 1, key, others).astype(np.int32)


def test_with_options_the_right_key_is_named_even_where_everybody_fails():
    random = np.random.default_rng(0)
    values = draw(25, 300, 2)
    key = random.integers(0, 5, size=300)
    chosen = choose(values, key, random)
    planted = np.argsort(-values.mean(axis=0))[5:65:4]
    stated = key.copy()
    stated[planted] = (key[planted] + 1) % 5
    scored = (chosen == stated).astype(float)
    responses = ic.Responses.from_array(scored)
    options = ChosenOptions(responses.respondents, responses.items, tuple("ABCDE"), chosen)
    found = ic.health(responses, options=options)
    first = np.argsort(-found.keys.log_odds)[: planted.size]
    assert np.isin(first, planted).mean() > 0.9
    table = found.frame()
    named = [table["likely_key"][place] == "ABCDE"[key[place]] for place in planted]
    assert np.mean(named) == 1
    assert table["likely_key_share"][planted].min() > 0.5
    # Without them 25 respondents tell less.
    alone = np.argsort(-judge(scored).keys.log_odds)[: planted.size]
    assert np.isin(alone, planted).mean() < np.isin(first, planted).mean()


def test_options_that_were_not_scored_are_refused():
    responses = ic.Responses.from_array(draw(30, 60))
    chosen = np.random.default_rng(0).integers(0, 4, (30, 60)).astype(np.int32)
    options = ChosenOptions(responses.respondents, responses.items, tuple("ABCD"), chosen)
    with pytest.raises(ResponsesError, match="must be what was scored"):
        ic.health(responses, options=options)
    unknown = ChosenOptions(("other",), ("item",), ("A",), np.zeros((1, 1), np.int32))
    assert not ic.health(responses, options=unknown).keys.uses_options


def test_votes_count_the_option_most_able_respondents_prefer():
    values = np.array([[1, 0], [1, 0], [0, 0], [0, 1]], dtype=float)
    chosen = np.array([[0, 2], [0, 2], [1, -1], [3, 1]], dtype=np.int32)
    votes = count_votes(values, chosen, np.zeros(2, dtype=int))
    assert votes.other[1] == 2
    assert votes.for_other[:, 1].tolist() == [True, True, False, False]
    assert votes.share_of_other[1] == pytest.approx(2 / 3)
    assert count_votes(values, np.full((4, 2), -1, np.int32), np.zeros(2, dtype=int)) is None


def test_groups_tell_hard_subjects_from_wrong_keys():
    # An item that all fail is nothing special in a hard subject.
    easy, hard = draw(30, 300, 4), draw(30, 300, 5)
    easy = np.maximum(easy, np.random.default_rng(0).random(easy.shape) < 0.6)
    hard = np.minimum(hard, np.random.default_rng(1).random(hard.shape) < 0.3)
    easy[:, :6], hard[:, :6] = 0, 0
    groups = np.repeat([0, 1], 300)
    odds = weigh_keys(np.hstack([easy, hard]), groups).log_odds
    assert odds[0] > odds[300] + 1


def test_items_of_logs_are_grouped_by_task_and_small_groups_together():
    items = tuple(f"{task}/{k}" for task, n in (("a", 40), ("b", 30), ("c", 5)) for k in range(n))
    names, codes = group_items(items, None)
    assert (names[0], names[-1]) == ("a", "c")
    assert np.bincount(codes).tolist() == [40, 30, 5]
    assert group_items(("x", "y"), {"x": "one"})[0] == ("one", "")
    with pytest.raises(ResponsesError, match="2 items and 1 groups"):
        group_items(("x", "y"), ["one"])


def test_item_rest_is_the_correlation_with_the_mean_of_the_others():
    values = draw(40, 10)
    rest = [
        np.corrcoef(values[:, k], np.delete(values, k, axis=1).mean(axis=1))[0, 1] for k in (0, 5)
    ]
    assert item_rest(values)[[0, 5]] == pytest.approx(rest)


def test_too_few_data_say_nothing_about_abilities():
    assert "Too few data" in str(judge(draw(10, 200)))


def test_headroom_is_what_the_best_lack_and_equals_are_not_told_apart():
    random = np.random.default_rng(0)
    values = np.vstack([random.random((5, 400)) < 0.95, random.random((30, 400)) < 0.4]) * 1.0
    best, more, everybody = measure_headroom(values)
    assert (best.name, more.name, everybody.name) == ("best 5", "best 25", "all 35")
    assert best.headroom == pytest.approx(0.05, abs=0.02)
    assert not best.is_told_apart
    assert everybody.is_told_apart
    assert everybody.chance_spread < best.chance_spread * 3


def test_missing_cells_and_scores_between_0_and_1_are_judged_too():
    values = draw(60, 80)
    values[np.random.default_rng(0).random(values.shape) < 0.3] = np.nan
    values[:, 7] = np.nan
    found = judge(values * 0.9 + 0.05)
    assert len(found.frame()) == 80
    assert found.checks()["by_chance"].notna().all()
    assert np.isnan(found.frame()["mean_response"][7])


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(ResponsesError, match="between -1 and 3"):
        judge(np.array([[-1.0, 3.0] * 5] * 6))
    with pytest.raises(ResponsesError, match="5 respondents and 5 items"):
        judge(np.eye(3))
    with pytest.raises(ResponsesError, match="given is list"):
        ic.health([[0, 1]])


def test_the_same_seed_gives_the_same_health():
    values = draw(40, 60)
    assert str(judge(values, seed=3)) == str(judge(values, seed=3))
    assert judge(values).frame().equals(judge(values).frame())
