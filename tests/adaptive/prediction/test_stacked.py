"""The stack of linear predictions, and what it gives back."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.prediction.linear import Asked, ScoreProblem, linear_rules
from itemcurve.adaptive.prediction.score_predictor import is_outside, train_predictor
from itemcurve.adaptive.prediction.stack_weights import stack_weights
from itemcurve.errors import ModelError, ResponsesError


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("2pl", respondents=90, items=240, seed=5).responses


@pytest.fixture(scope="module")
def known(truth):
    return truth.take(rows=list(range(60)))


@pytest.fixture(scope="module")
def others(truth):
    return truth.take(rows=list(range(60, 90)))


def drawn(responses, count, seed=0):
    rng = np.random.default_rng(seed)
    return responses.take(columns=sorted(rng.choice(responses.shape[1], count, replace=False)))


def test_responses_alone_predict_as_well_as_a_fit_of_them(known, others):
    given = drawn(others, 40)
    plain, fitted = ic.predict_scores(known, given), ic.predict_scores(ic.fit(known), given)
    assert plain.score == pytest.approx(fitted.score)
    assert np.isnan(plain.ability).all()
    assert np.isfinite(fitted.ability).all()


def test_the_stack_beats_the_mean_and_its_intervals_cover(known, others):
    truth, errors, covered = others.means(axis=1), [], []
    for seed in range(6):
        given = drawn(others, 40, seed)
        found = ic.predict_scores(known, given)
        errors.append((np.abs(found.score - truth), np.abs(given.means(axis=1) - truth)))
        covered.append((found.score_lower <= truth) & (truth <= found.score_upper))
    stack, mean = np.mean(errors, axis=(0, 2))
    assert stack < 0.85 * mean
    assert 0.82 < np.mean(covered) <= 0.98


def test_all_items_answered_leave_nothing_to_predict(known, others):
    found = ic.predict_scores(known, others)
    assert found.score == pytest.approx(others.means(axis=1), abs=1e-9)


def test_weights_change_what_is_predicted(known, others):
    means = known.means(axis=0)
    weights = (means > np.median(means)).astype(float)
    found = ic.predict_scores(known, drawn(others, 60), weights=weights)
    easy = others.array() @ (weights / weights.sum())
    assert np.abs(found.score - easy).mean() < 0.06 < np.abs(others.means(axis=1) - easy).mean()
    by_name = ic.predict_scores(
        known, drawn(others, 60), weights=dict(zip(known.items, weights, strict=True))
    )
    assert by_name.score == pytest.approx(found.score)


def test_groups_give_each_group_the_total_and_the_balanced_total(known, others):
    groups = ["big" if k < 180 else "small" for k in range(240)]
    found = ic.predict_scores(known, drawn(others, 60), groups=groups)
    assert [part.group for part in found.groups] == ["big", "small", "total", "balanced"]
    table = found.group_frame()
    assert len(table) == 4 * len(others.respondents)
    truth = {
        "big": others.array()[:, :180].mean(axis=1),
        "small": others.array()[:, 180:].mean(axis=1),
    }
    truth["balanced"] = (truth["big"] + truth["small"]) / 2
    for part in found.groups[:2] + found.groups[3:]:
        assert np.abs(part.score - truth[part.group]).mean() < 0.08
    assert found.groups[2].score == pytest.approx(found.score)


def test_a_group_without_answers_is_predicted_from_the_others(known, others):
    groups = ["asked" if k < 120 else "never" for k in range(240)]
    found = ic.predict_scores(known, others.take(columns=list(range(0, 120, 3))), groups=groups)
    never = next(part for part in found.groups if part.group == "never")
    truth = others.array()[:, 120:].mean(axis=1)
    assert np.corrcoef(never.score, truth)[0, 1] > 0.8


def test_more_groups_than_items_are_predicted_too(known, others):
    groups = [f"g{k % 30}" for k in range(240)]
    choice = ic.choose_items(known, 9, item_groups=groups, aim="groups")
    given = others.select(items=choice.items)
    found = ic.predict_scores(known, given, choice=choice, groups=groups)
    assert np.isfinite(found.group_frame()["score"]).all()


def test_an_external_score_is_predicted_from_a_short_form(truth):
    """Predict the score on items that are not among those calibrated (metabench's task)."""
    short = truth.take(columns=list(range(40)))
    full = truth.array()[:, 40:].mean(axis=1)
    found = ic.predict_scores(
        short.take(rows=list(range(60))),
        short.take(rows=list(range(60, 90))),
        target=full[:60],
    )
    constant = np.abs(full[60:] - full[:60].mean()).mean()
    plain = np.abs(short.means(axis=1)[60:] - full[60:]).mean()
    assert np.abs(found.score - full[60:]).mean() < min(0.5 * constant, plain)
    covered = (found.score_lower <= full[60:]) & (full[60:] <= found.score_upper)
    assert covered.mean() > 0.75


def test_unknown_items_are_named_and_refused_or_left_out(known, others):
    own = others.take(rows=[0], columns=list(range(30)))
    table = np.hstack([own.array(), [[1.0]]])
    more = ic.Responses.from_array(table, items=[*own.items, "elsewhere"])
    with pytest.raises(ResponsesError, match="'elsewhere'"):
        ic.predict_scores(known, more)
    found = ic.predict_scores(known, more, unknown="leave out")
    assert found.left_out == ("elsewhere",)
    assert found.score == pytest.approx(ic.predict_scores(known, own).score)
    nothing = ic.Responses.from_array([[1.0]], items=["elsewhere"])
    with pytest.raises(ResponsesError, match="in the calibration"):
        ic.predict_scores(known, nothing, unknown="leave out")


def test_a_choice_repeated_inside_each_fold_gives_wider_intervals(known, others):
    choice = ic.choose_items(known, 30, random_share=0.2)
    given = others.select(items=choice.items)
    honest = ic.predict_scores(known, given, choice=choice)
    naive = ic.predict_scores(known, given)
    widths = [(found.score_upper - found.score_lower).mean() for found in (honest, naive)]
    assert widths[0] > 1.1 * widths[1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"weights": [1.0]}, "weights hold"),
        ({"groups": ["a"]}, "groups name"),
        ({"target": [0.5]}, "target holds"),
        ({"estimator": "guarded", "weights": np.ones(240)}, "stacked estimator"),
        ({"estimator": "irt"}, "item curves"),
    ],
)
def test_what_does_not_fit_is_refused(known, others, settings, words):
    with pytest.raises(ModelError, match=words):
        ic.predict_scores(known, drawn(others, 10), **settings)


