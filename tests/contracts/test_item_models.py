"""What every item response model must satisfy."""

import warnings

import numpy as np
import pytest
from scipy.special import gammaln
from tests.catalogue import MODELS

from itemcurve.errors import ModelError
from itemcurve.models.boundary import Boundary
from itemcurve.models.capabilities import curve_terms, extended, simpler_model
from itemcurve.models.catalogue import get_model, set_boundary
from itemcurve.models.item_summaries import ItemSummaries
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.parameters import Role
from itemcurve.models.transforms import POSITIVE
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
    drawn[0, 0] = -abs(drawn[0, 0]) if may_run_backwards(model) else drawn[0, 0]
    return drawn


def may_run_backwards(model):
    """Whether a slope may be negative: estimated, and not on a logarithmic scale."""
    return model.parameters[0].is_free and model.parameters[0].transform is not POSITIVE


@pytest.fixture(params=["none", "censor"])
def likelihood(request, model):
    """The likelihood without boundaries, and censored where that applies."""
    if request.param == "censor" and not model.family.is_continuous:
        pytest.skip("right and wrong have no boundary")
    return Likelihood(set_boundary(model, Boundary(request.param, 0.01)))


def central(function, step=1e-6):
    return (function(step) - function(-step)) / (2 * step)


def assert_close(given, expected, tolerance=1e-6):
    """Compare derivatives: absolutely where they are small, relatively where they are large."""
    np.testing.assert_allclose(
        np.broadcast_to(given, expected.shape), expected, atol=tolerance, rtol=tolerance
    )


def tame(likelihood, values):
    """Abilities and items at which a mesh can hold all responses: censored ones, or mild items."""
    if likelihood.is_censored or not likelihood.model.family.is_continuous:
        return ABILITIES, values
    mild = values.copy()
    mild[:, 0] *= 0.3
    is_absolute = likelihood.model.latent.is_absolute
    mild[:, 1] = 0.2 + 0.6 * mild[:, 1] if is_absolute else 0.3 * mild[:, 1]
    return ABILITIES / 3, mild


def outcomes(likelihood, abilities, values):
    """Every kind of response: weights (probability × width), its channels' multiples of curves.

    Right and wrong are two, counts many; of a continuous response, a fine mesh of its range and
    both tails.
    """
    model, eta = likelihood.model, Likelihood(likelihood.model).natural(NUMPY, abilities, values)
    family = model.family
    curves = likelihood.curves(NUMPY, abilities, values)
    size = len(family.statistics)
    if not family.is_continuous and np.isinf(family.support[1]):
        # Of the Poisson quasi-likelihood, the distribution of which it is the likelihood.
        responses = np.arange(400.0)
        log_widths = -gammaln(responses + 1)
    elif not family.is_continuous:
        responses = np.array(getattr(family, "codes", (0.0, 1.0)))
        log_widths = np.zeros(len(responses))
    else:
        responses, log_widths = _mesh(likelihood)
    found = []
    for y, log_width in zip(responses, log_widths, strict=True):
        statistics = [float(t(np.array([y]))[0]) for t in family.statistics]
        channels = [*statistics, 1.0, *([0.0] * (len(curves) - size - 1))]
        log_density = sum(c * g for c, g in zip(channels, curves, strict=True))
        log_density = log_density + float(family.log_base(np.array([y]))[0])
        found.append((np.exp(log_density + log_width), channels))
    for index in range(size + 1, len(curves)):
        channels = [0.0] * len(curves)
        channels[index] = 1.0
        found.append((np.exp(curves[index]), channels))
    assert len(eta) == size
    return found


def _mesh(likelihood):
    """Responses with logarithms of their widths: even on the logit or the log scale."""
    lower = likelihood.model.boundary.bounds(likelihood.model.family)[0]
    is_unit = np.isfinite(likelihood.model.family.support[1])
    if likelihood.is_censored:
        ends = np.log(lower) - (np.log1p(-lower) if is_unit else 0.0)
        nodes, weights = np.polynomial.legendre.leggauss(1500)
        top = -ends if is_unit else 14.0
        z = ends + (top - ends) * (nodes + 1) / 2
        log_steps = np.log(weights * (top - ends) / 2)
    else:
        z = np.linspace(-36, 36 if is_unit else 14, 6001)
        log_steps = np.full(len(z), np.log(z[1] - z[0]))
    if not is_unit:
        return np.exp(z), log_steps + z
    y = 1 / (1 + np.exp(-z))
    return y, log_steps + np.log(y) + np.log1p(-y)


def test_item_jacobians_are_derivatives_of_the_natural_parameters(model, values):
    natural = Likelihood(model).natural
    for index in Likelihood(model).free:
        unit = np.eye(values.shape[1])[index]
        given = model.item_jacobian(NUMPY, ABILITIES[:, None], values, index)
        for k, part in enumerate(given):
            expected = central(lambda h, u=unit, k=k: natural(NUMPY, ABILITIES, values + h * u)[k])
            # A difficulty of 0.999 bends its own curve within the step of the difference.
            assert_close(part, expected, 1e-5)


