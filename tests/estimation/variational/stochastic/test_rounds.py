import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.checkpoint import MemoryCheckpoint
from itemcurve.estimation.variational.stochastic import rounds as module
from itemcurve.methods import Stochastic


@pytest.fixture(scope="module")
def responses():
    return ic.simulate("beta3", respondents=6, items=12, seed=2).responses


def places(responses, engine="numpy", **settings):
    fit = ic.fit(
        responses, "beta3", method=Stochastic(**settings), engine=engine, on_failure="ignore"
    )
    return np.concatenate([fit.estimates.abilities, fit.estimates.values.ravel()])


@pytest.mark.slow
def test_both_engines_walk_alike(responses):
    pytest.importorskip("jax")
    first, second = (places(responses, engine, rounds=4) for engine in ("numpy", "jax"))
    np.testing.assert_allclose(first, second, atol=1e-6)


def test_an_interrupted_search_goes_on_as_if_it_had_not_been(responses):
    whole = places(responses, rounds=8)
    kept = MemoryCheckpoint()

    def interrupt(iteration, objective):
        if iteration == 3:
            raise KeyboardInterrupt

    method = Stochastic(rounds=8)
    with pytest.raises(KeyboardInterrupt):
        ic.fit(responses, "beta3", method=method, progress=interrupt, checkpoint=kept)
    again = ic.fit(
        responses,
        "beta3",
        method=method,
        checkpoint=MemoryCheckpoint(kept.reached),
        on_failure="ignore",
    )
    found = np.concatenate([again.estimates.abilities, again.estimates.values.ravel()])
    np.testing.assert_array_equal(found, whole)
    assert again.estimates.iterations == 8


def test_noise_is_drawn_in_portions_where_cells_are_many(responses, monkeypatch):
    kept = []
    monkeypatch.setattr(module, "_MOST_NUMBERS", 6 * 12 * 3 * 20)
    draw = module.draw_noise
    monkeypatch.setattr(
        module, "draw_noise", lambda rng, n, shape: kept.append(n) or draw(rng, n, shape)
    )
    places(responses, rounds=4)
    assert kept[:4] == [20, 20, 10, 1]
