"""Training as the paper says."""

import numpy as np
import pytest

from itemcurve_studies.beta3.students.training import Curves, descend, draw_start


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
