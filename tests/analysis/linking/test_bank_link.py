"""Banks on one scale: published constants, exact moves, and items that drift."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import itemcurve as ic
from itemcurve.errors import ModelError


def banks(slope=1.3, shift=0.5, items=10, **settings):
    """A bank, and the same items for abilities θ' with θ = slope θ' + shift."""
    rng = np.random.default_rng(1)
    a, b = np.exp(0.3 * rng.normal(size=items)), rng.normal(size=items)
    base = ic.Bank.from_parameters("2pl", discrimination=a, difficulty=b)
    other = ic.Bank.from_parameters(
        "2pl", discrimination=a * slope, difficulty=(b - shift) / slope, **settings
    )
    return base, other


@pytest.mark.parametrize(
    "method", ["stocking-lord", "haebara", "mean-mean", "mean-sigma", "mean-geometric-mean"]
)
def test_an_exact_move_is_found(method):
    found = ic.link(*banks(), method=method)
    assert found.slope == pytest.approx(1.3, abs=1e-6)
    assert found.shift == pytest.approx(0.5, abs=1e-6)
    assert np.allclose(found.difference, 0.0, atol=1e-6)
    assert np.allclose(found.abilities([0.0, 1.0]), [0.5, 1.8])


def test_a_transformed_bank_has_the_base_s_curves():
    base, other = banks()
    moved = ic.link(base, other).transform(other)
    points = np.linspace(-2, 2, 5)
    assert np.allclose(moved.expected_response(points), base.expected_response(points), atol=1e-6)
    assert moved.ability_sd == pytest.approx(1.3, abs=1e-6)


def test_drifted_items_are_named():
    truth = ic.simulate("2pl", respondents=1500, items=12, seed=1)
    other = ic.simulate("2pl", respondents=1500, items=12, seed=2)
    values = truth.values.copy()
    values[4, 1] -= 1.5
    chance = 1 / (1 + np.exp(-np.outer(other.abilities, values[:, 0]) - values[:, 1]))
    answers = (np.random.default_rng(3).random(chance.shape) < chance).astype(float)
    first = ic.fit(truth.responses, "2pl", prior=None)
    second = ic.fit(ic.Responses.from_array(answers), "2pl", prior=None)
    found = ic.link(first.bank, second.bank)
    assert found.drifted == ("item_05",)
    kept = [name for name in found.items if name not in found.drifted]
    again = ic.link(first.bank, second.bank, items=kept)
    assert again.drifted == ()
    assert abs(again.shift) < 3 * again.shift_se + 0.02


@pytest.fixture(scope="module")
def forms(shared_data):
    """Two forms with eight items in common, each fitted by maximum likelihood."""
    found = []
    for name in ("form_a", "form_b"):
        responses = ic.Responses.read(shared_data / "reference" / f"{name}_1000x16.csv")
        settings = ic.Marginal(over="respondents", tolerance=1e-12)
        found.append(ic.fit(responses, "2pl", prior=None, method=settings))
    return found


@pytest.mark.parametrize(
    ("method", "slope", "slope_se", "shift", "shift_se"),
    [
        ("mean-mean", 1.2248170639, 0.077352035, 0.5475474247, 0.083672193),
        ("mean-geometric-mean", 1.2457974814, 0.079883857, 0.5425221337, 0.083397540),
        ("mean-sigma", 1.2938261734, 0.113429477, 0.5310181608, 0.078726496),
        ("stocking-lord", 1.29004694, 0.078006379, 0.57756206, 0.071373345),
        ("haebara", 1.29884162, 0.078465213, 0.56468798, 0.070682696),
    ],
)
def test_constants_and_errors_are_those_of_a_reference(
    method, slope, slope_se, shift, shift_se, forms
):
    """Computed by two optimisers from both forms' maximum likelihood estimates."""
    found = ic.link(*forms, method=method)
    assert found.errors == "items together"
    assert found.slope == pytest.approx(slope, abs=1e-6)
    assert found.shift == pytest.approx(shift, abs=1e-6)
    assert found.slope_se == pytest.approx(slope_se, rel=1e-4)
    assert found.shift_se == pytest.approx(shift_se, rel=1e-4)


