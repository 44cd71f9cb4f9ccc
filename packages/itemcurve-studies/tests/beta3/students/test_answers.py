"""Logs of answers, and what is held out of them."""

import numpy as np
import pandas as pd

from itemcurve_studies.beta3.students.answers import Answers, average_attempts, hold_out


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
