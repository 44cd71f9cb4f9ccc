"""Items that have some of the categories only."""

import numpy as np
import pytest

from itemcurve.models.catalogue import get_model
from itemcurve.models.formulas.used_categories import Steps, all_used, bits_of, used_by
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import NUMPY, get_engine

USED = np.array(
    [[1, 1, 1, 1, 1], [1, 0, 1, 0, 1], [0, 1, 1, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 1]], bool
)
ABILITIES = np.linspace(-3, 3, 7)


def test_the_number_of_an_item_says_what_it_has():
    bits = bits_of(USED)
    np.testing.assert_array_equal(used_by(np.array(bits), 5), USED)
    assert bits_of(np.ones((3, 4), bool)) == all_used(4)


def test_an_item_that_is_always_answered_alike_has_a_neighbouring_category_too():
    always = np.eye(3, dtype=bool)
    found = used_by(np.array(bits_of(always)), 3)
    np.testing.assert_array_equal(found, [[1, 1, 0], [1, 1, 0], [0, 1, 1]])


def test_steps_lead_up_from_the_lowest_category_that_an_item_has():
    steps = Steps.of(np.array(bits_of(USED)), 5)
    has = np.concatenate(steps.has, axis=1)
    np.testing.assert_array_equal(has[2], [0, 1, 1, 0])
    np.testing.assert_array_equal(np.concatenate(steps.follows, axis=1)[1], [0, 0, 0, 1])


@pytest.fixture(params=["grm", "gpcm", "sequential", "nrm"])
def model(request):
    return get_model(request.param).with_categories(tuple(range(5)), bits_of(USED))


def test_what_an_item_has_not_has_no_probability(model):
    values = model.draw(np.random.default_rng(0), len(USED))
    chances = model.family.probabilities(Likelihood(model).natural(NUMPY, ABILITIES, values))
    np.testing.assert_allclose(chances.sum(axis=0), 1.0)
    assert (chances.max(axis=2).T[~USED] < 1e-100).all()
    assert (chances.min(axis=2).T[USED] > 1e-6).all()


def test_an_item_of_fewer_categories_is_one_of_a_smaller_model(model):
    """The same curves as the model of just those categories has."""
    values = model.draw(np.random.default_rng(1), len(USED))
    eta = Likelihood(model).natural(NUMPY, ABILITIES, values)
    chances = model.family.probabilities(eta)[:, 2][1:4]
    small = get_model(model.name).with_categories((1.0, 2.0, 3.0))
    full = {spec.name: values[2, k] for k, spec in enumerate(model.parameters)}
    # The first step of the item is the second of all.
    shift = {
        f"{what}_{k}": f"{what}_{k + 1}" for what in ("gap", "slope", "intercept") for k in (1, 2)
    }
    own = [full[shift.get(spec.name, spec.name)] for spec in small.parameters[:-1]]
    alone = np.array([[*own, all_used(3)]])
    expected = small.family.probabilities(Likelihood(small).natural(NUMPY, ABILITIES, alone))
    np.testing.assert_allclose(chances, expected[:, 0], atol=1e-12)


def test_derivatives_are_those_of_the_curves(model):
    values = model.draw(np.random.default_rng(2), len(USED))
    likelihood = Likelihood(model)
    for index in likelihood.free:
        step = 1e-6 * np.eye(values.shape[1])[index]
        ends = [likelihood.natural(NUMPY, ABILITIES, values + s * step) for s in (1, -1)]
        given = model.item_jacobian(NUMPY, ABILITIES[:, None], values, index)
        for up, down, own in zip(*ends, given, strict=True):
            held = ~np.isnan(model.parameters[index].held(len(USED)))
            np.testing.assert_allclose(own[~held], ((up - down) / 2e-6)[~held], atol=1e-5)


def test_both_engines_give_the_same_curves(model):
    values = model.draw(np.random.default_rng(3), len(USED))
    engine = get_engine("jax")
    with engine.double_precision():
        found = Likelihood(model).curves(engine, engine.place(ABILITIES), engine.place(values))
        for own, expected in zip(
            found, Likelihood(model).curves(NUMPY, ABILITIES, values), strict=True
        ):
            np.testing.assert_allclose(np.asarray(own), expected, atol=1e-9)


@pytest.mark.parametrize("name", ["grm", "grsm", "gpcm", "pcm", "rsm", "sequential"])
@pytest.mark.parametrize("is_located", [False, True])
def test_scores_by_way_of_the_steps_are_those_by_way_of_the_categories(name, is_located):
    """Of items with gaps in their categories, in both descriptions of an item."""
    rng = np.random.default_rng(2)
    model = get_model(name).with_categories(tuple(range(5)), bits_of(USED))
    model = model.population_form() if is_located else model
    likelihood, values = Likelihood(model), model.draw(rng, len(USED))
    counts = [rng.random((len(USED), len(ABILITIES))) * USED[:, k : k + 1] for k in range(5)]
    sums = [*counts[1:], sum(counts)]
    score, information = likelihood.item_score(NUMPY, ABILITIES, values, sums)
    np.testing.assert_allclose(
        score, likelihood.item_gradient(NUMPY, ABILITIES, values, sums), atol=1e-10
    )
    slopes = likelihood.item_slopes(NUMPY, ABILITIES, values)
    # The information is that of the expected counts, and the slope of −A that of the rest.
    chances = model.family.probabilities(likelihood.natural(NUMPY, ABILITIES, values))
    logs = [[own[-1], *(part + own[-1] for part in own[:-1])] for own in slopes]
    products = [
        [
            sum(
                (sums[-1] * p * a * b).sum(axis=1)
                for p, a, b in zip(chances, one, other, strict=True)
            )
            for other in logs
        ]
        for one in logs
    ]
    np.testing.assert_allclose(information, np.moveaxis(products, 2, 0), rtol=1e-8, atol=1e-10)
