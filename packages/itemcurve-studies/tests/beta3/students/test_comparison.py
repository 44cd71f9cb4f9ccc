import numpy as np
import pandas as pd
import pytest

from itemcurve_studies.beta3.students.answers import Answers, average_attempts, hold_out
from itemcurve_studies.beta3.students.comparison import METHODS, compare_once
from itemcurve_studies.beta3.students.training import Curves, descend, draw_start


@pytest.fixture(scope="module")
def answers():
    rng = np.random.default_rng(1)
    students, questions = np.nonzero(rng.random((80, 15)) < 0.7)
    logits = 1.3 * rng.normal(size=80)[students] - rng.normal(size=15)[questions]
    scores = (rng.random(len(logits)) < 1 / (1 + np.exp(-logits))).astype(float)
    return Answers(students, questions, scores)


def test_attempts_are_averaged_or_cut_to_the_first():
    log = pd.DataFrame({"student": [1, 1, 1, 2], "question": [7, 7, 8, 7], "score": [0, 1, 1, 1]})
    assert average_attempts(log, "average").scores.tolist() == [0.5, 1, 1]
    assert average_attempts(log, "first").scores.tolist() == [0, 1, 1]
    assert average_attempts(log, "first", fewest=2).shape == (2, 1)


def test_every_student_and_question_stays_in_the_training_part(answers):
    # A question with one answer, and a student with one.
    rare = Answers(
        np.append(answers.students, [0, 80]),
        np.append(answers.questions, [15, 0]),
        np.append(answers.scores, [1.0, 0.0]),
    )
    for seed in range(20):
        held = hold_out(rare, seed)
        kept = rare.take(~held)
        assert set(kept.students) == set(range(81))
        assert set(kept.questions) == set(range(16))
        assert 0.07 < held.mean() < 0.13


def test_descent_lowers_the_loss_and_leaves_its_start_alone(answers):
    rng = np.random.default_rng(2)
    start = draw_start(answers, "normal", answers.shape, rng)
    before = start.abilities.copy()
    found = descend(answers, start, "sum", rng, steps=200)
    assert found.log_loss(answers) < start.log_loss(answers) - 0.1
    np.testing.assert_array_equal(start.abilities, before)


def test_the_gradient_is_that_of_the_log_loss(answers):
    one = answers.take(np.array([0]))
    curves = Curves(np.full(80, 0.3), np.full(15, -0.2), np.full(15, 1.4))
    found = descend(one, curves, "mean", np.random.default_rng(0), steps=1)
    student, question = one.students[0], one.questions[0]
    for name, place in (("abilities", student), ("difficulties", question), ("slopes", question)):
        moved = getattr(found, name)[place] - getattr(curves, name)[place]
        bumped = [Curves(*(v.copy() for v in vars(curves).values())) for _ in range(2)]
        for sign, other in zip((1, -1), bumped, strict=True):
            getattr(other, name)[place] += sign * 1e-5
        slope = (bumped[0].log_loss(one) - bumped[1].log_loss(one)) / 2e-5
        assert moved == pytest.approx(-0.5 * slope, rel=1e-5)


def test_counts_start_as_printed_or_reversed(answers):
    rng = np.random.default_rng(3)
    easiness = np.bincount(answers.questions, answers.scores) / np.bincount(answers.questions)
    printed = draw_start(answers, "counts", answers.shape, rng).difficulties
    turned = draw_start(answers, "reversed counts", answers.shape, rng).difficulties
    assert np.corrcoef(easiness, printed)[0, 1] > 0.8
    assert np.corrcoef(easiness, turned)[0, 1] < -0.8


def test_a_regularised_2pl_predicts_better_than_training_from_a_random_start(answers):
    found = compare_once(answers, "toy", "first", 0, steps=300)
    losses = found["losses"].set_index("method")["log_loss"]
    assert set(METHODS) < set(losses.index)
    assert losses["2pl, regularised"] < losses["2pl-nd"]
    assert set(found["questions"]["method"]) == {"beta3", "beta3, sum"}