def test_ability_jacobian_is_the_derivative_in_ability(model, values):
    natural = Likelihood(model).natural
    for k, part in enumerate(model.ability_jacobian(NUMPY, ABILITIES[:, None], values)):
        expected = central(lambda h, k=k: natural(NUMPY, ABILITIES + h, values)[k])
        assert_close(part, expected)


def test_slopes_and_gradients_are_derivatives_in_unbounded_coordinates(likelihood, values):
    model = likelihood.model
    n_curves = len(likelihood.curves(NUMPY, ABILITIES, values))
    sums = [np.random.default_rng(k).random((6, 7)) for k in range(n_curves)]
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
        given = np.stack([np.broadcast_to(part, expected.shape[1:]) for part in slopes])
        assert_close(given, expected)
        assert_close(gradient[:, column], (np.stack(sums) * expected).sum(axis=(0, 2)), 1e-5)


def test_cells_hold_the_likelihood_its_scores_and_its_information(likelihood, values):
    n_curves = len(likelihood.curves(NUMPY, ABILITIES, values))
    sums = [np.random.default_rng(k).random((6, 7)) for k in range(n_curves)]
    cells = likelihood.cells(NUMPY, ABILITIES, values, sums, 2)
    curves = likelihood.curves(NUMPY, ABILITIES, values)
    expected = sum(s * g for s, g in zip(sums, curves, strict=True))
    np.testing.assert_allclose(cells.log_likelihood, expected, rtol=1e-9)
    slopes = likelihood.ability_slopes(NUMPY, ABILITIES, values)
    by_ability = sum(s * g for s, g in zip(sums, slopes, strict=True))
    np.testing.assert_allclose(cells.scores[0], by_ability, rtol=1e-7, atol=1e-9)
    gradient = likelihood.item_gradient(NUMPY, ABILITIES, values, sums)
    given = np.stack([score.sum(axis=1) for score in cells.scores[1:]], axis=1)
    np.testing.assert_allclose(given, gradient, rtol=1e-7, atol=1e-9)
    weight = likelihood.total_weight(sums)
    information = likelihood.ability_information(NUMPY, ABILITIES, values)
    np.testing.assert_allclose(cells.information[0][0], weight * information, rtol=1e-7)
    first = likelihood.cells(NUMPY, ABILITIES, values, sums, 1)
    for score, other in zip(first.scores, cells.scores, strict=True):
        np.testing.assert_allclose(score, other, rtol=1e-9, atol=1e-12)


def test_ability_slopes_are_derivatives_of_the_curves(likelihood, values):
    expected = central(lambda h: np.stack(likelihood.curves(NUMPY, ABILITIES + h, values)))
    given = likelihood.ability_slopes(NUMPY, ABILITIES, values)
    assert_close(np.stack([np.broadcast_to(g, expected.shape[1:]) for g in given]), expected)


def test_probabilities_add_up_and_information_is_the_expected_square_of_the_score(
    likelihood, values
):
    """Brute force over all responses, against the closed formulas."""
    abilities, values = tame(likelihood, values)
    slope = likelihood.ability_slopes(NUMPY, abilities, values)
    total, square = 0.0, 0.0
    for chance, channels in outcomes(likelihood, abilities, values):
        score = sum(c * s for c, s in zip(channels, slope, strict=True))
        total, square = total + chance, square + chance * score**2
    np.testing.assert_allclose(total, 1.0, rtol=1e-6)
    given = likelihood.ability_information(NUMPY, abilities, values)
    np.testing.assert_allclose(given, square, rtol=1e-5, atol=1e-8)


def test_item_information_is_the_expected_outer_product_of_scores(likelihood, values):
    abilities, values = tame(likelihood, values)
    n_curves = len(likelihood.curves(NUMPY, abilities, values))
    first = len(likelihood.model.family.statistics)
    weight = np.random.default_rng(1).random((6, 7))
    sums = [weight] * (first + 1) + [np.zeros_like(weight)] * (n_curves - first - 1)
    slopes = likelihood.item_slopes(NUMPY, abilities, values)
    given = likelihood.item_score(NUMPY, abilities, values, sums)[1]
    expected = np.zeros_like(given)
    for chance, channels in outcomes(likelihood, abilities, values):
        scores = [sum(c * s for c, s in zip(channels, part, strict=True)) for part in slopes]
        for a, left in enumerate(scores):
            for b, right in enumerate(scores):
                expected[:, a, b] += (weight * chance * left * right).sum(axis=1)
    np.testing.assert_allclose(given, expected, rtol=1e-5, atol=1e-7)


def test_kl_information_is_the_expected_log_ratio(likelihood, values):
    abilities, values = tame(likelihood, values)
    others = abilities + 0.3
    here = likelihood.curves(NUMPY, abilities, values)
    there = likelihood.curves(NUMPY, others, values)
    expected = 0.0
    for chance, channels in outcomes(likelihood, abilities, values):
        ratio = sum(c * (a - b) for c, a, b in zip(channels, here, there, strict=True))
        expected = expected + chance * ratio
    given = likelihood.kl_information(NUMPY, abilities, others, values)
    np.testing.assert_allclose(given, expected, rtol=1e-5, atol=1e-8)


