"""Curves of items: expectation, intervals, quartiles, observed means."""

import numpy as np
import pytest
from tests.catalogue import MODELS

from itemcurve.analysis.curves.item_curves import item_curves
from itemcurve.datasets.simulation import simulate
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.fit import fit


@pytest.mark.parametrize("model", MODELS)
def test_curves_lie_inside_their_intervals_and_the_range(model, fitted):
    curves = item_curves(fitted(model), points=21)
    assert curves.expected.shape == (21, 12)
    assert np.isfinite(curves.lower).all()
    assert np.all(curves.lower <= curves.expected * (1 + 1e-9) + 1e-9)
    assert np.all(curves.upper >= curves.expected * (1 - 1e-9) - 1e-9)
    assert curves.lower.min() >= curves.support[0]
    assert curves.upper.max() <= curves.support[1]
    is_continuous = fitted(model).estimates.model.family.is_continuous
    assert (curves.quantiles is not None) == is_continuous
    assert ("response_25" in curves.frame()) == is_continuous


def test_intervals_cover_the_true_curve():
    inside = []
    for seed in range(5):
        drawn = simulate("2pl", respondents=800, items=20, seed=seed)
        curves = item_curves(fit(drawn.responses, "2pl"), points=9)
        truth = 1 / (
            1 + np.exp(-np.outer(curves.axis.points, drawn.values[:, 0]) - drawn.values[:, 1])
        )
        inside.append((truth >= curves.lower) & (truth <= curves.upper))
    assert 0.84 <= np.mean(inside) <= 0.96


def test_observed_means_average_the_responses():
    drawn = simulate("2pl", respondents=200, items=5, seed=1, missing=0.1)
    observed = item_curves(fit(drawn.responses, "2pl"), groups=4).observed
    assert observed.is_grouped
    assert observed.means.shape == (4, 5)
    assert observed.weights.sum() == drawn.responses.n_observed
    total = (np.nan_to_num(observed.means) * observed.weights).sum(axis=0)
    assert np.allclose(total, np.nansum(drawn.responses.array(), axis=0))


def test_few_respondents_are_shown_one_by_one():
    result = fit(simulate("2pl", respondents=20, items=30, seed=1).responses)
    observed = item_curves(result, ["item_03"]).observed
    assert not observed.is_grouped
    assert len(observed.frame()) == 20


def test_unknown_items_and_wrong_numbers_are_refused(fitted):
    with pytest.raises(ResponsesError, match="nope"):
        item_curves(fitted("2pl"), ["nope"])
    with pytest.raises(ModelError, match="level"):
        item_curves(fitted("2pl"), level=1.0)