def test_few_calibration_respondents_are_refused(truth, others):
    with pytest.raises(ResponsesError, match="5 calibration respondents"):
        ic.predict_scores(truth.take(rows=[0, 1, 2]), drawn(others, 10))


def test_missing_calibration_cells_are_filled(known, others):
    table = known.array().copy()
    table[np.random.default_rng(0).random(table.shape) < 0.2] = np.nan
    holed = ic.Responses.from_array(table, items=known.items)
    given = drawn(others, 40)
    gap = ic.predict_scores(holed, given).score - ic.predict_scores(known, given).score
    assert np.abs(gap).mean() < 0.03


def test_the_rules_are_what_their_formulas_say():
    rng = np.random.default_rng(1)
    responses = (rng.random((30, 12)) < 0.6).astype(float)
    problem = ScoreProblem(responses, np.full(12, 1 / 12))
    asked = Asked(np.array([0, 3, 7]), np.array([0.5, 0.25, np.nan]))
    rules = linear_rules(problem, asked)
    # Of the nine items left, the two drawn stand for shares 1/0.5 : 1/0.25.
    expected = np.array([1 / 12 + 9 / 12 / 3, 1 / 12 + 9 / 12 * 2 / 3, 1 / 12])
    assert rules["mean"].coefficients == pytest.approx(expected)
    assert rules["mean"].intercept == 0
    # A respondent of the same level everywhere has that level as score: kriging is unbiased.
    assert rules["items"].coefficients.sum() == pytest.approx(1)
    # The mean respondent has the mean score.
    mean = responses.mean(axis=0)[asked.places]
    assert rules["population"].predict(mean[None])[0] == pytest.approx(problem.scores.mean())


def test_stack_weights_are_the_best_on_the_simplex():
    rng = np.random.default_rng(2)
    errors = rng.normal(size=(4000, 3)) * [1.0, 2.0, 4.0]
    # Independent errors: weights inverse to variances.
    best = np.array([1, 1 / 4, 1 / 16]) / (1 + 1 / 4 + 1 / 16)
    assert stack_weights(errors) == pytest.approx(best, abs=0.03)
    twins = np.column_stack([errors[:, 0], errors[:, 0] * 3])
    assert stack_weights(twins) == pytest.approx([1, 0], abs=1e-9)
    few = stack_weights(errors[:4])
    assert np.abs(few - 1 / 3).max() < np.abs(best - 1 / 3).max()


def test_newcomers_are_flagged_by_the_one_rule_and_not_pulled_back():
    low, high = 0.2, 0.6
    assert is_outside(np.array([0.55, 0.4, 0.25]), np.full(3, 0.1), low, high).tolist() == [
        True,
        False,
        True,
    ]
    rng = np.random.default_rng(3)
    difficulty, slope = rng.normal(0.5, 1, 400), rng.lognormal(0, 0.3, 400)

    def answers(abilities):
        chance = 1 / (1 + np.exp(-slope * (abilities[:, None] - difficulty)))
        return (rng.random(chance.shape) < chance).astype(float)

    known = ic.Responses.from_array(answers(rng.normal(-1, 0.5, 50)))
    strong = answers(np.full(30, 2.2))
    new = ic.Responses.from_array(strong, items=known.items)
    found = ic.predict_scores(known, drawn(new, 50))
    assert found.outside_calibration.mean() > 0.9
    assert np.abs(found.score - strong.mean(axis=1)).mean() < 0.07


def test_a_predictor_says_how_its_stack_is_made(known):
    problem = ScoreProblem(known.array(), np.full(240, 1 / 240))
    predictor = train_predictor(problem, Asked.at_random(np.arange(0, 240, 6)))
    assert set(predictor.shares) == {"mean", "items", "population"}
    assert sum(predictor.shares.values()) == pytest.approx(1)
    assert 0.01 < predictor.error < 0.08
