"""Slopes against differences of the objective, written again with scipy's Beta distribution."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import beta

import itemcurve as ic
from itemcurve.estimation.variational.stochastic.drawn_slopes import (
    DrawnBound,
    Places,
    gather_cells,
)
from itemcurve.estimation.variational.stochastic.drawn_slopes import Noise as Drawn
from itemcurve.models.catalogue import get_model, set_boundary
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

ITEMS, RESPONDENTS = 4, 3
STEP = 1e-6


@pytest.fixture(scope="module")
def scores():
    found = np.random.default_rng(3).uniform(0.05, 0.95, size=(RESPONDENTS, ITEMS))
    found[0, 1] = np.nan
    return found


@pytest.fixture(scope="module")
def places():
    rng = np.random.default_rng(4)
    sizes = (RESPONDENTS,), (RESPONDENTS,), (ITEMS, 2), (ITEMS, 2)
    return Places(*(0.5 * rng.normal(size=size) for size in sizes))


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(5)
    return Drawn(
        rng.normal(size=(ITEMS, RESPONDENTS)),
        rng.normal(size=(ITEMS, RESPONDENTS, 2)),
        rng.normal(size=(ITEMS, 2)),
    )


def value(at, noise, scores, are_means):
    """The objective at a draw: means of everything as the published code has them, or sums."""
    seen = ~np.isnan(scores.T)
    t_sd, x_sd = np.logaddexp(0, at.t_width), np.logaddexp(0, at.x_width)
    t = at.t + t_sd * noise.abilities
    logit = at.x[:, 1:] + x_sd[:, 1:] * noise.items[..., 1]
    slope = at.x[:, 0] + x_sd[:, 0] * noise.slopes[:, 0]
    theta, delta = expit(t), expit(logit)
    first = (theta / delta) ** slope[:, None]
    second = ((1 - theta) / (1 - delta)) ** slope[:, None]
    fits = beta.logpdf(np.where(seen, scores.T, 0.5), first, second)
    # log prior − log q on the logit scale, of each draw of a cell and of each discrimination.
    abilities = np.log(theta * (1 - theta)) + np.log(t_sd)
    items = np.log(delta * (1 - delta)) + np.log(x_sd[:, 1:])
    slopes = -((slope - 1) ** 2) / 2 + np.log(x_sd[:, 0])
    if are_means:
        return (fits + abilities + items)[seen].mean() + slopes.mean()
    own = (seen * abilities).sum(axis=0) / seen.sum(axis=0)
    theirs = (seen * items).sum(axis=1) / seen.sum(axis=1)
    return (fits[seen].sum() + own.sum() + theirs.sum() + slopes.sum()) / seen.sum()


@pytest.mark.parametrize("are_means", [True, False])
def test_they_are_those_of_the_objective_as_published_and_as_written(
    scores, places, noise, are_means
):
    likelihood = Likelihood(set_boundary(get_model("beta3"), "clip"))
    model = likelihood.model
    data = gather_cells(likelihood, ic.Responses.from_array(scores), np.ones((ITEMS, 2)), are_means)
    priors = tuple(model.parameters[i].prior for i in likelihood.free)
    found = DrawnBound(likelihood, model.ability_prior, priors).slopes(NUMPY, data, places, noise)
    for part, name in enumerate(Places._fields):
        for place in np.ndindex(places[part].shape):
            up, down = (_moved(places, part, place, sign * STEP) for sign in (1, -1))
            gap = value(up, noise, scores, are_means) - value(down, noise, scores, are_means)
            assert found[part][place] == pytest.approx(gap / (2 * STEP), abs=1e-6), name


def _moved(places, part, place, step):
    arrays = [array.copy() for array in places]
    arrays[part][place] += step
    return Places(*arrays)
