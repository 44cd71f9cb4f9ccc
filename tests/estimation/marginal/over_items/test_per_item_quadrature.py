import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.integrated_side import needs_own_nodes
from itemcurve.estimation.identification.latent_population import item_population
from itemcurve.estimation.identification.population import Population
from itemcurve.estimation.marginal.over_items.per_item_newton import _stretched, maximise_per_item
from itemcurve.estimation.marginal.over_items.per_item_quadrature import (
    PerItemProblem,
)
from itemcurve.estimation.optimisation.iterate import UNWATCHED
from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY

ABILITIES = np.array([-1.5, -0.4, 0.3, 1.2, 2.0])


def draw(items, seed, share=1.0):
    """Errors of five respondents to items of many kinds; some cells may be missing."""
    rng = np.random.default_rng(seed)
    model = get_model("gamma")
    values = np.stack(
        [rng.normal(1, 1, items), rng.uniform(0.02, 0.98, items), np.ones(items)], axis=1
    )
    errors = rng.gamma(*_shape_and_scale(model, values)).T
    errors[rng.random(errors.shape) > share] = np.nan
    return ic.Responses.from_array(errors)


def _shape_and_scale(model, values):
    eta = Likelihood(model).natural(NUMPY, ABILITIES, values)
    return eta[0], -1 / eta[1]


def problem_of(responses):
    likelihood = Likelihood(get_model("gamma").population_form())
    population = Population(item_population(likelihood.model))
    return PerItemProblem.build(likelihood, responses, population)


def parameters_of(problem):
    state = problem.population.start()
    return np.concatenate([ABILITIES, state + np.array([0.1, -0.1])])


def by_brute_force(problem, parameters):
    """Marginal log-likelihood on one dense grid for every item."""
    abilities, state = problem.split(parameters)
    slopes, logits = np.linspace(-5, 7, 1201), np.linspace(-14, 14, 1401)
    mesh = np.stack([part.ravel() for part in np.meshgrid(slopes, logits, indexing="ij")])
    values = np.stack([mesh[0], 1 / (1 + np.exp(-mesh[1])), np.ones(mesh.shape[1])], axis=1)
    curves = problem.likelihood.curves(NUMPY, abilities, values)
    prior = problem.population.log_density(state, mesh)[0]
    volume = np.log((slopes[1] - slopes[0]) * (logits[1] - logits[0]))
    total = 0.0
    for row in range(problem.n_items):
        logs = prior + sum(
            curve @ channel[row] for curve, channel in zip(curves, problem.channels, strict=True)
        )
        total += np.logaddexp.reduce(logs) + volume
    return total


@pytest.mark.parametrize("share", [1.0, 0.7])
def test_the_integral_is_that_of_a_dense_grid(share):
    problem = problem_of(draw(8, seed=1, share=share))
    parameters = parameters_of(problem)
    found = problem.evaluate(parameters, with_information=False)
    assert found.log_likelihood == pytest.approx(by_brute_force(problem, parameters), abs=0.05)


def test_gradient_and_information_are_derivatives_of_the_objective():
    problem = problem_of(draw(40, seed=2))
    parameters = parameters_of(problem)
    centre = problem.evaluate(parameters)
    size = 1e-4
    for index, unit in enumerate(np.eye(len(parameters))):
        above, below = (
            problem.evaluate(parameters + sign * size * unit, centre.ridge) for sign in (1, -1)
        )
        slope = (above.objective - below.objective) / (2 * size)
        assert centre.gradient[index] == pytest.approx(slope, abs=0.02)
        bend = -(above.gradient - below.gradient) / (2 * size)
        np.testing.assert_allclose(centre.information[index], bend, atol=0.01 * abs(bend).max())


def test_items_known_to_a_millionth_tell_what_they_can():
    # Their parts of the information, each by itself, are some 1e9 times their difference.
    abilities = np.linspace(-4, 4, 40)
    values = np.array([[4.5, 0.9, 1.0], [4.0, 0.8, 1.0], [1.0, 0.5, 1.0]])
    model = get_model("gamma")
    eta = Likelihood(model).natural(NUMPY, abilities, values)
    errors = np.random.default_rng(3).gamma(eta[0], -1 / eta[1]).T
    problem = problem_of(ic.Responses.from_array(errors))
    parameters = np.concatenate([abilities, problem.population.start()])
    centre = problem.evaluate(parameters)
    along = np.concatenate([abilities, np.zeros(2)])
    objectives = [
        problem.evaluate(parameters + step * along, centre.ridge).objective
        for step in (-0.05, 0.0, 0.05)
    ]
    bend = -(objectives[0] - 2 * objectives[1] + objectives[2]) / 0.05**2
    assert centre.information.diagonal().max() > 1e6
    assert along @ centre.information @ along == pytest.approx(bend, rel=0.3)


