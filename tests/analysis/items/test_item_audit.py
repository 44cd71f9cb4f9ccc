from types import SimpleNamespace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.items.item_audit import ItemAudit
from itemcurve.analysis.items.verdicts import SUSPECT, VERDICTS, judge_items
from itemcurve.analysis.predictions import Predictions
from itemcurve.errors import EvaluationError
from itemcurve.estimation.response_ends import ResponseEnds
from itemcurve.families.support import Support

CLASSES = ("cat", "dog", "bird")


def simulate_predictions(
    n_classes: int, noise: float, seed: int, n_items: int = 400, n_good: int = 4, n_poor: int = 6
) -> tuple[Predictions, np.ndarray]:
    """Respondents with a common and an own part of error; the poor mostly noise, and sure of it."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_classes, n_items)
    onehot = np.eye(n_classes)[truth]
    shared = rng.normal(size=(n_items, n_classes))
    rows = []
    for place in range(n_good + n_poor):
        skill, trust = (3.0, 1.0) if place < n_good else (0.4, 3.0)
        own = rng.normal(size=(n_items, n_classes))
        logits = trust * (skill * onehot + 0.8 * shared + 0.8 * own)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        rows.append(raised / raised.sum(axis=1, keepdims=True))
    given = truth.copy()
    flipped = rng.choice(n_items, int(noise * n_items), replace=False)
    given[flipped] = (given[flipped] + rng.integers(1, n_classes, len(flipped))) % n_classes
    names = tuple(f"good {i}" for i in range(n_good)) + tuple(f"poor {i}" for i in range(n_poor))
    items = tuple(f"i{place}" for place in range(n_items))
    return Predictions(names, items, CLASSES[:n_classes], np.stack(rows), given), truth


def fit_of(predictions: Predictions) -> ic.FitResult:
    right = (predictions.chosen == predictions.labels).astype(float)
    responses = ic.Responses.from_array(right, predictions.respondents, predictions.items)
    return ic.fit(responses, "2pl", on_failure="ignore")


def rank_quality(scores: np.ndarray, wrong: np.ndarray) -> float:
    """Area under the ROC curve."""
    order = scores[:, np.newaxis] - scores[np.newaxis]
    pairs = order[wrong][:, ~wrong]
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


@pytest.fixture(scope="module")
def three_classes() -> tuple[ItemAudit, Predictions, np.ndarray]:
    # With 400 items, overlap would explain these labels as well; the audit then says so.
    predictions, truth = simulate_predictions(3, 0.15, seed=1, n_items=1000)
    return ic.audit_items(fit_of(predictions), predictions=predictions), predictions, truth


def test_wrong_labels_are_found_among_mostly_poor_and_confident_respondents(three_classes):
    audit, predictions, truth = three_classes
    wrong = predictions.labels != truth
    suspect = audit.verdicts == "suspect label"
    assert rank_quality(audit.label_error_probability, wrong) > 0.97
    assert suspect[wrong].mean() > 0.7
    assert (suspect & ~wrong).sum() <= 0.2 * suspect.sum()
    assert audit.noise_rate == pytest.approx(0.15, abs=0.03)


def test_the_likely_label_is_the_true_one(three_classes):
    audit, predictions, truth = three_classes
    suspects = audit.suspects()
    place = {item: index for index, item in enumerate(predictions.items)}
    right = [
        CLASSES[truth[place[item]]] == label
        for item, label in zip(suspects["item"], suspects["likely_label"], strict=True)
    ]
    assert np.mean(right) > 0.85


def test_weights_go_to_those_who_know(three_classes):
    weights = three_classes[0].labels.noise.pool.weights
    assert weights[:4].min() > weights[4:].max()


def test_the_table_has_its_columns_and_known_verdicts(three_classes):
    table = three_classes[0].frame()
    assert {
        "item",
        "verdict",
        "label_error_probability",
        "discrimination",
        "difficulty",
        "negative_discrimination",
        "probability_negative",
        "given_label",
        "likely_label",
        "dissenters",
    } <= set(table.columns)
    assert set(table["verdict"]) <= set(VERDICTS)
    assert table["label_error_probability"].between(0, 1).all()


def test_dissenters_are_able_and_named_with_what_they_say(three_classes):
    audit, predictions, _ = three_classes
    first = audit.suspects().iloc[0]
    opinions = audit.opinions(first["item"])
    against = opinions[opinions["is_able"] & opinions["disagrees"]]
    assert first["dissenters"].startswith(
        f"{against['respondent'].iloc[0]}: {against['says'].iloc[0]}"
    )
    given = CLASSES[predictions.labels[predictions.items.index(first["item"])]]
    assert given not in set(against["says"])


def test_clean_labels_are_hardly_suspected():
    for seed in range(3):
        predictions, _ = simulate_predictions(3, 0.0, seed)
        audit = ic.audit_items(fit_of(predictions), predictions=predictions)
        assert (audit.verdicts == "suspect label").mean() <= 0.02


def test_right_and_wrong_alone_suffice_for_two_classes():
    predictions, truth = simulate_predictions(2, 0.15, seed=2, n_good=8)
    audit = ic.audit_items(fit_of(predictions))
    wrong = predictions.labels != truth
    assert rank_quality(audit.label_error_probability, wrong) > 0.97
    assert "likely_label" not in audit.frame()


@pytest.mark.slow
def test_a_beta3_fit_is_audited_by_its_responses():
    predictions, truth = simulate_predictions(2, 0.2, seed=3, n_items=100, n_poor=4)
    responses = ic.Responses.from_array(predictions.of_label)
    audit = ic.audit_items(ic.fit(responses, "beta3", on_failure="ignore"))
    wrong = predictions.labels != truth
    assert rank_quality(audit.label_error_probability, wrong) > 0.95
    assert audit.frame()["probability_negative"].notna().all()
    assert audit.frame().loc[wrong, "negative_discrimination"].mean() > 0.5
    suspect = audit.verdicts == "suspect label"
    assert suspect.any()
    assert (suspect & ~wrong).sum() <= 0.2 * suspect.sum()


def test_simulated_items_without_wrong_labels_are_hardly_suspected():
    for seed in (1, 2):
        truth = ic.simulate("2pl", respondents=15, items=300, seed=seed)
        audit = ic.audit_items(ic.fit(truth.responses, on_failure="ignore"))
        assert (audit.verdicts == "suspect label").mean() <= 0.02


def test_missing_responses_say_nothing():
    predictions, truth = simulate_predictions(2, 0.15, seed=4, n_good=8)
    right = (predictions.chosen == predictions.labels).astype(float)
    right[np.random.default_rng(0).random(right.shape) < 0.2] = np.nan
    audit = ic.audit_items(ic.fit(ic.Responses.from_array(right), "2pl", on_failure="ignore"))
    wrong = predictions.labels != truth
    assert rank_quality(audit.label_error_probability, wrong) > 0.95


def test_errors_of_numbers_have_no_labels_but_verdicts():
    truth = ic.simulate("gamma", respondents=12, items=40, seed=1)
    audit = ic.audit_items(ic.fit(truth.responses, "gamma", on_failure="ignore"))
    assert np.isnan(audit.noise_rate)
    assert audit.frame()["label_error_probability"].isna().all()
    assert set(audit.verdicts) <= set(VERDICTS) - {SUSPECT}
    with pytest.raises(EvaluationError, match="errors of predicted numbers"):
        audit.opinions(truth.responses.items[0])


def test_easy_and_hard_items_are_named_so():
    rng = np.random.default_rng(0)
    chances = np.repeat([0.99, 0.05, 0.5], 20)
    right = (rng.random((60, 60)) < chances).astype(float)
    verdicts = ic.audit_items(ic.fit(ic.Responses.from_array(right), "2pl")).verdicts
    # Of items that 99 % answer, some are answered by all 60: those are constant.
    is_constant = right.mean(axis=0) == 1
    assert (verdicts[is_constant] == "constant").all()
    assert np.isin(verdicts[:20], ("easy", "constant")).mean() > 0.8
    assert (verdicts[20:40] == "hard").mean() > 0.8


def test_predictions_of_other_items_are_refused(three_classes):
    audit, predictions, _ = three_classes
    other = Predictions(
        predictions.respondents,
        tuple(reversed(predictions.items)),
        predictions.classes,
        predictions.probabilities,
        predictions.labels,
    )
    with pytest.raises(EvaluationError, match="items of the fit"):
        ic.audit_items(audit.fit, predictions=other)


@pytest.mark.parametrize("rate", [0, 1, -0.1, float("nan")])
def test_a_rate_outside_zero_and_one_is_refused(three_classes, rate):
    with pytest.raises(EvaluationError, match="between 0 and 1"):
        ic.audit_items(three_classes[0].fit, false_discovery_rate=rate)


def test_audit_and_report_judge_curves_by_one_rule():
    drawn = ic.simulate("2pl", respondents=80, items=120, seed=5).responses.array()
    drawn[:, 0], drawn[:, 1] = 1, 0
    drawn[:78, 2:6] = 1
    fit = ic.fit(ic.Responses.from_array(drawn))
    alone, audited = ic.item_verdicts(fit)["verdict"], ic.audit_items(fit).verdicts
    both = (alone != SUSPECT) & (audited != SUSPECT)
    assert both.sum() > 110
    assert (alone[both] == audited[both]).all()
    assert set(alone[:2]) == {"constant"}
    assert {"easy", "hard", "informative"} <= set(alone)


def test_verdicts_are_the_same_whatever_the_range_of_responses():
    unit = ic.fit(ic.simulate("2pl", respondents=80, items=40, seed=5).responses)
    graded = SimpleNamespace(
        estimates=SimpleNamespace(
            abilities=unit.estimates.abilities, model=SimpleNamespace(family=Support(1.0, 5.0))
        ),
        responses=ic.Responses.from_array(1 + 4 * unit.responses.array()),
        expected_response=lambda ability: 1 + 4 * unit.expected_response(ability),
        item_ends=ResponseEnds(np.full(40, 1.0), np.full(40, 5.0)),
    )
    np.testing.assert_array_equal(judge_items(graded), judge_items(unit))


def test_turned_keys_are_suspect_without_predictions_and_sound_ones_are_not():
    # Of 60 respondents a turned key has P(a < 0) = .993 by a dense sum: not beyond doubt.
    for seed in range(3):
        truth = ic.simulate("2pl", respondents=90, items=140, seed=seed)
        answers = truth.responses.array().copy()
        share = answers.mean(axis=0)
        strength = truth.items["discrimination"] * np.minimum(share, 1 - share)
        turned = np.argsort(-np.asarray(strength))[:2]
        answers[:, turned] = 1 - answers[:, turned]
        found = ic.audit_items(ic.fit(ic.Responses.from_array(answers), "2pl"))
        assert np.flatnonzero(found.verdicts == "suspect label").tolist() == sorted(turned)
