"""Abilities and information against mirt (LSAT7) and catR (its bank of 85 items)."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.bank.item_bank import BankPart


@pytest.fixture(scope="module")
def lsat7(law_school):
    return ic.fit(ic.Responses.from_array(law_school("LSAT7")), "2pl", prior=None)


@pytest.fixture(scope="module")
def pattern(lsat7):
    def scored(bits: str, method: str):
        answers = ic.Responses.from_array([[int(bit) for bit in bits]], items=lsat7.bank.items)
        found = ic.score(lsat7.bank, answers, method=method)
        return found.ability[0], found.ability_se[0]

    return scored


@pytest.mark.parametrize("method", ["EAP", "MAP", "ML", "WLE"])
def test_lsat7_patterns_match(method, pattern, reference):
    for bits, expected in reference["LSAT7"]["2PL"][method].items():
        ability, error = pattern(bits, method.lower())
        if isinstance(expected, str):
            assert ability == float(expected.lower())
            assert error == np.inf
            continue
        assert ability == pytest.approx(expected[0], abs=1e-4)
        if method != "WLE":
            # mirt's WLE error is the curvature of the weighted likelihood; ours, like catR's, is
            # 1/√I. The catR test below pins it.
            assert error == pytest.approx(expected[1], abs=1e-4)


def test_lsat7_test_information_matches(lsat7, reference):
    given = lsat7.information(np.array([-2.0, -1, 0, 1, 2])).sum(axis=1)
    np.testing.assert_allclose(given, reference["LSAT7"]["2PL"]["testinfo_-2..2"], atol=1e-4)


@pytest.fixture(scope="module")
def cat_bank(shared_data):
    def build(upper: float = 1.0) -> ic.Bank:
        path = shared_data / "reference" / "catR_tcals.csv"
        table = np.genfromtxt(path, delimiter=",", skip_header=1)[:, 1:5]
        table[:, 3] = upper
        model = ic.get_model("4pl").population_form()
        part = BankPart(model, np.arange(85), table, np.zeros((85, 4, 4)))
        return ic.Bank(tuple(str(i) for i in range(1, 86)), (part,))

    return build


METHODS = {
    "ml": ("ML", "ML"),
    "map": ("BM_N01", "BM"),
    "eap": ("EAP_N01", "EAP"),
    "wle": ("WL", "WL"),
}


@pytest.mark.parametrize("method", METHODS)
def test_catr_abilities_match(method, cat_bank, reference):
    published = reference["catR_tcals"]
    items = [str(i) for i in published["items"]]
    answers = ic.Responses.from_array([published["x"]], items=items)
    three, four = METHODS[method]
    for upper, expected in ((1.0, published[three]), (0.95, published["4PL_d.95"][four])):
        found = ic.score(cat_bank(upper), answers, method=method)
        assert found.ability[0] == pytest.approx(expected[0], abs=1e-4)
        assert found.ability_se[0] == pytest.approx(expected[1], abs=1e-4)


def test_catr_abilities_of_a_perfect_score_match(cat_bank, reference):
    published = reference["catR_tcals"]
    items = [str(i) for i in published["items"]]
    perfect = ic.Responses.from_array([[1] * 10], items=items)
    for method, key in (("map", "allcorrect_BM"), ("wle", "allcorrect_WL")):
        found = ic.score(cat_bank(), perfect, method=method)
        assert found.ability[0] == pytest.approx(published[key][0], abs=1e-4)
        assert found.ability_se[0] == pytest.approx(published[key][1], abs=1e-4)
    # catR integrates by the trapezoidal rule at 33 points on ±4, which cuts this posterior's
    # tail: the same sum gives its number, the exact integral ours.
    points = np.linspace(-4, 4, 33)
    chance = cat_bank().select(items).expected_response(points).prod(axis=1)
    weights = chance * np.exp(-(points**2) / 2)
    weights[[0, -1]] /= 2
    coarse = weights @ points / weights.sum()
    assert coarse == pytest.approx(published["allcorrect_EAP"][0], abs=1e-4)
    found = ic.score(cat_bank(), perfect, method="eap")
    assert found.ability[0] == pytest.approx(coarse, abs=1e-3)


def test_catr_most_informative_item_matches(cat_bank, reference):
    item, value = reference["catR_tcals"]["MFI_theta0"]
    information = cat_bank().information(np.array([0.0]))[0]
    assert information.argmax() + 1 == item
    assert information.max() == pytest.approx(value, abs=1e-6)
