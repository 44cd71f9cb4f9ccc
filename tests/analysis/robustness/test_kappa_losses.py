"""Losses of κ, and the verdicts that follow from them."""

from dataclasses import replace

import numpy as np
import pytest
from tests.analysis.robustness.conftest import make_curves

import itemcurve as ic
from itemcurve.analysis.robustness.kappa_losses import kappa_gradients


def test_losses_are_those_of_equations_8_to_11(two_by_two):
    easy, hard = kappa_gradients(two_by_two)
    np.testing.assert_allclose(easy, [0.2, 0.6])
    np.testing.assert_allclose(hard, [0.5, 0.1])
    other = replace(two_by_two, kappa=np.ones((2, 2, 3)), name="two", complexity=0.5)
    losses = ic.robustness.kappa_losses([two_by_two, other], split=True).set_index(
        ["part", "respondent"]
    )
    assert losses.loc[("all", "m0"), "loss_by_difficulty"] == pytest.approx(0.15)
    assert losses.loc[("simple", "m1"), "loss_by_difficulty"] == pytest.approx(0.5)
    assert losses.loc[("simple", "m1"), "loss_by_noise"] == pytest.approx(0.35)
    assert losses.loc[("complex", "m1"), "loss_by_noise"] == 0


def test_verdicts_of_the_paper_follow_from_the_numbers():
    curves = make_curves(
        [
            [[1, 0.98], [1, 0.95]],
            [[1, 0.70], [1, 0.68]],
            [[1, 0.95], [1, 0.60]],
            [[1, 0.60], [1, 0.95]],
        ],
        half=0.02,
    )
    table = curves.verdicts(measure="kappa")
    assert table["verdict"].tolist() == [
        "robust to both",
        "weak to noise",
        "weak to difficulty",
        "reverse pattern",
    ]
    assert table["is_clear"].all()
    wide = make_curves(curves.kappa, half=0.3).verdicts(measure="kappa")
    assert not wide["is_clear"].any()
