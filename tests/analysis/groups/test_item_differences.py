"""Items that differ between groups, and items that do not."""

import json

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ConvergenceWarning, ModelError
from itemcurve.groups import Groups


@pytest.fixture(scope="module")
def leaked():
    """Models released later are abler, and do better on two items than their ability says."""
    rng = np.random.default_rng(5)
    late = np.repeat([False, True], 300)
    abilities = rng.normal(size=600) + 0.5 * late
    slopes, difficulties = np.exp(0.3 * rng.normal(size=8)), rng.normal(size=8)
    shift = np.where(np.isin(np.arange(8), (2, 6)), 1.6, 0.0)
    logits = slopes * (abilities[:, None] - difficulties) + shift * late[:, None]
    observed = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(float)
    items = [f"q{k:02d}" for k in range(8)]
    return ic.Responses.from_array(observed, items=items), np.where(late, "late", "early")


@pytest.mark.parametrize("test", ["likelihood-ratio", "wald", "score"])
def test_leaked_items_are_found_and_no_other(leaked, test):
    responses, labels = leaked
    found = ic.dif(responses, labels, test=test)
    table = found.frame()
    assert set(table.loc[table["flagged"], "item"]) == {"q02", "q06"}
    own = table[table["flagged"]]
    assert (own["difference"] > 0.05).all()
    assert (own["lower"] > 0).all()
    assert set(own["size"]) <= {"moderate", "large"}
    assert set(own["group"]) == {"late"}
    assert found.means[1] == pytest.approx(0.5, abs=0.25)


def test_the_average_gap_is_that_of_the_curves_over_the_group(leaked):
    """Against a sum over a sample of the group's abilities."""
    responses, labels = leaked
    found = ic.dif(responses, labels, test="wald")
    abilities = found.means[1] + found.sds[1] * np.random.default_rng(0).normal(size=20_000)
    for item in (2, 5):
        gap = found.curves.expected[1, :, item] - found.curves.expected[0, :, item]
        at = np.interp(abilities, found.curves.abilities, gap)
        effect = found.effects[item]
        assert effect.signed[0] == pytest.approx(at.mean(), abs=0.005)
        assert effect.absolute[0] == pytest.approx(np.abs(at).mean(), abs=0.005)


def test_anchors_are_not_tested(leaked):
    responses, labels = leaked
    found = ic.dif(responses, labels, anchors=["q00", "q01"], test="score")
    assert np.isnan(found.p_value[:2]).all()
    assert found.frame().set_index("item").loc["q00", "size"] == "not tested"
    assert found.flagged[[2, 6]].all()


def test_three_groups_name_the_one_that_differs(leaked):
    responses, labels = leaked
    three = labels.astype(object)
    three[:150] = "first"
    found = ic.dif(responses, Groups(three, reference="early"), test="score")
    table = found.frame().set_index("item")
    assert table.loc["q02", "group"] == "late"
    assert table.loc["q02", "degrees_of_freedom"] == 4


def test_the_picture_shows_both_curves(leaked):
    responses, labels = leaked
    found = ic.dif(responses, labels, test="score")
    ax = ic.plots.group_curves(found, "q02")
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"early", "late"}
    with pytest.raises(ModelError, match="one of those tested"):
        ic.plots.group_curves(found, "nothing")


def test_wrong_settings_are_refused(leaked):
    responses, labels = leaked
    with pytest.raises(ModelError, match="The test must be"):
        ic.dif(responses, labels, test="t")
    with pytest.raises(ModelError, match="anchor the scale"):
        ic.dif(responses, labels, anchors="q*")


def test_tests_against_r(shared_data):
    values = json.loads((shared_data / "reference" / "reference_values2.json").read_text())
    own = np.genfromtxt(shared_data / "reference" / "groups_1000x20.csv", delimiter=",")[1:]
    items = [f"i{k:02d}" for k in range(1, 21)]
    responses = ic.Responses.from_array(own[:, 1:], items=items)
    tested = ["i05", "i10", "i15"]
    found = ic.dif(
        responses,
        own[:, 0],
        test="likelihood-ratio",
        purify=False,
        anchors=[item for item in items if item not in tested],
    )
    expected = {row["item"]: row["X2"] for row in values["4_groups"]["own"]["DIF_drop"]}
    for item in tested:
        assert found.statistic[items.index(item)] == pytest.approx(expected[item], abs=2e-5)


def test_wald_against_direct_maximisation(shared_data):
    from itemcurve.analysis.groups.difference_tests import wald
    from itemcurve.analysis.groups.item_differences import read_data
    from itemcurve.estimation.groups.fit_groups import fit_groups
    from itemcurve.estimation.groups.settings import SCALAR, match_items

    values = json.loads((shared_data / "reference" / "reference_values2.json").read_text())
    own = np.genfromtxt(shared_data / "reference" / "groups_1000x20.csv", delimiter=",")[1:]
    items = tuple(f"i{k:02d}" for k in range(1, 21))
    responses = ic.Responses.from_array(own[:, 1:], items=items)
    data = read_data(responses, own[:, 0], "2pl")
    expected = values["4_groups"]["own"]["partial_17_anchors"]["Wald"]
    free = match_items(expected, items)
    test = wald(data, fit_groups(data, SCALAR, free), free)
    for item, row in expected.items():
        assert test(items.index(item)).statistic == pytest.approx(row["W"], rel=1e-5)


def test_a_fit_that_did_not_settle_is_said():
    """Four copies of one item: slopes without end, on no grid."""
    coin = np.random.default_rng(0).random((60, 1)) < 0.5
    answers = ic.Responses.from_array(np.repeat(coin, 4, axis=1).astype(float))
    with pytest.warns(ConvergenceWarning, match="fit in which items are judged"):
        found = ic.dif(answers, list("abc" * 20))
    assert not found.status.is_converged
