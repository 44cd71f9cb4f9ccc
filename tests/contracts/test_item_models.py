"""What every item response model must satisfy."""

import numpy as np
import pytest
from tests.catalogue import MODELS

from itemcurve.models.catalogue import get_model
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, get_engine

ABILITIES = np.linspace(-3, 3, 7)


def forms(name):
    model = get_model(name)
    return [model, model.population_form()]


CASES = [(name, index) for name in MODELS for index in (0, 1)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{('own', 'population')[case[1]]}")
def model(request):
    name, index = request.param
    return forms(name)[index]


@pytest.fixture
def values(model):
    drawn = model.draw(np.random.default_rng(5), 6)
    drawn[0, 0] = -drawn[0, 0] if model.parameters[0].is_free else drawn[0, 0]
    return drawn


def central(function, step=1e-6):
    return (function(step) - function(-step)) / (2 * step)


def test_item_jacobians_are_derivatives_of_the_natural_parameters(model, values):
    for index in Likelihood(model).free:
        unit = np.eye(values.shape[1])[index]
        expected = central(lambda h, u=unit: model.natural(NUMPY, ABILITIES, values + h * u)[0])
        given = model.item_jacobian(NUMPY, ABILITIES, values, index)[0]
        np.testing.assert_allclose(np.broadcast_to(given, expected.shape), expected, atol=1e-7)


def test_ability_jacobian_is_the_derivative_in_ability(model, values):
    expected = central(lambda h: model.natural(NUMPY, ABILITIES + h, values)[0])
    given = model.ability_jacobian(NUMPY, ABILITIES, values)[0]
    np.testing.assert_allclose(given, expected, atol=1e-7)


def test_slopes_and_gradients_are_derivatives_in_unbounded_coordinates(model, values):
    likelihood = Likelihood(model)
    sums = [np.random.default_rng(0).random((6, 7)) for _ in range(2)]
    gradient = likelihood.item_gradient(NUMPY, ABILITIES, values, sums)
    for column, index in enumerate(likelihood.free):
        transform = model.parameters[index].transform

        def moved(h, index=index, transform=transform):
            changed = values.copy()
            x = transform.coordinate(NUMPY, values[:, index])
            changed[:, index] = transform.value(NUMPY, x + h)
            return np.stack(likelihood.curves(NUMPY, ABILITIES, changed))

        expected = central(moved)
        slopes = likelihood.item_slopes(NUMPY, ABILITIES, values)[column]
        given = np.stack([np.broadcast_to(part, (6, 7)) for part in slopes])
        np.testing.assert_allclose(given, expected, atol=1e-7)
        np.testing.assert_allclose(
            gradient[:, column], (np.stack(sums) * expected).sum(axis=(0, 2)), atol=1e-6
        )


def test_information_is_the_expected_square_of_the_score(model, values):
    """Brute force over both answers, against the closed formula."""
    likelihood = Likelihood(model)
    probability = likelihood.expected_response(NUMPY, ABILITIES, values)
    slope = likelihood.ability_slopes(NUMPY, ABILITIES, values)
    expected = probability * (slope[0] + slope[1]) ** 2 + (1 - probability) * slope[1] ** 2
    given = likelihood.ability_information(NUMPY, ABILITIES, values)
    np.testing.assert_allclose(given, expected, rtol=1e-9)


def test_item_information_is_the_expected_outer_product_of_scores(model, values):
    likelihood = Likelihood(model)
    weight = np.random.default_rng(1).random((6, 7))
    probability = likelihood.expected_response(NUMPY, ABILITIES, values)
    slopes = likelihood.item_slopes(NUMPY, ABILITIES, values)
    given = likelihood.item_information(NUMPY, ABILITIES, values, [weight, weight])
    for a, left in enumerate(slopes):
        for b, right in enumerate(slopes):
            right_answer = (left[0] + left[1]) * (right[0] + right[1])
            wrong_answer = left[1] * right[1]
            outer = probability * right_answer + (1 - probability) * wrong_answer
            np.testing.assert_allclose(given[:, a, b], (weight * outer).sum(axis=1), rtol=1e-8)


def test_rescaling_items_and_abilities_together_changes_no_response(model, values):
    location, scale = 0.7, 1.6
    moved = model.rescale(values, location, scale)
    before = model.natural(NUMPY, ABILITIES, values)[0]
    after = model.natural(NUMPY, (ABILITIES - location) / scale, moved)[0]
    np.testing.assert_allclose(after, before, atol=1e-10)


def test_population_form_describes_the_same_curves():
    for name in MODELS:
        own, population = forms(name)
        report = own.report(own.draw(np.random.default_rng(2), 5))
        names = [spec.name for spec in population.parameters]
        same = np.stack([report[n] for n in names], axis=1)
        original = np.stack([report[spec.name] for spec in own.parameters], axis=1)
        np.testing.assert_allclose(
            population.natural(NUMPY, ABILITIES, same)[0],
            own.natural(NUMPY, ABILITIES, original)[0],
            atol=1e-10,
        )


def test_the_simpler_model_is_nested(model, values):
    simpler = model.simpler()
    if simpler is None:
        assert len(Likelihood(model).free) <= 2
        return
    inner = simpler.draw(np.random.default_rng(3), 4)
    np.testing.assert_allclose(
        model.natural(NUMPY, ABILITIES, model.extend(inner, 1e-12))[0],
        simpler.natural(NUMPY, ABILITIES, inner)[0],
        atol=1e-6,
    )


def test_starting_values_are_finite_even_for_constant_items(model):
    start = model.start(np.array([0.0, 1.0, 0.5]), np.array([0.0, 0.0, -0.9]))
    assert np.isfinite(start).all()
    if model.parameters[0].is_free:
        assert start[2, 0] < 0


def test_both_engines_give_the_same_curves(model, values):
    likelihood = Likelihood(model)
    engine = get_engine("jax")
    with engine.double_precision():
        ours = likelihood.curves(engine, engine.place(ABILITIES), engine.place(values))
        for given, expected in zip(ours, likelihood.curves(NUMPY, ABILITIES, values), strict=True):
            np.testing.assert_allclose(np.asarray(given), expected, atol=1e-12)
