"""A log of what is done, for those who listen."""

import logging

import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationWarning


def test_the_library_says_nothing_unless_somebody_listens(moons, few, capfd):
    ic.evaluate_classifiers(few, *moons)
    assert capfd.readouterr() == ("", "")


def test_trainings_failures_and_fits_are_in_the_log(moons, few, caplog):
    class Bad:
        def fit(self, X, y):
            raise RuntimeError("out of luck")

        def predict(self, X):
            return X

    with caplog.at_level(logging.INFO, logger="itemcurve"), pytest.warns(EvaluationWarning):
        ic.evaluate_classifiers({**few, "bad": Bad()}, *moons)
    said = [record.getMessage() for record in caplog.records]
    assert any(text.startswith("logistic, fold 1 of 1, took") for text in said)
    assert any("bad failed in fold 1 of 1: RuntimeError: out of luck" in text for text in said)
    assert any(text.startswith("Fitted fractional-1pl to 4 × 60 responses") for text in said)
