"""What every method must satisfy with every model."""

from dataclasses import replace

import numpy as np
import pytest
from tests.catalogue import LOSSES, METHODS, MODELS, REFUSED, tolerance

import itemcurve as ic
from itemcurve.bank.item_bank import BankPart
from itemcurve.errors import ModelError

CASES = [(model, method) for model in MODELS for method in METHODS]


@pytest.mark.parametrize(("combination", "reason"), REFUSED.items(), ids=str)
def test_combinations_that_make_no_sense_are_refused_with_the_reason(combination, reason):
    model, method = combination
    responses = ic.simulate(model, respondents=20, items=30, seed=0).responses
    with pytest.raises(ModelError, match=reason):
        ic.fit(responses, model, method=METHODS[method])


@pytest.fixture(params=[c for c in CASES if c not in REFUSED], ids=lambda c: f"{c[0]}-{c[1]}")
def case(request):
    model, method = request.param
    return model, METHODS[method]


@pytest.fixture
def truth(case):
    # Curves of continuous models over items are costly, and few respondents are what they are for.
    is_small = (
        ic.get_model(case[0]).family.is_continuous and getattr(case[1], "over", "") == "items"
    )
    respondents, items = (12, 30) if is_small else (60, 25)
    return ic.simulate(case[0], respondents=respondents, items=items, seed=4, missing=0.1)


_FITS: dict = {}


@pytest.fixture
def fitted(case, truth):
    if case not in _FITS:
        _FITS[case] = ic.fit(truth.responses, case[0], method=case[1])
    return _FITS[case]


def test_it_converges_and_reports_finite_numbers(fitted):
    assert fitted.status.is_converged
    numbers = fitted.items.select_dtypes("number").drop(columns=["difficulty", "difficulty_se"])
    # A category that an item was never given has no threshold.
    thresholds = [name for name in numbers if name.startswith("threshold_")]
    assert np.isfinite(numbers.drop(columns=thresholds)).all().all()
    assert (np.isfinite(numbers[thresholds]).sum(axis=1) >= (2 if thresholds else 0)).all()
    assert np.isfinite(fitted.respondents.select_dtypes("number")).all().all()
    assert (fitted.respondents["ability_se"] > 0).all()
    second = "intercept_se" if "intercept_se" in fitted.items else "difficulty_se"
    assert (fitted.items[second] > 0).all()


def test_abilities_are_nearly_as_good_as_with_the_true_items(fitted, case, truth):
    size = truth.responses.shape[1]
    part = BankPart(truth.model, np.arange(size), truth.values, np.zeros((size, 1, 1)))
    oracle = ic.score(ic.Bank(truth.responses.items, (part,)), truth.responses)
    best = np.corrcoef(oracle.ability, truth.abilities)[0, 1]
    given = np.corrcoef(fitted.estimates.abilities, truth.abilities)[0, 1]
    assert given > best - LOSSES.get(case, 0.06)


def test_the_same_data_give_the_same_result_again(fitted, case, truth):
    again = ic.fit(truth.responses, case[0], method=case[1])
    np.testing.assert_array_equal(again.estimates.values, fitted.estimates.values)


def test_the_order_of_rows_and_columns_does_not_matter(fitted, case, truth):
    rng = np.random.default_rng(8)
    rows, columns = (rng.permutation(size) for size in truth.responses.shape)
    shuffled = ic.Responses.from_array(truth.responses.array()[np.ix_(rows, columns)])
    other = ic.fit(shuffled, case[0], method=case[1])
    allowed = tolerance(case, 2e-4)
    np.testing.assert_allclose(
        other.estimates.values, fitted.estimates.values[columns], atol=allowed
    )
    np.testing.assert_allclose(
        other.estimates.abilities, fitted.estimates.abilities[rows], atol=allowed
    )


def test_sparse_and_dense_responses_give_the_same_result(fitted, case, truth):
    long = truth.responses.frame("long")
    rows = long["respondent"].map({r: i for i, r in enumerate(truth.responses.respondents)})
    columns = long["item"].map({r: i for i, r in enumerate(truth.responses.items)})
    from scipy.sparse import coo_array

    sparse = ic.Responses.from_array(
        coo_array((long["response"].to_numpy(float), (rows, columns)), shape=truth.responses.shape)
    )
    assert sparse.is_sparse
    other = ic.fit(sparse, case[0], method=case[1])
    allowed = tolerance(case, 1e-8)
    np.testing.assert_allclose(other.estimates.values, fitted.estimates.values, atol=allowed)


def test_both_engines_agree(fitted, case, truth):
    settings = {}
    if fitted.estimates.model.family.is_continuous:
        # Compiling the series of censored tails takes longer than all other tests together; both
        # engines are compared on them curve by curve in test_item_models.
        settings = {"boundary": "clip"}
        fitted = ic.fit(truth.responses, case[0], method=case[1], **settings)
    other = ic.fit(truth.responses, case[0], method=case[1], engine="jax", **settings)
    for name in ("values", "abilities", "ability_errors"):
        given, expected = (getattr(f.estimates, name) for f in (other, fitted))
        np.testing.assert_allclose(given, expected, atol=tolerance(case, 1e-6))


def test_answering_twice_alike_is_the_same_as_weight_two(case, truth):
    array = truth.responses.array()
    doubled = ic.Responses.from_array(array, weights=np.where(np.isnan(array), 0.0, 2.0))
    long = truth.responses.frame("long")
    import pandas

    repeated = ic.Responses.from_frame(pandas.concat([long, long]))
    # Where the bound is flat, rounding decides how far from its maximum a search may end.
    method = case[1]
    if getattr(method, "posterior", None) == "mean-field":
        method = replace(method, tolerance=1e-3 * method.tolerance)
    first = ic.fit(doubled, case[0], method=method)
    second = ic.fit(repeated.select(doubled.respondents, doubled.items), case[0], method=method)
    allowed = tolerance(case, 1e-7)
    np.testing.assert_allclose(second.estimates.values, first.estimates.values, atol=allowed)


@pytest.mark.slow
def test_both_engines_agree_on_several_formats():
    """A mixed fit, for which no single name of the catalogue stands."""
    right = ic.simulate("2pl", respondents=60, items=4, seed=5).responses.array()
    grades = ic.simulate("grm", respondents=60, items=4, seed=5).responses.array()
    names = [f"mc_{k}" for k in range(4)] + [f"essay_{k}" for k in range(4)]
    mixed = ic.Responses.from_array(np.hstack([right, np.minimum(grades, 2)]), items=names)
    formats = {"mc_*": "2pl", "essay_*": "grm"}
    fits = [ic.fit(mixed, formats, engine=engine) for engine in ("numpy", "jax")]
    for name in ("values", "abilities", "ability_errors"):
        given, expected = (getattr(fit.estimates, name) for fit in fits)
        np.testing.assert_allclose(given, expected, atol=1e-6)
