"""Tests for the score: two stages, files, and what may be looked at any time."""

import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.adaptive.score.every_look import forecast_draws
from itemcurve.adaptive.score.score_stopping import compare_answers, first_of
from itemcurve.adaptive.score.score_test_file import save_score_test
from itemcurve.analysis.comparison.confidence_sequence import DrawnAnswers, confidence_sequence
from itemcurve.errors import ModelError, ResponsesError, StorageError


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("2pl", respondents=60, items=200, seed=6).responses


@pytest.fixture(scope="module")
def known(truth):
    return truth.take(rows=list(range(45)))


def answers_of(truth, row):
    return dict(zip(truth.items, truth.array()[row].tolist(), strict=True))


def run(test, answers, batch=5):
    while items := test.next_batch(batch):
        test.record_many({item: answers[item] for item in items})
    return test


def middling(truth, known):
    """A respondent in the middle of the calibrated ones."""
    means = truth.means(axis=1)[45:]
    return 45 + int(np.argmin(np.abs(means - np.median(known.means(axis=1)))))


def test_the_second_stage_is_chosen_for_one_like_the_calibrated(truth, known):
    test = run(ic.ScoreTest(known, 30), answers_of(truth, middling(truth, known)))
    chances = test.frame()["probability"]
    assert test.is_chosen
    assert chances.notna().tolist() == [True] * 20 + [False] * 10
    assert chances.dropna().tolist() == pytest.approx([0.15] * 20)
    assert test.stop_reason == "30 items answered"


def test_the_second_stage_is_drawn_for_one_beyond_the_calibrated(known):
    test = run(ic.ScoreTest(known, 30), dict.fromkeys(known.items, 1.0))
    assert test.is_chosen is False
    assert test.frame()["probability"].notna().all()
    assert test.score.is_outside_calibration
    assert "beyond" in test.stage


def test_session_and_prediction_agree(truth, known):
    row = middling(truth, known)
    answers = answers_of(truth, row)
    test = ic.ScoreTest(known, 20)
    items = test.next_batch(20)
    test.record_many({item: answers[item] for item in items})
    own = ic.Responses.from_array([[answers[item] for item in items]], items=items)
    found = ic.predict_scores(known, own)
    assert found.score[0] == pytest.approx(test.score.value)
    assert found.score_lower[0] == pytest.approx(test.score.lower)
    assert bool(found.outside_calibration[0]) == test.score.is_outside_calibration


def test_intervals_cover_and_beat_the_mean(truth, known):
    errors, covered = [], 0
    for row in range(45, 60):
        answers = answers_of(truth, row)
        full = np.mean(list(answers.values()))
        test = run(ic.ScoreTest(known, 30, seed=row), answers, batch=6)
        covered += test.score.lower <= full <= test.score.upper
        plain = np.random.default_rng(row).choice(list(answers.values()), 30, replace=False)
        errors.append((abs(test.score.value - full), abs(plain.mean() - full)))
    assert covered >= 11
    assert np.mean(errors, axis=0)[0] < np.mean(errors, axis=0)[1]


def test_a_batch_is_given_again_until_it_is_answered(known):
    test = ic.ScoreTest(known, 10, seed=3)
    first = test.next_batch(4)
    assert test.next_batch(4) == first
    test.record(first[1], 1)
    assert test.next_batch(3) == [first[0], first[2], first[3]]
    assert len(test.next_batch(20)) == 9


def test_a_session_goes_on_from_its_file(truth, known, tmp_path):
    answers = answers_of(truth, 50)
    path = tmp_path / "s.json"
    whole = run(ic.ScoreTest(known, 20, seed=4, stop=ic.stopping.score_precision(0.001)), answers)
    test = ic.ScoreTest(known, 20, seed=4, stop=ic.stopping.score_precision(0.001))
    for _ in range(4):
        test.record_many({item: answers[item] for item in test.next_batch(5)})
        test.save(path)
        test = ic.ScoreTest.load(path)
    assert [a.item for a in test.answers] == [a.item for a in whole.answers]
    assert test.score.value == pytest.approx(whole.score.value)
    assert test.score.upper == pytest.approx(whole.score.upper)
    assert test.stop == whole.stop


def test_a_file_that_refers_to_its_calibration_needs_the_same_one(truth, known, tmp_path):
    path, source = tmp_path / "s.json", tmp_path / "responses.npz"
    known.save(source)
    save_score_test(ic.ScoreTest(known, 10), path, source=source)
    assert ic.ScoreTest.load(path).n_items == 10
    truth.take(rows=list(range(10, 55))).save(source)
    with pytest.raises(StorageError, match="not the one"):
        ic.ScoreTest.load(path)
    assert ic.ScoreTest.load(path, calibration=known).n_items == 10


def test_damaged_and_foreign_files_are_refused(known, tmp_path):
    path = tmp_path / "s.json"
    ic.ScoreTest(known, 10).save(path)
    document = json.loads(path.read_text())
    document["settings"]["seed"] = 7
    path.write_text(json.dumps(document))
    with pytest.raises(StorageError, match="checksum"):
        ic.ScoreTest.load(path)
    path.write_text("{}")
    with pytest.raises(StorageError, match="format"):
        ic.ScoreTest.load(path)


