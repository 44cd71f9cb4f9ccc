"""What is missing on one side only."""

import numpy as np

from itemcurve.analysis.comparison.answer_pairs import pair_answers
from itemcurve.analysis.comparison.missing_answers import find_missing
from itemcurve.responses.matrix import Responses


def run(answers, items, name):
    return Responses.from_array([np.asarray(answers, dtype=float)], [name], list(items))


def test_items_left_out_at_random_are_seldom_taken_for_chosen():
    rng = np.random.default_rng(0)
    names, alarms = [f"q{n}" for n in range(300)], 0
    for _ in range(1000):
        answers = (rng.random(300) < 0.6).astype(float)
        kept = np.sort(rng.choice(300, 240, replace=False))
        first, second = run(answers, names, "a"), run(answers[kept], [names[k] for k in kept], "b")
        said = find_missing(pair_answers(first, None, None, others=second))
        assert said.apart == (60, 0)
        alarms += said.chosen[0] is not None
    # Binomial(1000, 0.01): 20 or more has a probability of 0.003.
    assert alarms < 20


def test_items_left_out_where_they_are_hard_are_found_and_said():
    answers = np.array([0, 0, 1, 0, 1, 1, 1, 0, 1, 1] * 20, dtype=float)
    names = [f"q{n}" for n in range(200)]
    kept = [n for n in range(200) if answers[n] or n % 20 < 10]
    first, second = run(answers, names, "a"), run(answers[kept], [names[k] for k in kept], "b")
    said = find_missing(pair_answers(first, None, None, others=second))
    assert said.chosen[0].score == 0
    assert said.chosen[0].overall == answers.mean()
    assert said.chosen[1] is None
    assert "harder (a has 0.000 there" in said.notes()[0]
    back = find_missing(pair_answers(second, None, None, others=first))
    assert back.chosen[0] is None
    assert "flatters b" in said.notes()[0]
    assert "flatters b" in back.notes()[0]


def test_a_task_that_one_never_had_is_not_missing():
    answers = np.array([1.0] * 50 + [0.0] * 50)
    names = [f"q{n}" for n in range(100)]
    tasks = {name: "easy" if n < 50 else "hard" for n, name in enumerate(names)}
    first, second = run(answers, names, "a"), run(answers[:50], names[:50], "b")
    said = find_missing(pair_answers(first, None, None, others=second, tasks=tasks))
    assert said.apart == (50, 0)
    assert said.chosen == (None, None)
