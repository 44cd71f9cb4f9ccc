"""Origin and unit from the priors alone."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.weakly_identified_scale import most_probable_scale
from itemcurve.models.catalogue import get_model, set_priors


def test_a_scale_that_was_changed_is_found_again():
    model = get_model("fractional-beta3")
    rng = np.random.default_rng(1)
    t, values = rng.logistic(size=3000), model.draw(rng, 3000)
    moved = model.rescale(values, 0.4, 1.6)
    location, unit = most_probable_scale(model, (t - 0.4) / 1.6, moved)
    # Undoing a change of scale: (t' − location)/unit must be t again.
    assert unit == pytest.approx(1 / 1.6, rel=0.04)
    assert location == pytest.approx(-0.4 / 1.6, abs=0.04)


def test_without_priors_the_scale_stays_as_it_is():
    model = set_priors(get_model("fractional-beta3"), None)
    values = model.draw(np.random.default_rng(1), 10)
    assert most_probable_scale(model, np.zeros(5), values) == (0.0, 1.0)


def test_without_priors_a_joint_fit_still_ends_with_finite_numbers():
    scores = ic.simulate("fractional-beta3", respondents=25, items=20, seed=3).responses
    fit = ic.fit(scores, "fractional-beta3", method="joint", prior=None, on_failure="ignore")
    assert np.isfinite(fit.estimates.abilities).all()
    assert "prior" not in fit.objective
