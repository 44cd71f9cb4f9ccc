"""Fits of several abilities, from responses to tables."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.estimation.dimensions.saved_dimensions_fit import load_dimensions_fit
from itemcurve.estimation.status import FitStatus


def draw(respondents=300, items=24, size=2, seed=0, missing=0.0):
    """Items of simple structure, in turn; responses and true slopes."""
    rng = np.random.default_rng(seed)
    slopes = np.zeros((items, size))
    slopes[np.arange(items), np.arange(items) % size] = rng.uniform(1.0, 2.0, items)
    abilities = rng.normal(size=(respondents, size))
    chance = 1 / (1 + np.exp(-abilities @ slopes.T - rng.normal(size=items)))
    answers = (rng.random(chance.shape) < chance).astype(float)
    answers[rng.random(chance.shape) < missing] = np.nan
    return ic.Responses.from_array(answers), slopes, abilities


@pytest.fixture(scope="module")
def explored():
    responses, slopes, abilities = draw(missing=0.05)
    return ic.fit(responses, "2pl", dimensions=2), slopes, abilities


def test_explored_abilities_are_found_again(explored):
    fit, slopes, abilities = explored
    assert fit.status.is_converged
    found = fit.slopes
    order = np.argmax(np.abs(found.T @ slopes), axis=1)
    assert sorted(order) == [0, 1]
    assert np.corrcoef(found.ravel(), slopes[:, order].ravel())[0, 1] > 0.93
    for place, other in enumerate(order):
        assert np.corrcoef(fit.ability_points[:, place], abilities[:, other])[0, 1] > 0.8


def test_tables_say_what_was_found(explored):
    fit, *_ = explored
    assert list(fit.respondents.columns[:3]) == ["respondent", "ability_1", "ability_1_se"]
    assert fit.loadings[["ability_1", "ability_2"]].abs().max().max() < 1
    assert fit.loadings["explained"].between(0, 1).all()
    assert "2 abilities" in repr(fit)
    assert "ability_1" in fit._repr_html_()
    assert fit.correlations.shape == (2, 2)


def test_expected_responses_are_logistic_in_the_predictor(explored):
    fit, *_ = explored
    point = np.array([[0.3, -0.5]])
    predictor = point @ fit.slopes.T + fit.item_points[:, 2]
    assert np.allclose(fit.expected_response(point), 1 / (1 + np.exp(-predictor)))


def test_saved_fits_are_read_back(explored, tmp_path):
    fit, *_ = explored
    fit.save(tmp_path / "run")
    again = load_dimensions_fit(tmp_path / "run")
    assert np.array_equal(again.item_points, fit.item_points)
    assert again.loadings.equals(fit.loadings)
    assert again.status is fit.status


def test_confirmed_abilities_keep_their_zeros_and_correlate():
    rng = np.random.default_rng(5)
    responses, slopes, _ = draw(600, 20, seed=5)
    shared = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], size=600)
    chance = 1 / (1 + np.exp(-shared @ slopes.T))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    groups = {"even": list(responses.items[::2]), "odd": list(responses.items[1::2])}
    fit = ic.fit(responses, "2pl", dimensions=groups)
    assert fit.pattern.kind == "confirmatory"
    assert (fit.slopes[::2, 1] == 0).all()
    assert (fit.slopes[1::2, 0] == 0).all()
    assert fit.correlation[0, 1] == pytest.approx(0.6, abs=0.1)


def test_a_general_ability_is_told_from_special_ones():
    rng = np.random.default_rng(6)
    slopes = np.zeros((18, 4))
    slopes[:, 0] = 1.5
    slopes[np.arange(18), 1 + np.arange(18) % 3] = 1.2
    chance = 1 / (1 + np.exp(-rng.normal(size=(600, 4)) @ slopes.T))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    groups = {f"g{k}": list(responses.items[k::3]) for k in range(3)}
    fit = ic.fit(responses, "2pl", dimensions=groups, general=True)
    assert fit.names[0] == "general"
    assert fit.slopes[:, 0].mean() == pytest.approx(1.5, abs=0.25)
    special = fit.slopes[:, 1:][fit.pattern.free[:, 1:]]
    assert special.mean() == pytest.approx(1.2, abs=0.3)
    assert np.array_equal(fit.correlation, np.eye(4))


@pytest.mark.parametrize("model", ["3pl", "grm", "gpcm", "logit-normal", "fractional-2pl"])
def test_other_models_add_abilities_up_too(model):
    name = "2pl" if model.startswith("fractional") else model
    responses = ic.simulate(name, respondents=150, items=12, seed=3).responses
    fit = ic.fit(responses, model, dimensions={"a": list(responses.items)}, on_failure="ignore")
    plain = ic.fit(responses, model, on_failure="ignore")
    assert np.corrcoef(fit.ability_points[:, 0], plain.estimates.abilities)[0, 1] > 0.98


def test_maximum_likelihood_of_one_ability_is_the_usual_one():
    responses = ic.simulate("2pl", respondents=300, items=12, seed=4).responses
    fit = ic.fit(responses, "2pl", dimensions={"a": list(responses.items)}, prior=None)
    usual = ic.fit(responses, "2pl", prior=None, method=ic.Marginal(over="respondents"))
    assert fit.log_likelihood == pytest.approx(usual.log_likelihood, abs=1e-4)
    assert np.allclose(fit.slopes[:, 0], usual.slopes.values, atol=2e-3)
    errors = fit.items["slope_a_se"]
    assert np.allclose(errors, usual.items["discrimination_se"], rtol=1e-3)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "beta3"}, "can add up"),
        ({"model": "rasch"}, "can add up"),
        ({"method": "joint"}, "marginal method"),
        ({"rotation": "promax"}, "one of oblimin"),
        ({"prior": None, "dimensions": 5}, "up to 3 abilities"),
    ],
)
def test_what_cannot_be_done_is_refused(settings, words):
    values = ic.simulate("2pl", respondents=60, items=12, seed=1).responses
    if settings.get("model") == "beta3":
        values = ic.simulate("beta3", respondents=60, items=12, seed=1).responses
    with pytest.raises(ModelError, match=words):
        ic.fit(values, **{"model": "2pl", "dimensions": 2, **settings})


def test_without_priors_items_answered_alike_are_refused():
    answers = np.random.default_rng(0).integers(0, 2, (40, 6)).astype(float)
    answers[:, 2] = 1.0
    with pytest.raises(ModelError, match="All of 'item_3' are alike"):
        ic.fit(ic.Responses.from_array(answers), dimensions=2, prior=None)


def test_without_priors_an_item_that_parts_respondents_perfectly_stands_at_a_bound():
    rng = np.random.default_rng(0)
    chance = 1 / (1 + np.exp(-rng.normal(size=(80, 1)) - rng.normal(size=8)))
    answers = (rng.random(chance.shape) < chance).astype(float)
    answers[:, 5] = answers[:, [0, 1, 2, 3, 4, 6, 7]].sum(axis=1) > 3
    responses = ic.Responses.from_array(answers)
    fit = ic.fit(responses, "2pl", dimensions=1, prior=None, on_failure="ignore")
    assert fit.status is FitStatus.AT_BOUND
    assert ic.fit(responses, "2pl", dimensions=1).status is FitStatus.CONVERGED


@pytest.mark.parametrize(("draw", "items", "size"), [(0, 120, 3), (2, 200, 4)])
def test_a_fit_does_not_give_up_where_its_bound_falls_by_next_to_nothing(
    shared_data, draw, items, size
):
    """Answers of 83 language models: near its end a turn lowers the bound by thousandths."""
    with np.load(shared_data / "data" / "llm" / "benchpred_helm_gsm.npz") as arrays:
        values = arrays["R"].astype(float)
    values[values == 255] = np.nan
    chosen = np.sort(np.random.default_rng(draw).choice(values.shape[1], items, replace=False))
    fit = ic.fit(ic.Responses.from_array(values[:, chosen]), "2pl", dimensions=size)
    assert fit.status.is_converged
