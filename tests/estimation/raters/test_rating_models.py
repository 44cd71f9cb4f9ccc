"""Ratings by every ordered model, and right or wrong: what raters share, and what is recovered."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.judges import Raters, simulate_ratings

PLAIN = Raters(interactions=())


@pytest.fixture(scope="module")
def drawn():
    return simulate_ratings(respondents=8, items=40, raters=4, seed=2, harsh=[0])


@pytest.fixture(scope="module")
def marked():
    return simulate_ratings(respondents=8, items=60, raters=4, seed=3, grades=2, harsh=[0])


@pytest.mark.parametrize("model", ["gpcm", "pcm", "rsm", "sequential"])
def test_every_model_finds_abilities_and_severity(model, drawn):
    fit = ic.fit(drawn.ratings, model, raters=PLAIN)
    assert fit.status.is_converged
    assert fit.model == model
    assert np.corrcoef(fit.respondents["ability"], drawn.abilities)[0, 1] > 0.98
    # Everybody rated everything, so plain means are fair here.
    plain = drawn.ratings.values.mean() - fit.raters["mean_rating"]
    np.testing.assert_allclose(fit.raters["severity"], plain, atol=0.06)
    shares = fit.predict(drawn.ratings.take(np.arange(20)))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert fit.raters["consistency"].between(0, 1).all()


def test_raters_of_the_rating_scale_share_discrimination_and_steps(drawn):
    fit = ic.fit(drawn.ratings, "rsm", raters=PLAIN)
    steps = np.diff(fit.values.thresholds, axis=1)
    np.testing.assert_allclose(steps, np.tile(steps[0], (4, 1)), atol=1e-9)
    assert np.ptp(fit.values.discriminations) == pytest.approx(0, abs=1e-12)
    credit = ic.fit(drawn.ratings, "pcm", raters=PLAIN)
    assert np.ptp(credit.values.discriminations) == pytest.approx(0, abs=1e-12)
    # Raters × steps less one severity each and one scale of steps.
    assert credit.n_parameters - fit.n_parameters == 4 * 4 - (4 + 3)
    assert credit.log_likelihood > fit.log_likelihood


def test_right_and_wrong_is_the_same_by_every_curve(marked):
    two = ic.fit(marked.ratings, "2pl", raters=PLAIN)
    assert np.corrcoef(two.respondents["ability"], marked.abilities)[0, 1] > 0.97
    assert two.raters["severity"].idxmax() == 0
    for model in ("grm", "gpcm", "sequential"):
        same = ic.fit(marked.ratings, model, raters=PLAIN)
        assert same.log_likelihood == pytest.approx(two.log_likelihood, abs=1e-6)
    rasch = ic.fit(marked.ratings, "rasch", raters=PLAIN)
    credit = ic.fit(marked.ratings, "pcm", raters=PLAIN)
    assert credit.log_likelihood == pytest.approx(rasch.log_likelihood, abs=1e-6)
    assert rasch.n_parameters < two.n_parameters


def test_jax_fits_the_same(drawn):
    few = drawn.ratings.take(drawn.ratings.item < 12)
    for model in ("grm", "rsm"):
        own = ic.fit(few, model, raters="rater")
        other = ic.fit(few, model, raters="rater", engine="jax")
        assert other.engine == "jax"
        np.testing.assert_allclose(other.vector, own.vector, atol=1e-8)
        assert other.log_likelihood == pytest.approx(own.log_likelihood, abs=1e-8)


def test_a_model_is_saved_with_its_fit(drawn, tmp_path):
    fit = ic.fit(drawn.ratings, "gpcm", raters=PLAIN)
    fit.save(tmp_path / "run")
    read = ic.load(tmp_path / "run")
    assert (read.model, read.engine) == ("gpcm", "numpy")
    assert read.raters.equals(fit.raters)
