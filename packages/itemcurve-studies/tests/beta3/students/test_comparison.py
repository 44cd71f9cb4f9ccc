"""β³ against 2PL-ND on one hold-out."""

import numpy as np

from itemcurve_studies.beta3.students.comparison import METHODS, compare_once


def test_a_regularised_2pl_predicts_better_than_training_from_a_random_start(answers):
    found = compare_once(answers, "toy", "first", 0, steps=300)
    losses = found["losses"].set_index("method")["log_loss"]
    assert set(METHODS) < set(losses.index)
    assert losses["2pl, regularised"] < losses["2pl-nd"]
    assert set(found["questions"]["method"]) == {"beta3", "beta3, sum", "beta3, δ reversed"}
    assert np.isfinite(found["questions"]["start"]).all()
