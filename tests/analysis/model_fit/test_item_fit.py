"""Item fit against R's mirt, and its error rate on data that follow the model."""

import numpy as np
import pytest

from itemcurve.analysis.model_fit.item_fit import adjust, item_fit
from itemcurve.analysis.model_fit.local_dependence import local_dependence
from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses


@pytest.mark.parametrize(("data", "model"), [("LSAT7", "2pl"), ("LSAT6", "2pl"), ("LSAT6", "1pl")])
def test_s_x2_agrees_with_mirt(data, model, law_school, reference):
    found = item_fit(fit(Responses.from_array(law_school(data)), model, prior=None))
    published = reference[data][model.upper()]
    assert found.test == "S-X²"
    assert np.allclose(found.statistic, published["S_X2"], atol=2e-3)
    if "S_X2_df" in published:
        assert found.degrees_of_freedom.tolist() == published["S_X2_df"]


def test_infit_outfit_and_q3_agree_with_mirt(law_school, reference):
    result = fit(Responses.from_array(law_school("LSAT7")), "2pl", prior=None)
    found, published = item_fit(result), reference["LSAT7"]["2PL"]
    assert np.allclose(found.outfit, published["outfit"], atol=1e-3)
    assert np.allclose(found.infit, published["infit"], atol=1e-3)
    pairs = local_dependence(result).frame().set_index(["item", "other_item"])["q3"]
    assert pairs["item_1", "item_2"] == pytest.approx(published["Q3_12"], abs=1e-3)
    assert pairs["item_1", "item_3"] == pytest.approx(published["Q3_13"], abs=1e-3)


def test_s_x2_of_sat12_agrees_with_mirt(shared_data, reference):
    answers = np.genfromtxt(shared_data / "reference" / "SAT12.csv", delimiter=",", skip_header=1)
    key = np.array(reference["SAT12"]["key"])
    key[31] = 3
    found = item_fit(fit(Responses.from_array((answers == key).astype(int)), "2pl", prior=None))
    published = reference["SAT12"]["key32=3"]
    assert np.allclose(found.statistic[:4], published["S_X2_first4"], atol=5e-3)
    assert found.degrees_of_freedom[:4].tolist() == published["S_X2_df_first4"]


@pytest.mark.parametrize(
    ("model", "respondents", "items", "test"),
    [
        ("2pl", 500, 30, "S-X²"),
        ("2pl", 400, 120, "χ² by ability"),
        ("2pl-nd", 300, 60, "χ² of the PIT"),
    ],
)
def test_sound_items_are_rarely_rejected(model, respondents, items, test):
    drawn = simulate(model, respondents=respondents, items=items, seed=4)
    found = item_fit(fit(drawn.responses, model))
    assert found.test == test
    assert (found.p_value < 0.05).mean() <= 0.1
    assert not (found.p_adjusted < 0.01).any()


def test_an_item_with_another_curve_is_found():
    drawn = simulate("2pl", respondents=1000, items=20, seed=1)
    responses = drawn.responses.array()
    # Only the middle of the scale gets the last item right: no logistic curve can say that.
    middle = np.abs(drawn.abilities) < 0.7
    responses[:, -1] = middle
    found = item_fit(fit(Responses.from_array(responses), "2pl"))
    assert found.p_adjusted[-1] < 1e-6
    assert np.argmin(found.p_value) == 19


def test_too_few_responses_give_no_test():
    found = item_fit(fit(simulate("2pl", respondents=30, items=40, seed=1).responses))
    assert np.isnan(found.p_value).all()
    assert np.isfinite(found.outfit).all()


def test_missing_and_sparse_responses_have_the_same_statistics():
    from scipy.sparse import coo_array

    responses = simulate("2pl", respondents=150, items=60, seed=2, missing=0.2).responses
    dense = responses.array()
    rows, columns = np.nonzero(~np.isnan(dense))
    sparse = Responses.from_array(coo_array((dense[rows, columns], (rows, columns))))
    first, second = (item_fit(fit(given, "2pl")) for given in (responses, sparse))
    assert np.allclose(first.statistic, second.statistic, rtol=1e-5)
    assert np.allclose(first.infit, second.infit, rtol=1e-5)


def test_adjusted_p_values_are_benjamini_and_hochbergs():
    given = np.array([0.01, 0.04, np.nan, 0.03, 0.5])
    expected = [0.04, 0.16 / 3, np.nan, 0.16 / 3, 0.5]
    assert np.allclose(adjust(given), expected, equal_nan=True)