def test_rescaling_items_and_abilities_together_changes_no_response(model, values):
    location, scale = 0.7, 1.6
    if model.latent.is_absolute and not model.latent.is_open:
        with pytest.raises(ModelError, match="absolute scale"):
            model.rescale(values, location, scale)
        return
    moved = model.rescale(values, location, scale)
    before = Likelihood(model).natural(NUMPY, ABILITIES, values)
    after = Likelihood(model).natural(NUMPY, (ABILITIES - location) / scale, moved)
    for given, expected in zip(after, before, strict=True):
        np.testing.assert_allclose(given, expected, atol=1e-10, rtol=1e-10)


def test_population_form_describes_the_same_curves():
    for name in MODELS:
        own, population = forms(name)
        drawn = own.draw(np.random.default_rng(2), 5)
        # What is not reported, as gaps between thresholds, is the same in both forms.
        described = {spec.name: drawn[:, k] for k, spec in enumerate(own.parameters)}
        report = {**described, **own.report(drawn)}
        same = np.stack([report[spec.name] for spec in population.parameters], axis=1)
        original = np.stack([report[spec.name] for spec in own.parameters], axis=1)
        np.testing.assert_allclose(
            Likelihood(population).natural(NUMPY, ABILITIES, same)[0],
            Likelihood(own).natural(NUMPY, ABILITIES, original)[0],
            atol=1e-10,
            rtol=1e-10,
        )


def test_the_simpler_model_is_nested(model, values):
    simpler = simpler_model(model)
    if simpler is None:
        return
    inner = simpler.draw(np.random.default_rng(3), 4)
    np.testing.assert_allclose(
        Likelihood(model).natural(NUMPY, ABILITIES, extended(model, inner, 1e-12))[0],
        Likelihood(simpler).natural(NUMPY, ABILITIES, inner)[0],
        atol=1e-6,
    )


def test_starting_values_are_finite_even_for_constant_items(model):
    summaries = ItemSummaries(np.array([0.0, 1.0, 0.5]), np.array([0.0, 0.0, -0.9]))
    start = model.start(summaries)
    assert np.isfinite(start).all()
    if may_run_backwards(model):
        assert start[2, 0] < 0


def test_reported_columns_say_what_they_are(model, values):
    columns = model.report(values)
    assert list(columns) == list(model.columns)
    assert Role.SLOPE in model.columns.values()
    assert Role.LOCATION in model.columns.values()
    # Of gaps between thresholds people read the thresholds.
    hidden = (Role.THRESHOLD, Role.PART)
    own = {spec.name: spec.role for spec in model.parameters if spec.role not in hidden}
    assert {name: role for name, role in model.columns.items() if name in own} == own


def test_an_item_without_direction_is_reported_in_silence(model, values):
    # Its difficulty is beyond all numbers, which is no warning of NumPy's for anybody to see.
    lines = [
        spec.role in (Role.SLOPE, Role.INTERCEPT) and spec.is_free for spec in model.parameters
    ]
    tiny, large = np.where(lines, values * 1e-320, values), np.where(lines, values * 1e300, values)
    slopes = [spec.role is Role.SLOPE for spec in model.parameters]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.report(np.where(slopes, tiny, large))


def test_an_item_sits_where_its_expected_response_is_half_way(model, values):
    """Of errors: where it is what an able-by-half respondent makes."""
    bent = (Role.ASYMPTOTE, Role.SPREAD)
    has_categories = hasattr(model.family, "codes")
    if has_categories or any(s.role in bent for s in model.parameters if s.is_free):
        return
    places = model.location(values)
    family = model.family
    given = np.array(
        [
            Likelihood(model).expected_response(NUMPY, np.array([place]), values[[item]])[0, 0]
            for item, place in enumerate(places)
        ]
    )
    half = family.from_share(np.array(0.5)) if family.is_bounded else 1.0
    np.testing.assert_allclose(given, half, rtol=1e-6)


def test_a_basis_of_curves_gives_the_natural_parameters(model, values):
    terms = curve_terms(model, NUMPY, ABILITIES[:, None], values)
    if terms is None:
        return
    basis, weights = terms
    for given, expected in zip(
        weights, Likelihood(model).natural(NUMPY, ABILITIES, values), strict=True
    ):
        np.testing.assert_allclose(given @ basis, expected, atol=1e-12)


def test_both_engines_give_the_same_curves(likelihood, values):
    engine = get_engine("jax")
    with engine.double_precision():
        ours = likelihood.curves(engine, engine.place(ABILITIES), engine.place(values))
        for given, expected in zip(ours, likelihood.curves(NUMPY, ABILITIES, values), strict=True):
            np.testing.assert_allclose(np.asarray(given), expected, atol=1e-12, rtol=1e-10)
