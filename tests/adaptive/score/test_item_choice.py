"""Items chosen for the score."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.score.bayesian_quadrature import Quadrature, choose_greedily
from itemcurve.adaptive.score.systematic_sampling import (
    chances_of,
    draw_systematically,
    order_items,
)
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def known():
    return ic.simulate("2pl", respondents=40, items=200, seed=2).responses


def test_half_is_drawn_and_half_chosen_and_none_twice(known):
    choice = ic.choose_items(known, 31)
    assert len(set(choice.items)) == 31
    assert choice.is_random.tolist() == [True] * 16 + [False] * 15
    assert choice.frame()["how"].value_counts().to_dict() == {"drawn": 16, "chosen": 15}
    assert ic.choose_items(known, 31).items == choice.items
    assert ic.choose_items(known, 31, seed=1).items != choice.items


def test_the_drawn_items_have_the_chance_that_is_recorded(known):
    weights = np.where(np.arange(200) < 50, 3.0, 1.0)
    counts = np.zeros(200)
    for seed in range(400):
        choice = ic.choose_items(known, 20, weights=weights, random_share=1, seed=seed)
        places = [known.items.index(item) for item in choice.items]
        counts[places] += 1
        expected = 20 * weights / weights.sum()
        assert choice.chances == pytest.approx(expected[places])
    heavy, light = counts[:50].mean() / 400, counts[50:].mean() / 400
    assert heavy == pytest.approx(0.2, rel=0.05)
    assert light == pytest.approx(1 / 15, rel=0.05)


def test_chances_never_exceed_one_and_sum_to_the_number_of_items():
    chances = chances_of(np.array([100.0, 1.0, 1.0, 1.0, 0.0]), 3)
    assert chances == pytest.approx([1, 2 / 3, 2 / 3, 2 / 3, 0])
    assert chances_of(np.ones(3), 7).tolist() == [1, 1, 1]


def test_a_systematic_draw_covers_difficulty_and_so_does_its_beginning(known):
    means, rng = known.means(axis=0), np.random.default_rng(0)
    responses, labels = known.array(), np.zeros(200, dtype=int)
    spreads = {"drawn": [], "begun": [], "random": []}
    for _ in range(50):
        order = order_items(responses, 40, labels, rng)
        drawn = draw_systematically(order, np.full(200, 0.2), rng)
        spreads["drawn"].append(means[drawn].mean())
        spreads["begun"].append(means[drawn[:20]].mean())
        spreads["random"].append(means[rng.choice(200, 20, replace=False)].mean())
    sds = {name: np.std(values) for name, values in spreads.items()}
    assert sds["drawn"] < 0.3 * sds["random"]
    assert sds["begun"] < 0.5 * sds["random"]


@pytest.mark.parametrize("n", [14, 60])
def test_groups_get_their_share(known, n):
    groups = [f"g{k % 4}" if k < 160 else "g4" for k in range(200)]
    choice = ic.choose_items(known, n, item_groups=groups, aim="groups")
    counts = np.unique(choice.groups, return_counts=True)[1]
    assert len(counts) == 5
    assert counts.max() - counts.min() <= 2


def test_the_greedy_item_lowers_the_variance_most():
    rng = np.random.default_rng(4)
    responses = rng.random((25, 8))
    scores = np.full((1, 8), 1 / 8)
    state = Quadrature.of(responses, scores)
    covariance = state.features.T @ state.features
    noise = state.variance - np.diag(covariance)
    target = covariance @ scores[0]

    def left(asked):
        inner = covariance[np.ix_(asked, asked)] + np.diag(noise[asked])
        return scores[0] @ target - target[asked] @ np.linalg.solve(inner, target[asked])

    first, second = choose_greedily(responses, scores, [], 2)
    assert first == min(range(8), key=lambda k: left([k]))
    assert second == min((k for k in range(8) if k != first), key=lambda k: left([first, k]))


def test_chosen_items_predict_better_than_as_many_drawn_ones(known):
    truth = ic.simulate("2pl", respondents=120, items=200, seed=2).responses
    past, new = truth.take(rows=list(range(60))), truth.take(rows=list(range(60, 120)))
    errors = {}
    for share in (0.5, 1.0):
        errors[share] = []
        for seed in range(5):
            choice = ic.choose_items(past, 20, random_share=share, seed=seed)
            found = ic.predict_scores(past, new.select(items=choice.items), choice=choice)
            errors[share].append(np.abs(found.score - new.means(axis=1)).mean())
    assert np.mean(errors[0.5]) < np.mean(errors[1.0])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n": 0}, "from 1 to 200"),
        ({"n": 201}, "from 1 to 200"),
        ({"random_share": 2}, "random_share"),
        ({"aim": "all"}, "aim"),
        ({"weights": -np.ones(200)}, "weights hold"),
        ({"item_groups": {"q": "a"}}, "groups name"),
    ],
)
def test_what_cannot_be_chosen_is_refused(known, settings, words):
    with pytest.raises(ModelError, match=words):
        ic.choose_items(known, **{"n": 10, **settings})
