"""Abilities of other shapes than the normal, as a user asks for them."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.identification.population import Coordinate
from itemcurve.estimation.identification.shaped_population import DavidianPopulation
from itemcurve.models.priors import Normal


@pytest.fixture(scope="module")
def skewed():
    """Abilities with a tail upwards, and the items that 600 respondents answered."""
    rng = np.random.default_rng(5)
    abilities = (rng.gamma(1.5, size=600) - 1.5) / np.sqrt(1.5)
    slopes, difficulties = np.exp(0.2 * rng.normal(size=15)) + 0.3, rng.normal(size=15)
    chance = 1 / (1 + np.exp(-slopes * (abilities[:, None] - difficulties)))
    observed = (rng.random(chance.shape) < chance).astype(float)
    return ic.Responses.from_array(observed), abilities, slopes


@pytest.mark.parametrize("density", ["davidian", "davidian-3", "histogram"])
@pytest.mark.parametrize("prior", [None, "default"])
def test_a_tail_is_found_and_told_on_the_standard_scale(skewed, density, prior):
    responses, abilities, slopes = skewed
    normal = ic.fit(responses, "2pl", prior=prior)
    fit = ic.fit(responses, "2pl", density=density, prior=prior)
    assert fit.status.is_converged
    assert fit.log_likelihood > normal.log_likelihood + 10
    assert fit.density.kind.startswith(density)
    assert fit.density.skewness > 0.8
    shares, places = fit.density.shares, fit.density.abilities
    assert shares.sum() == pytest.approx(1.0)
    assert shares @ places == pytest.approx(0.0, abs=1e-6)
    assert shares @ places**2 == pytest.approx(1.0, abs=1e-6)
    errors = fit.items["discrimination_se"]
    assert errors.between(0.02, 1.5).all()
    gap, usual = (np.abs(own.items["discrimination"] - slopes).mean() for own in (fit, normal))
    # A histogram is no smooth curve: its far tail takes up some of the unit of ability.
    assert gap < usual or density == "histogram"
    assert np.corrcoef(fit.respondents["ability"], abilities)[0, 1] > 0.85


def test_gradients_of_a_curve_are_those_of_differences():
    population = DavidianPopulation((Coordinate(Normal(0.0, 1.0), True, True),), 3, pivot=1)
    state, nodes = np.array([0.2, -0.1, 0.4, -0.3, 0.2]), np.linspace(-4, 4, 40)[None, :]
    mass = np.exp(-0.5 * (nodes - 0.5) ** 2)
    found = population.gradient(state, nodes, mass)
    for place, step in enumerate(1e-6 * np.eye(5)):
        up, down = (
            (population.log_density(state + sign * step, nodes) * mass).sum() for sign in (1, -1)
        )
        assert found[place] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-6)


def test_moments_of_a_curve_are_those_of_its_density():
    population = DavidianPopulation((Coordinate(Normal(0.3, 1.2)),), 4, pivot=2)
    state = np.array([0.5, -0.4, 0.2, 0.1])
    nodes = np.linspace(-14, 14, 20_001)[None, :]
    mass = np.exp(population.log_density(state, nodes)[0]) * (nodes[0, 1] - nodes[0, 0])
    mean, sd = population.moments(state)
    assert mass.sum() == pytest.approx(1.0, abs=1e-9)
    assert mass @ nodes[0] == pytest.approx(mean[0], abs=1e-9)
    assert np.sqrt(mass @ (nodes[0] - mean[0]) ** 2) == pytest.approx(sd[0], abs=1e-9)


def test_what_is_no_density_is_refused(skewed):
    responses, *_ = skewed
    with pytest.raises(ModelError, match="'davidian-1' to 'davidian-10'"):
        ic.fit(responses, density="davidian-99")
    with pytest.raises(ModelError, match="in one population"):
        ic.fit(responses, density="davidian", groups=["a", "b"] * 300)
    with pytest.raises(ModelError, match="one normal population"):
        ic.fit(responses, density="histogram", dimensions=2)


def test_the_shape_is_kept_in_a_run(skewed, tmp_path):
    responses, *_ = skewed
    fit = ic.fit(responses, density="davidian-2")
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.density.kind == "davidian-2"
    np.testing.assert_array_equal(again.density.heights, fit.density.heights)