def test_banks_alone_say_that_their_errors_are_too_small(forms):
    together, alone = ic.link(*forms), ic.link(forms[0].bank, forms[1].bank)
    assert alone.errors == "item by item"
    assert (alone.slope, alone.shift) == (together.slope, together.shift)
    assert alone.shift_se < together.shift_se
    assert "link fits, not banks" in str(alone)
    assert "link fits" not in str(together)


def test_priors_leave_the_errors_of_single_items_as_reported():
    from itemcurve.estimation.marginal.over_respondents.joint_covariance import joint_covariance

    fit = ic.fit(ic.simulate("2pl", respondents=300, items=8, seed=2).responses)
    joint = joint_covariance(fit)
    for item, own in enumerate(fit.estimates.covariance):
        block = joint[2 * item : 2 * item + 2, 2 * item : 2 * item + 2]
        np.testing.assert_allclose(block, own, atol=1e-9)
    assert np.linalg.eigvalsh(joint).min() > 0


def test_what_is_no_calibration_is_refused(forms):
    with pytest.raises(ModelError, match="two fits, two evaluations, or two banks"):
        ic.link(forms[0], "last year")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "equipercentile"}, "one of stocking-lord"),
        ({"items": ["x"]}, "'x' is not in both"),
        ({"items": ["0"]}, "at least 2 items"),
    ],
)
def test_what_cannot_be_linked_is_refused(given, words):
    with pytest.raises(ModelError, match=words):
        ic.link(*banks(), **given)


def test_banks_without_common_items_are_refused():
    base, _ = banks()
    _, other = banks(items=10)
    renamed = ic.Bank(tuple(f"y{k}" for k in range(10)), other.parts)
    with pytest.raises(ModelError, match="The banks have 0"):
        ic.link(base, renamed)


def test_the_picture_marks_items_that_drifted():
    truth = ic.simulate("2pl", respondents=800, items=10, seed=1)
    values = truth.values.copy()
    values[4, 1] -= 1.2
    chance = 1 / (1 + np.exp(-np.outer(truth.abilities, values[:, 0]) - values[:, 1]))
    answers = (np.random.default_rng(3).random(chance.shape) < chance).astype(float)
    found = ic.link(ic.fit(truth.responses), ic.fit(ic.Responses.from_array(answers)))
    axes = ic.plots.linked_items(found)
    named = {text.get_text() for text in axes.texts}
    assert named & set(found.items) == {"item_05"}
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["same (9)", "drifted (1)"]
    table = found.frame()
    np.testing.assert_allclose(table["location"] - table["other_location"], table["difference"])
    assert (table["other_location_se"] > 0).all()


def test_an_item_that_is_hardly_told_does_not_push_the_others_together():
    """A flat item lies anywhere; its place and bars would fill the picture."""
    found = ic.link(*banks(items=10))
    table = found.frame()
    table.loc[3, ["location", "other_location"]] = -20.0
    table.loc[3, ["location_se", "other_location_se"]] = 50.0

    class Found:
        slope, shift = found.slope, found.shift

        @staticmethod
        def frame():
            return table

    axes = ic.plots.linked_items(Found())
    low, high = axes.get_xlim()
    assert -8 < low < high < 8
    said = [text.get_text() for text in axes.texts]
    assert any(text.endswith("10 in common, 1 of them outside: hardly told") for text in said)


def test_evaluations_of_two_pools_on_one_table_are_linked():
    features, labels = make_moons(240, noise=0.25, random_state=0)
    pools = [
        [
            ("tree", DecisionTreeClassifier(max_depth=depth, random_state=0)),
            ("bayes", GaussianNB()),
            other,
        ]
        for depth, other in (
            (2, ("near", KNeighborsClassifier(15))),
            (4, ("line", LogisticRegression())),
        )
    ]
    both = [ic.evaluate_classifiers(pool, features, labels, cv=3) for pool in pools]
    found = ic.link(*both)
    assert len(found.items) == 240
    assert found.slope == ic.link(both[0].fit, both[1].fit).slope
    with pytest.raises(ModelError, match="two fits, two evaluations, or two banks"):
        ic.link(both[0], pools)
