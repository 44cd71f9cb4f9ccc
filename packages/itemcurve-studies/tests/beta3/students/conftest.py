"""Answers of 80 students to 15 questions."""

import numpy as np
import pytest

from itemcurve_studies.beta3.students.answers import Answers


@pytest.fixture(scope="module")
def answers():
    rng = np.random.default_rng(1)
    students, questions = np.nonzero(rng.random((80, 15)) < 0.7)
    logits = 1.3 * rng.normal(size=80)[students] - rng.normal(size=15)[questions]
    scores = (rng.random(len(logits)) < 1 / (1 + np.exp(-logits))).astype(float)
    return Answers(students, questions, scores)