def test_the_scale_of_gamma_is_recovered():
    truth = ic.simulate("gamma", respondents=12, items=100, seed=4)
    rng = np.random.default_rng(4)
    values = truth.values.copy()
    values[:, 0] = rng.normal(1.0, 1.0, size=100)
    eta = Likelihood(truth.model).natural(NUMPY, truth.abilities, values)
    responses = ic.Responses.from_array(truth.model.family.sample(rng, eta).T)
    fit = ic.fit(responses, "gamma")
    assert "err together" in fit.estimates.standard_errors
    abilities = fit.respondents["ability"]
    assert fit.status == "converged"
    assert np.corrcoef(abilities, truth.abilities)[0, 1] > 0.998
    assert np.polyfit(truth.abilities, abilities, 1)[0] == pytest.approx(1.0, abs=0.12)
    items = fit.items
    # What scale and origin of all items share in error is not in them.
    inside = (items["discrimination_lower"] < values[:, 0]) & (
        values[:, 0] < items["discrimination_upper"]
    )
    assert 0.7 < inside.mean() < 0.98
    inside = (items["difficulty_lower"] < values[:, 1]) & (values[:, 1] < items["difficulty_upper"])
    assert 0.7 < inside.mean() < 0.98


def test_items_may_have_sizes_of_errors_of_their_own():
    truth = ic.simulate("gamma", respondents=10, items=40, seed=5)
    sizes = np.linspace(0.5, 4, 40)
    fit = ic.fit(truth.responses, "gamma", error_size=sizes, on_failure="ignore")
    np.testing.assert_allclose(fit.items["error_size"], sizes)
    assert np.isfinite(fit.respondents["ability_se"]).all()


def test_large_errors_are_not_called_ability():
    # On these errors the mirrored solution has the higher likelihood.
    from sklearn.datasets import load_diabetes
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.linear_model import Lasso, LinearRegression, Ridge
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor

    x, y = load_diabetes(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=80, random_state=0)
    pool = {
        "line": LinearRegression(),
        "ridge": Ridge(),
        "lasso": Lasso(),
        "neighbours": KNeighborsRegressor(),
        "tree": DecisionTreeRegressor(random_state=0),
        "forest": RandomForestRegressor(random_state=0),
    }
    evaluation = ic.evaluate_regressors(pool, x_train, y_train, x_test, y_test)
    assert evaluation.leaderboard().frame()["respondent"].tolist()[-1] == "tree"


def test_only_errors_of_two_parameters_need_nodes_of_their_own():
    assert needs_own_nodes(Likelihood(get_model("gamma")))
    assert not needs_own_nodes(Likelihood(get_model("beta3")))


def test_a_scale_that_is_too_small_is_stretched_to_the_top():
    problem = problem_of(draw(40, seed=2))
    parameters = parameters_of(problem)
    top = maximise_per_item(
        problem,
        *problem.split(parameters),
        tolerance=1e-7,
        max_iterations=100,
        watch=UNWATCHED,
    ).point
    assert _stretched(problem, top) is top.parameters
    shrunk = problem.evaluate(problem.stretched(top.parameters, -0.5))
    found = problem.evaluate(_stretched(problem, shrunk))
    assert shrunk.objective < found.objective - 3.0
    assert found.objective == pytest.approx(top.objective, abs=1.0)
    ratio = np.std(problem.split(found.parameters)[0]) / np.std(problem.split(top.parameters)[0])
    assert ratio == pytest.approx(1.0, abs=0.1)


def test_stretching_leaves_slope_times_ability_alone():
    problem = problem_of(draw(5, seed=2))
    parameters = parameters_of(problem)
    abilities, state = problem.split(parameters)
    moved, other = problem.split(problem.stretched(parameters, 0.2))
    np.testing.assert_allclose(moved * other[0], abilities * state[0])
    np.testing.assert_allclose(moved * np.exp(other[1]), abilities * np.exp(state[1]))


def test_respondents_who_are_all_alike_keep_finite_abilities():
    """They have no spread that a sharper problem could be entered with."""
    errors = np.tile(np.random.default_rng(1).gamma(2.0, size=30), (4, 1))
    fit = ic.fit(ic.Responses.from_array(errors), "gamma", on_failure="ignore")
    assert fit.estimates.over == "items"
    assert np.isfinite(fit.estimates.abilities).all()
