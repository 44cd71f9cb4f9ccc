"""Draws in run folders: written and read back, and refused when they do not fit."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import StorageError
from itemcurve.estimation.posterior_draws import Draws
from itemcurve.storage.run_folder import update_run


@pytest.fixture(scope="module")
def fitted():
    """A fit with draws around its estimates, as if they had been sampled."""
    result = ic.fit(ic.simulate("2pl", respondents=40, items=5, seed=1).responses, "2pl")
    estimates, rng = result.estimates, np.random.default_rng(0)
    noise = 0.1 * rng.normal(size=(2, 30, 5, 4)) * np.array([1, 1, 0, 0])
    draws = Draws(
        estimates.abilities + 0.1 * rng.normal(size=(2, 30, 40)),
        estimates.values + noise,
        rng.random((2, 30)) < 0.1,
        {"ability_mean": rng.normal(size=(2, 30))},
    )
    return replace(
        result,
        estimates=replace(
            estimates,
            draws=draws,
            over="everything",
            diagnostics={"max_rhat": 1.003},
            respondent_extras={"rhat": np.full(40, 1.001)},
        ),
    )


def test_they_come_back_as_they_were(fitted, tmp_path):
    fitted.save(tmp_path / "run")
    loaded = ic.load(tmp_path / "run")
    for name in ("abilities", "values", "diverging"):
        expected = getattr(fitted.estimates.draws, name)
        np.testing.assert_array_equal(getattr(loaded.estimates.draws, name), expected)
    assert set(loaded.estimates.draws.population) == {"ability_mean"}
    assert loaded.estimates.diagnostics == {"max_rhat": 1.003}
    assert loaded.respondents.equals(fitted.respondents)
    assert loaded.bic == fitted.bic


def test_they_are_exported_with_the_log_density_of_every_cell(fitted):
    tree = fitted.to_arviz(thin=3)
    assert tree["posterior"]["ability"].shape == (2, 10, 40)
    assert tree["log_likelihood"]["response"].shape == (2, 10, 200)
    assert float(tree["log_likelihood"]["response"].max()) < 0


@pytest.mark.parametrize("name", ["abilities", "values", "diverging", "population.ability_mean"])
def test_draws_of_another_shape_are_refused(fitted, tmp_path, name):
    fitted.save(tmp_path / "run")
    draws = fitted.estimates.draws
    arrays = {
        "abilities": draws.abilities,
        "values": draws.values,
        "diverging": draws.diverging,
        "population.ability_mean": draws.population["ability_mean"],
    }
    arrays[name] = arrays[name][:, :-1]
    update_run(tmp_path / "run", {}, {"draws": arrays})
    with pytest.raises(StorageError, match="draws"):
        ic.load(tmp_path / "run")