def test_wrong_answers_are_refused_and_nothing_is_kept(known):
    test = ic.ScoreTest(known, 10)
    first, second = test.next_batch(2)
    with pytest.raises(ResponsesError, match="from 0 to 1"):
        test.record_many({first: 1, second: 2})
    assert test.answers == ()
    test.record(first, 1)
    with pytest.raises(ResponsesError, match="answered once"):
        test.record(first, 0)
    with pytest.raises(ResponsesError, match="in the calibration"):
        test.record("nobody", 1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_items": 0}, "from 1 to 200"),
        ({"stop": 3}, "must be a rule"),
        ({"seed": -1}, "seed"),
        ({"every_look": True, "weights": np.arange(200) + 1.0}, "count alike"),
    ],
)
def test_wrong_settings_are_refused(known, settings, words):
    with pytest.raises(ModelError, match=words):
        ic.ScoreTest(known, **settings)


def test_the_course_of_a_test_ends_at_its_score(truth, known):
    test = run(ic.ScoreTest(known, 12), answers_of(truth, 50))
    table = ic.tables.score_trace(test).frame()
    assert table["score"].iloc[-1] == pytest.approx(test.score.value)
    assert (table["upper"] - table["lower"]).iloc[-1] < (table["upper"] - table["lower"]).iloc[0]
    with pytest.raises(ModelError, match="needs an answer"):
        ic.tables.score_trace(ic.ScoreTest(known, 12))


def test_confidence_sequences_hold_at_every_look_and_forecasts_narrow_them(truth):
    rng = np.random.default_rng(0)
    responses = truth.array()
    failures, widths = 0, []
    for _ in range(200):
        row = int(rng.integers(45, 60))
        places = rng.permutation(200)[:100]
        own, mean = responses[row][places], responses[row].mean()
        plain = confidence_sequence(DrawnAnswers.without_forecasts(own, 200))
        helped = confidence_sequence(forecast_draws(responses[:45], places, own, np.arange(100)))
        failures += not ((helped[0] <= mean) & (mean <= helped[1])).all()
        widths.append([helped[1][-1] - helped[0][-1], plain[1][-1] - plain[0][-1]])
    # At most a tenth may fail; 200 tries leave the count within 20 ± 4 √18.
    assert failures <= 20 + 4 * np.sqrt(18)
    assert np.mean(widths, axis=0)[0] < 0.9 * np.mean(widths, axis=0)[1]


def test_confidence_sequences_reach_the_truth_when_all_is_asked():
    rng = np.random.default_rng(1)
    answers = (rng.random(60) < 0.7).astype(float)
    lower, upper = confidence_sequence(DrawnAnswers.without_forecasts(answers, 60))
    assert lower[-1] <= answers.mean() <= upper[-1]
    assert upper[-1] - lower[-1] < 0.02


def test_a_threshold_is_decided_at_any_look(truth, known):
    answers = answers_of(truth, 50)
    full = np.mean(list(answers.values()))
    test = ic.ScoreTest(known, 200, every_look=True, stop=ic.stopping.score_decided(full - 0.2))
    run(test, answers)
    assert test.stop_reason == f"score above {full - 0.2:g}"
    assert len(test.answers) < 200
    with pytest.raises(ModelError, match="every look"):
        run(ic.ScoreTest(known, 20, stop=ic.stopping.score_decided(0.5)), answers)


def test_the_better_of_two_is_found_from_the_same_items(truth, known):
    order = np.argsort(truth.means(axis=1))
    weak, strong = answers_of(truth, order[5]), answers_of(truth, order[-5])
    test = ic.ScoreTest(known, 200, every_look=True, stop=ic.stopping.better_than(weak, "weak"))
    run(test, strong)
    assert test.stop_reason == "better than weak"
    lower, upper = compare_answers(test, weak)
    gap = np.mean(list(strong.values())) - np.mean(list(weak.values()))
    assert lower <= gap <= upper
    with pytest.raises(ModelError, match="every item that is asked"):
        compare_answers(test, {})


def test_the_first_rule_that_says_so_ends_a_test(truth, known):
    rule = first_of(ic.stopping.score_precision(0.5), ic.stopping.score_precision(0.0001))
    test = run(ic.ScoreTest(known, 50, stop=rule), answers_of(truth, 50))
    assert test.stop_reason == "half-width of the score at most 0.5"
    assert len(test.answers) == 5


def test_responses_of_any_size_are_scored_too():
    rng = np.random.default_rng(5)
    errors = rng.gamma(2.0, 3.0, (30, 1)) * rng.gamma(2.0, 1.0, (1, 80))
    known = ic.Responses.from_array(errors[:29])
    test = ic.ScoreTest(known, 20)
    run(test, dict(zip(known.items, errors[29].tolist(), strict=True)))
    assert test.score.value == pytest.approx(errors[29].mean(), rel=0.2)
    with pytest.raises(ModelError, match="between 0 and 1"):
        ic.ScoreTest(known, 20, every_look=True)


@pytest.mark.parametrize("n_items", [1, 3, 20])
def test_calibrations_that_know_next_to_nothing_still_give_a_score(n_items):
    for table in (np.ones((8, 20)), np.tile(np.arange(20) % 2, (8, 1)), np.eye(8, 20)):
        known = ic.Responses.from_array(table[:-1])
        test = run(ic.ScoreTest(known, n_items), dict.fromkeys(known.items, 1.0), batch=2)
        assert 0 <= test.score.lower <= test.score.value <= test.score.upper <= 1
