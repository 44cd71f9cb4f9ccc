import numpy as np
import pytest

import itemcurve as ic

# With an estimated population, difficulties are posterior means and need not be moved.
FIXED = ic.Marginal(over="respondents", item_priors="fixed")


def flat_data(respondents: int = 200, seed: int = 0) -> ic.Responses:
    """Twenty items of the 2PL, and forty that everyone answers by chance."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=respondents)
    slopes = np.concatenate([np.full(20, 1.5), np.zeros(40)])
    intercepts = np.concatenate([np.linspace(-2, 2, 20), np.linspace(-2, 2, 40)])
    chance = 1 / (1 + np.exp(-(np.outer(ability, slopes) + intercepts)))
    return ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))


@pytest.mark.parametrize("model", ["2pl", "3pl"])
def test_items_that_say_nothing_get_difficulties_within_reach(model: str) -> None:
    responses = flat_data()
    found = ic.fit(responses, model, method=FIXED)
    assert np.abs(found.items["difficulty"]).max() <= 8.0 + 1e-9
    assert (np.abs(found.items["difficulty"]) > 7.999).any(), "no item was moved: nothing tested"


def test_slope_intercept_and_difficulty_still_belong_together() -> None:
    found = ic.fit(flat_data(), "2pl", method=FIXED)
    items = found.items
    product = -items["discrimination"] * items["difficulty"]
    np.testing.assert_allclose(items["intercept"], product, atol=1e-10)


def test_moving_flat_items_costs_little_likelihood() -> None:
    from itemcurve.estimation.marginal.over_respondents import reported_items

    responses, method = flat_data(), FIXED
    moved = ic.fit(responses, "2pl", method=method)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reported_items, "bring_within_reach", lambda model, x, *_: x)
        plain = ic.fit(responses, "2pl", method=method)
    assert np.abs(plain.items["difficulty"]).max() > 10
    changed = (plain.items["difficulty"] - moved.items["difficulty"]).abs() > 1e-9
    lost = plain.estimates.objective_value - moved.estimates.objective_value
    # One standard error is half a unit of log-likelihood; most items move much less.
    assert 0 < lost < 0.25 * changed.sum()
    assert plain.log_likelihood != moved.log_likelihood


def test_an_item_known_to_be_far_off_stays_there() -> None:
    from itemcurve.estimation.identification.undetermined_difficulties import bring_within_reach
    from itemcurve.models.catalogue import get_model

    model = get_model("2pl")
    x = np.array([[0.1, 2.0], [0.1, 2.0]])
    narrow, wide = np.diag([1e-6, 1e-6]), np.diag([0.04, 0.04])
    moved = bring_within_reach(model, x, np.stack([narrow, wide]), 0.0, 1.0)
    np.testing.assert_array_equal(moved[0], x[0])
    assert -moved[1, 1] / moved[1, 0] == pytest.approx(-8.0)


def test_maximum_likelihood_is_left_alone() -> None:
    found = ic.fit(flat_data(), "2pl", method=ic.Marginal(over="respondents"), prior=None)
    assert np.abs(found.items["difficulty"]).max() > 10


def test_difficulties_at_infinity_are_no_arithmetic_to_warn_of() -> None:
    # All answer alike: slopes are zero, and warnings are errors here.
    equal = ic.Responses.from_array(np.repeat([[1.0, 0.0, 1.0]], 8, axis=0))
    found = ic.fit(equal, "2pl", method=ic.Joint(objective="ml"), on_failure="ignore")
    assert (found.items["flags"] != "").all()
