"""Algorithm 1 as a method: settings, status, and where it wanders."""

import warnings

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ConvergenceWarning, ModelError
from itemcurve.estimation.refitting import method_of
from itemcurve.estimation.status import FitStatus
from itemcurve.methods import Stochastic


@pytest.fixture(scope="module")
def truth():
    return ic.simulate("beta3", respondents=8, items=20, seed=1)


def fitted(responses, model="beta3", *, rounds=8, **settings):
    method = Stochastic(rounds=rounds, **settings)
    return ic.fit(responses, model, method=method, on_failure="ignore")


def walked(responses, **settings):
    """A thousand rounds; compiled, they take two seconds."""
    pytest.importorskip("jax")
    method = Stochastic(**settings)
    return ic.fit(
        responses, "beta3", method=method, boundary="clip", engine="jax", on_failure="ignore"
    )


@pytest.mark.slow
def test_its_mean_is_the_maximum_that_exact_steps_find(truth):
    mean = walked(truth.responses, report="average")
    exact = ic.fit(
        truth.responses, "beta3", method=ic.Variational(as_published=True), boundary="clip"
    )
    assert mean.status is FitStatus.CONVERGED
    assert np.corrcoef(mean.estimates.abilities, exact.estimates.abilities)[0, 1] > 0.995
    for column, least in (("difficulty", 0.98), ("discrimination", 0.95)):
        assert np.corrcoef(mean.items[column], exact.items[column])[0, 1] > least
    # Where posteriors are wide, the cubature of exact steps sees the bound 0.05 too high.
    assert mean.estimates.objective_value == pytest.approx(
        exact.estimates.objective_value, abs=0.08
    )


@pytest.mark.slow
def test_where_it_stands_last_is_noisier_than_its_mean_and_said_to_be(truth):
    last, mean = (walked(truth.responses, report=report) for report in ("last", "average"))
    assert last.status is FitStatus.WANDERING
    assert not last.status.is_converged
    assert last.estimates.diagnostics == mean.estimates.diagnostics
    assert 0.1 < last.estimates.diagnostics["wandering"] < 1
    assert last.estimates.objective_value < mean.estimates.objective_value


@pytest.mark.slow
def test_sums_let_the_responses_speak_louder_than_means_do(truth):
    means, sums = (
        walked(truth.responses, report="average", as_published=flag) for flag in (True, False)
    )
    assert sums.estimates.abilities.std() > 1.2 * means.estimates.abilities.std()
    assert "as published" in means.objective
    assert "as published" not in sums.objective


def test_a_search_that_is_still_on_the_way_says_so(truth):
    found = fitted(truth.responses, rounds=8, report="average")
    assert found.estimates.diagnostics["drift"] > 1
    assert found.status is FitStatus.MAX_ITERATIONS


def test_its_status_is_told_with_what_to_do(truth):
    with pytest.warns(ConvergenceWarning, match="Variational|max_iterations"):
        ic.fit(truth.responses, "beta3", method=Stochastic(rounds=4))
    assert "another seed" in FitStatus.WANDERING
    assert "as_published=True" in FitStatus.WANDERING.advice


def test_the_seed_decides_where_it_ends(truth):
    first, again, other = (fitted(truth.responses, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.estimates.values, again.estimates.values)
    assert np.abs(first.estimates.values - other.estimates.values).max() > 0.01


@pytest.mark.parametrize("model", ["beta3", "gamma-normalised", "fractional-beta3"])
def test_models_with_abilities_in_the_unit_interval_are_served(model):
    responses = ic.simulate(model, respondents=6, items=10, seed=3, missing=0.1).responses
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fitted(responses, model)
    assert np.isfinite(found.estimates.values).all()
    assert found.estimates.over == "everything"
    assert "probability_negative" in found.items


def test_a_discrimination_that_is_held_stays(truth):
    found = ic.fit(
        truth.responses,
        "beta3",
        method=Stochastic(rounds=8),
        discrimination=1.0,
        on_failure="ignore",
    )
    assert (found.items["discrimination"] == 1).all()


def test_other_scales_are_refused():
    responses = ic.simulate("2pl", respondents=20, items=10, seed=1).responses
    with pytest.raises(ModelError, match=r"lie in \(0, 1\)"):
        ic.fit(responses, "2pl", method="stochastic")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"seed": -1}, "seed must"),
        ({"rounds": 3}, "rounds must"),
        ({"report": "best"}, "report must be one of"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings, reason):
    with pytest.raises(ModelError, match=reason):
        Stochastic(**settings)


def test_a_saved_fit_loads_back_and_can_be_repeated(truth, tmp_path):
    found = fitted(truth.responses, seed=3)
    found.save(tmp_path / "run")
    loaded = ic.load(tmp_path / "run")
    assert loaded.status is found.status
    assert loaded.estimates.diagnostics == found.estimates.diagnostics
    assert method_of(loaded) == Stochastic(seed=3, rounds=8)
