"""A general ability above the others."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.correlations.second_order import composed, general_loadings

LOADINGS = np.array([0.9, 0.8, 0.6, 0.4])


def drawn(seed, respondents=600, items=48):
    rng = np.random.default_rng(seed)
    general = rng.normal(size=respondents)
    own = np.sqrt(1 - LOADINGS**2) * rng.normal(size=(respondents, 4))
    abilities = general[:, None] * LOADINGS + own
    slopes, places = rng.uniform(0.8, 2, items), np.arange(items) % 4
    predictor = abilities[:, places] * slopes + rng.normal(size=items)
    answers = (rng.random(predictor.shape) < 1 / (1 + np.exp(-predictor))).astype(float)
    responses = ic.Responses.from_array(answers)
    groups = {f"subject_{k}": list(responses.items[k::4]) for k in range(4)}
    return responses, groups, (general - general.mean()) / general.std()


@pytest.fixture(scope="module")
def fit():
    responses, groups, _ = drawn(1)
    return ic.fit(responses, "2pl", dimensions=groups, general="above")


@pytest.mark.parametrize("loadings", [[0.9, 0.6, 0.5], [0.95, -0.4, 0.6, 0.2], [0.7, 0.7]])
def test_loadings_of_exact_correlations_are_found(loadings):
    found = general_loadings(composed(np.array(loadings)))
    np.testing.assert_allclose(found, loadings, atol=1e-6)


def test_loadings_and_the_general_ability_are_recovered_with_honest_errors():
    loadings, inside, covered = [], [], []
    for seed in range(4):
        responses, groups, general = drawn(seed)
        found = ic.fit(responses, "2pl", dimensions=groups, general="above")
        table, people = found.second_order, found.respondents
        loadings.append(table["loading"])
        inside.append(np.abs(table["loading"] - LOADINGS) < 1.645 * table["loading_se"])
        covered.append(np.abs(people["general"] - general) < 1.645 * people["general_se"])
    np.testing.assert_allclose(np.mean(loadings, axis=0), LOADINGS, atol=0.07)
    assert np.mean(inside) > 0.7
    assert np.mean(covered) == pytest.approx(0.9, abs=0.03)


def test_correlations_are_products_of_loadings(fit):
    assert fit.pattern.kind == "second order"
    np.testing.assert_allclose(
        fit.correlation, composed(fit.second_order["loading"].to_numpy()), atol=1e-6
    )
    # 48 slopes, 48 intercepts, four loadings in place of six correlations.
    assert fit.n_parameters == 100
    free = ic.fit(fit.responses, "2pl", dimensions=drawn(1)[1])
    assert free.n_parameters == 102
    assert free.objective_value >= fit.objective_value - 0.5


def test_it_is_kept(fit, tmp_path):
    fit.save(tmp_path / "run")
    found = ic.load(tmp_path / "run")
    assert found.pattern.is_second_order
    for name in ("second_order", "respondents", "correlation_errors"):
        np.testing.assert_allclose(
            getattr(found, name).select_dtypes("number"),
            getattr(fit, name).select_dtypes("number"),
        )


def test_what_has_no_ability_above_is_refused(fit):
    responses, groups, _ = drawn(1, respondents=80, items=16)
    with pytest.raises(ModelError, match="stands above two others"):
        ic.fit(responses, "2pl", dimensions={"all": ["*"]}, general="above")
    with pytest.raises(ModelError, match="general is True"):
        ic.fit(responses, "2pl", dimensions=groups, general="below")
    with pytest.raises(ModelError, match="drawn from a population"):
        ic.fit(responses, "2pl", dimensions=groups, general="above", prior=None)
    plain = ic.fit(responses, "2pl", dimensions=groups)
    with pytest.raises(ModelError, match="need a fit of second order"):
        _ = plain.second_order
