"""Items of several models over the same abilities."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.seam.partial_credit import partial_credit

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.models.mixed import MixedModel
from itemcurve.numerics.engine import NUMPY

METHODS = {"over respondents": ic.Marginal(over="respondents"), "joint": ic.Joint()}


def simulated(parts, respondents, seed):
    """Responses of the same respondents to items of several models."""
    rng = np.random.default_rng(seed)
    abilities = rng.normal(size=respondents)
    columns, values = [], []
    for model, count in parts:
        drawn = model.draw(rng, count)
        eta = [part.T for part in model.natural(NUMPY, abilities[:, None], drawn)]
        columns.append(model.family.sample(rng, eta))
        values.append(drawn)
    return abilities, values, ic.Responses.from_array(np.concatenate(columns, axis=1))


def split(responses, *counts):
    ends = np.cumsum([0, *counts])
    return [list(responses.items[low:high]) for low, high in pairwise(ends)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_two_lists_of_one_model_are_one_list(method, engine):
    responses = ic.simulate("2pl", respondents=200, items=12, seed=1, missing=0.1).responses
    plain = ic.fit(responses, "2pl", method=METHODS[method], engine=engine)
    first, second = split(responses, 5, 7)
    # A second model of the same kind under another name: its columns are shared.
    other = replace(ic.get_model("2pl"), name="other")
    parts = ic.fit(responses, {"2pl": first, other: second}, method=METHODS[method], engine=engine)
    assert isinstance(parts.estimates.model, MixedModel)
    assert parts.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(parts.estimates.abilities, plain.estimates.abilities, atol=1e-5)
    np.testing.assert_allclose(
        parts.items["difficulty"], plain.items["difficulty"], atol=1e-4, rtol=1e-4
    )
    np.testing.assert_allclose(
        parts.estimates.ability_errors, plain.estimates.ability_errors, atol=1e-5
    )


@pytest.mark.parametrize("method", METHODS)
def test_right_and_wrong_beside_ratings_of_different_lengths(method):
    kinds = [(ic.get_model("2pl"), 8), (partial_credit(3), 6), (partial_credit(4), 6)]
    abilities, values, responses = simulated(kinds, 800, seed=2)
    lists = split(responses, 8, 6, 6)
    model = dict(zip([kind for kind, _ in kinds], lists, strict=True))
    fit = ic.fit(responses, model, method=METHODS[method])
    assert fit.status.is_converged
    assert np.corrcoef(fit.estimates.abilities, abilities)[0, 1] > 0.9
    places = np.concatenate([k.location(v) for (k, _), v in zip(kinds, values, strict=True)])
    found = fit.estimates.model.location(fit.estimates.values)
    assert np.corrcoef(found, places)[0, 1] > 0.95
    # All three kinds measure on one scale: no part is shifted against the others.
    for low, high in ((0, 8), (8, 14), (14, 20)):
        assert abs((found - places)[low:high].mean()) < 0.2
    # Of each item only the parameters of its own model are estimated.
    free = 8 * 2 + 6 * 3 + 6 * 4
    assert fit.n_parameters == (free if method == "over respondents" else free + 800 - 2)


def test_the_bank_has_a_part_for_each_model():
    kinds = [(ic.get_model("2pl"), 8), (partial_credit(4), 6)]
    _, _, responses = simulated(kinds, 500, seed=3)
    lists = split(responses, 8, 6)
    fit = ic.fit(responses, dict(zip([k for k, _ in kinds], lists, strict=True)))
    assert [part.model.name for part in fit.bank.parts] == ["2pl", "partial-credit"]
    scores = ic.score(fit.bank, responses)
    assert np.corrcoef(scores.ability, fit.estimates.abilities)[0, 1] > 0.999
    assert ic.AdaptiveTest(fit.bank).next_item() in responses.items


def test_items_in_no_list_or_in_two_are_refused():
    responses = ic.simulate("2pl", respondents=50, items=4, seed=1).responses
    first, second = split(responses, 2, 2)
    with pytest.raises(ModelError, match="1 are in no list"):
        ic.fit(responses, {"2pl": first, "3pl": second[:1]})
    with pytest.raises(ModelError, match="listed twice"):
        ic.fit(responses, {"2pl": first, "3pl": first})


def test_models_that_speak_of_other_abilities_are_refused():
    responses = ic.simulate("2pl", respondents=50, items=4, seed=1).responses
    first, second = split(responses, 2, 2)
    with pytest.raises(ModelError, match="rise, or all fall"):
        ic.fit(responses, {"2pl": first, "rasch-errors": second})


def test_a_saved_fit_keeps_its_parts(tmp_path):
    responses = ic.simulate("3pl", respondents=200, items=8, seed=4).responses
    first, second = split(responses, 3, 5)
    fit = ic.fit(responses, {"2pl": first, "3pl": second})
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.model == fit.estimates.model
    np.testing.assert_array_equal(again.estimates.values, fit.estimates.values)
    np.testing.assert_array_equal(again.information([0.5]), fit.information([0.5]))


def test_what_reads_items_of_one_model_says_so():
    responses = ic.simulate("3pl", respondents=200, items=8, seed=4).responses
    first, second = split(responses, 3, 5)
    parts = {"2pl": first, "3pl": second}
    fit = ic.fit(responses, parts)
    assert np.isfinite(ic.item_fit(fit).outfit).all()
    with pytest.raises(ModelError, match="items of one model"):
        ic.fit(responses, parts, method=ic.Marginal(over="items"))
