"""Scores over all items from some of them."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.prediction.catalogue import ESTIMATORS
from itemcurve.errors import ModelError, ResponsesError


@pytest.fixture(scope="module")
def calibrated():
    """A fit of 60 respondents to 300 items, and 40 others with all their responses."""
    truth = ic.simulate("2pl", respondents=100, items=300, seed=5)
    fit = ic.fit(truth.responses.take(rows=list(range(60))))
    return fit, truth.responses.take(rows=list(range(60, 100)))


def some_items(responses, count, seed=0):
    rng = np.random.default_rng(seed)
    return responses.take(columns=sorted(rng.choice(responses.shape[1], count, replace=False)))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_estimator_comes_close_and_its_interval_covers(calibrated, estimator):
    fit, others = calibrated
    truth = others.means(axis=1)
    errors, covered = [], []
    for seed in range(3):
        found = ic.predict_scores(fit, some_items(others, 50, seed), estimator=estimator)
        errors.append(np.abs(found.score - truth).mean())
        covered.append((found.score_lower <= truth) & (truth <= found.score_upper))
    assert np.mean(errors) < 0.06
    assert 0.75 < np.mean(covered) <= 1


def test_the_default_is_better_than_the_sample_mean(calibrated):
    fit, others = calibrated
    truth = others.means(axis=1)
    errors = {"default": [], "sample-mean": []}
    for seed in range(8):
        given = some_items(others, 50, seed)
        for name, found in errors.items():
            found.append(np.abs(ic.predict_scores(fit, given, estimator=name).score - truth).mean())
    assert np.mean(errors["default"]) < 0.95 * np.mean(errors["sample-mean"])


def test_the_table_has_the_promised_columns(calibrated):
    fit, others = calibrated
    table = ic.predict_scores(fit, some_items(others, 20)).frame()
    assert list(table.columns) == [
        "respondent",
        "score",
        "score_lower",
        "score_upper",
        "ability",
        "ability_se",
        "outside_calibration",
    ]
    assert list(table["respondent"]) == list(others.respondents)


def test_a_bare_bank_predicts_by_the_item_curves(calibrated):
    fit, others = calibrated
    given = some_items(others, 50)
    found = ic.predict_scores(fit.bank, given)
    assert np.abs(found.score - others.means(axis=1)).mean() < 0.05
    with pytest.raises(ModelError, match="Pass the fit itself"):
        ic.predict_scores(fit.bank, given, estimator="ridge")


def test_respondents_may_have_answered_different_items(calibrated):
    fit, others = calibrated
    whole = others.array()
    kept = np.random.default_rng(1).random(whole.shape) < 0.2
    mixed = ic.Responses.from_array(np.where(kept, whole, np.nan)[:6], items=others.items)
    together = ic.predict_scores(fit, mixed)
    for row in range(6):
        alone = ic.predict_scores(fit, mixed.take(rows=[row]).drop_empty())
        assert alone.score[0] == pytest.approx(together.score[row], abs=1e-9)
        assert alone.score_upper[0] == pytest.approx(together.score_upper[row], abs=1e-9)


def test_all_items_answered_leave_nothing_to_predict(calibrated):
    fit, others = calibrated
    for estimator in ("sample-mean", "irt", "irt-difference", "guarded"):
        found = ic.predict_scores(fit, others, estimator=estimator)
        assert found.score == pytest.approx(others.means(axis=1), abs=1e-9)
        assert found.score_upper - found.score_lower == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("count", [1, 2, 8])
def test_few_or_perfect_answers_prove_nothing(calibrated, estimator, count):
    fit, _ = calibrated
    names = fit.bank.items[:count]
    perfect = ic.Responses.from_array(np.ones((2, count)), items=names)
    found = ic.predict_scores(fit, perfect, estimator=estimator)
    assert np.isfinite(found.score).all()
    assert (found.score_upper - found.score_lower > 0.02).all()


def test_a_respondent_better_than_all_calibrated_is_noticed_and_not_pulled_back():
    rng = np.random.default_rng(3)
    difficulty, slope = rng.normal(0.5, 1, 400), rng.lognormal(0, 0.3, 400)
    weak, strong = rng.normal(-1, 0.5, 50), np.full(30, 2.2)

    def answers(abilities):
        chance = 1 / (1 + np.exp(-slope * (abilities[:, None] - difficulty)))
        return (rng.random(chance.shape) < chance).astype(float)

    fit = ic.fit(ic.Responses.from_array(answers(weak)))
    truth = answers(strong)
    given = some_items(ic.Responses.from_array(truth, items=fit.bank.items), 50)
    guarded, ridge = (
        ic.predict_scores(fit, given, estimator=name) for name in ("guarded", "ridge")
    )
    assert guarded.outside_calibration.mean() > 0.9
    assert np.abs(guarded.score - truth.mean(axis=1)).mean() < 0.07
    assert np.abs(ridge.score - truth.mean(axis=1)).mean() > 0.15


def test_recorded_chances_undo_a_biased_choice(calibrated):
    fit, others = calibrated
    # Easy items are asked four times as often: the plain mean is too high, the weighted one not.
    easy = fit.responses.means(axis=0) > 0.5
    chances = np.where(easy, 0.4, 0.1)
    plain, weighted = [], []
    for seed in range(30):
        asked = np.flatnonzero(np.random.default_rng(seed).random(300) < chances)
        given = others.take(columns=asked.tolist())
        truth = others.means(axis=1)
        for outcome, own in ((plain, None), (weighted, chances[asked])):
            found = ic.predict_scores(fit, given, estimator="irt-difference", chances=own)
            outcome.append(np.mean(found.score - truth))
            found = ic.predict_scores(fit, given, estimator="sample-mean", chances=own)
            outcome[-1] = np.mean(found.score - truth)
    assert abs(np.mean(weighted)) < 0.01 < 0.05 < np.mean(plain)


def test_continuous_scores_are_predicted_too():
    truth = ic.simulate("beta3", respondents=60, items=120, seed=2)
    fit = ic.fit(truth.responses.take(rows=list(range(40))), "beta3")
    others = truth.responses.take(rows=list(range(40, 60)))
    for estimator in ESTIMATORS:
        found = ic.predict_scores(fit, some_items(others, 40), estimator=estimator)
        assert np.abs(found.score - others.means(axis=1)).mean() < 0.08
        assert (found.score_lower >= 0).all()


def test_missing_calibration_responses_are_filled_by_the_model():
    truth = ic.simulate("2pl", respondents=80, items=100, seed=7, missing=0.3)
    fit = ic.fit(truth.responses.take(rows=list(range(60))))
    others = ic.Responses.from_array(
        np.nan_to_num(truth.responses.array()[60:], nan=0.0), items=truth.responses.items
    )
    found = ic.predict_scores(fit, some_items(others, 30))
    assert np.isfinite(found.score).all()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"estimator": "best"}, ModelError, "score estimator"),
        ({"chances": [0.5]}, ModelError, "one probability"),
        ({"partial_responses": np.ones((2, 2))}, ModelError, "needs Responses"),
        ({"calibration": "run"}, ModelError, "a fit or a bank"),
    ],
)
def test_wrong_input_is_refused(calibrated, change, error, words):
    fit, others = calibrated
    given = {"calibration": fit, "partial_responses": some_items(others, 10), **change}
    with pytest.raises(error, match=words):
        ic.predict_scores(**given)


def test_unknown_items_and_silent_respondents_are_refused(calibrated):
    fit, _ = calibrated
    with pytest.raises(ResponsesError, match="in the bank"):
        ic.predict_scores(fit, ic.Responses.from_array([[1.0]], items=["nobody"]))
    silent = ic.Responses.from_array([[1.0], [np.nan]], items=[fit.bank.items[0]])
    with pytest.raises(ResponsesError, match="answered something"):
        ic.predict_scores(fit, silent)


def test_scores_of_random_tests_correct_a_wrong_model(bank):
    """Steps with known chances make up for a respondent that the items do not fit."""
    found = []
    for seed in range(20):
        test = ic.AdaptiveTest(bank, "random", ic.stopping.max_items(30), seed=seed)
        truth = (np.arange(60) % 3 == 0).astype(float)  # unrelated to difficulty
        while (item := test.next_item()) is not None:
            test.record(item, truth[bank.positions([item])[0]])
        found.append(float(test.score))
        assert test.answers[0].handed_out.least == pytest.approx(1 / 60)
    assert np.mean(found) == pytest.approx(truth.mean(), abs=0.04)
