"""What is known of items, in closed form and in compiled programs."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.marginal import problem
from itemcurve.estimation.marginal.over_respondents.item_likelihoods import _without_negative


def test_the_nearest_information_without_negative_eigenvalues_is_that_of_the_eigenvalues() -> None:
    roots = np.random.default_rng(2).normal(size=(200, 2, 2))
    matrices = roots + roots.swapaxes(1, 2)
    matrices[0], matrices[1] = np.diag([-1.0, -1.0]), np.diag([2.0, 2.0])
    values, vectors = np.linalg.eigh(matrices)
    nearest = (vectors * np.maximum(values, 0.0)[:, None, :]) @ vectors.swapaxes(1, 2)
    np.testing.assert_allclose(_without_negative(matrices), nearest, atol=1e-12)


@pytest.mark.slow
def test_many_items_are_expanded_by_compiled_programs_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("jax")
    responses = ic.simulate("2pl", respondents=80, items=60, seed=4).responses
    method = ic.Marginal(over="respondents")
    plain = ic.fit(responses, method=method)
    monkeypatch.setattr(problem, "_WORTH_COMPILING", 10)
    compiled = ic.fit(responses, method=method, engine="jax")
    assert compiled.status is plain.status
    np.testing.assert_allclose(compiled.estimates.values, plain.estimates.values, atol=1e-6)
    for name, errors in plain.estimates.item_errors.items():
        np.testing.assert_allclose(compiled.estimates.item_errors[name], errors, rtol=1e-5)
