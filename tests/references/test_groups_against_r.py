"""Groups, latent regression and anchors against R mirt and a direct maximisation.

`reference_values2.json` in the data folder holds the values with their sources. Pinned are those of
the direct maximisation, which R mirt agrees with save where REFERENCE2.md says that it is off.
"""

import json

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.analysis.groups.difference_tests import likelihood_ratio, wald
from itemcurve.analysis.groups.item_differences import read_data
from itemcurve.estimation.groups import fit_populations
from itemcurve.estimation.groups.fit_groups import fit_groups
from itemcurve.estimation.groups.reported_groups import report_groups, solution_covariance
from itemcurve.estimation.groups.settings import SCALAR
from itemcurve.groups import Groups, invariance

LOG_LIKELIHOOD, PARAMETER, ERROR = 1e-5, 1e-4, 1e-4
PARTIAL = ("i05", "i10", "i15")


@pytest.fixture(scope="module")
def values(shared_data) -> dict:
    return json.loads((shared_data / "reference" / "reference_values2.json").read_text())


def table(shared_data, name) -> pandas.DataFrame:
    return pandas.read_csv(shared_data / "reference" / f"{name}.csv")


@pytest.fixture(scope="module")
def two_groups(shared_data):
    own = table(shared_data, "groups_1000x20")
    items = list(own.columns[1:])
    return ic.Responses.from_array(own[items].to_numpy(), items=items), own["group"].tolist()


def fitted(two_groups, equal, free=()):
    responses, labels = two_groups
    return ic.fit(responses, "2pl", groups=Groups(labels, free=free), equal=equal, prior=None)


@pytest.mark.parametrize(
    ("name", "equal", "free"),
    [
        ("configural", (), ()),
        ("metric", ("slopes",), ()),
        ("scalar", ("slopes", "intercepts"), ()),
        ("partial_17_anchors", ("slopes", "intercepts"), PARTIAL),
    ],
)
def test_groups_against_r(two_groups, values, name, equal, free):
    expected = values["4_groups"]["own"][name]
    fit = fitted(two_groups, equal, free)
    assert fit.status.is_converged
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=LOG_LIKELIHOOD)
    assert fit.n_parameters == expected["npar"]
    second = fit.groups.iloc[1]
    for key, column in (("mean", "mean"), ("var", "variance")):
        if key in expected:
            assert second[column] == pytest.approx(expected[key], abs=PARAMETER)
            assert second[f"{column}_se"] == pytest.approx(expected[f"{key}_se"], rel=ERROR)
        elif name == "configural":
            assert second[column] == (0.0 if key == "mean" else 1.0)
    for key, column in (("a", "discrimination"), ("d", "intercept")):
        if key in expected:
            own = fit.items.groupby("item", sort=False).first()
            np.testing.assert_allclose(own[column], expected[key], atol=PARAMETER)
            np.testing.assert_allclose(own[f"{column}_se"], expected[f"{key}_se"], rtol=ERROR)


def test_items_that_differ_against_r(two_groups, values):
    fit = fitted(two_groups, ("slopes", "intercepts"), PARTIAL)
    expected = values["4_groups"]["own"]["partial_17_anchors"]["free_items"]
    for item, own in expected.items():
        rows = fit.items[fit.items["item"] == item]
        for key, column in (("a", "discrimination"), ("d", "intercept")):
            wanted, errors = [[own[f"{key}{g}{end}"] for g in (1, 2)] for end in ("", "_se")]
            np.testing.assert_allclose(rows[column], wanted, atol=PARAMETER)
            np.testing.assert_allclose(rows[f"{column}_se"], errors, rtol=ERROR)


def test_latent_regression_against_direct_maximisation(shared_data, values):
    own = table(shared_data, "latreg_800x15")
    items = list(own.columns[2:])
    responses = ic.Responses.from_array(own[items].to_numpy(), items=items)
    expected = values["6_latent_regression"]["own"]["latreg_2PL"]
    fit = ic.fit(responses, "2pl", covariates=own[["x1", "x2"]], prior=None)
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=LOG_LIKELIHOOD)
    assert fit.n_parameters == expected["npar"]
    np.testing.assert_allclose(fit.coefficients["estimate"], expected["beta"], atol=PARAMETER)
    np.testing.assert_allclose(fit.coefficients["se"], expected["beta_se"], rtol=ERROR)
    np.testing.assert_allclose(fit.items["discrimination"], expected["a"], atol=PARAMETER)
    np.testing.assert_allclose(fit.items["discrimination_se"], expected["a_se"], rtol=ERROR)
    # Theirs counts ability from covariates of zero, ours from average ones.
    shift = own[["x1", "x2"]].mean().to_numpy() @ fit.coefficients["estimate"].to_numpy()
    intercepts = fit.items["intercept"] - fit.items["discrimination"] * shift
    np.testing.assert_allclose(intercepts, expected["d"], atol=PARAMETER)
    scores, first = values["6_latent_regression"]["mirt_2PL"], fit.respondents.head(10)
    np.testing.assert_allclose(
        first["ability"] + shift, np.ravel(scores["EAP_first10"]), atol=PARAMETER
    )
    np.testing.assert_allclose(first["ability_se"], np.ravel(scores["EAP_se_first10"]), rtol=ERROR)


def test_latent_regression_of_one_slope_against_direct_maximisation(
    shared_data, values, monkeypatch
):
    """Theirs has slopes of one and a free residual variance; ours one slope, a variance of one."""
    own = table(shared_data, "latreg_800x15")
    items = list(own.columns[2:])
    responses = ic.Responses.from_array(own[items].to_numpy(), items=items)
    expected = values["6_latent_regression"]["own"]["latreg_Rasch"]
    seen = []
    monkeypatch.setattr(
        fit_populations,
        "report_groups",
        lambda *both: seen.append(both) or report_groups(*both),
    )
    fit = ic.fit(responses, "1pl", covariates=own[["x1", "x2"]], prior=None)
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=LOG_LIKELIHOOD)
    assert fit.n_parameters == expected["npar"]
    slope = fit.items["discrimination"].to_numpy()
    np.testing.assert_allclose(slope**2, expected["residual_variance"], atol=PARAMETER)
    errors = 2 * slope * fit.items["discrimination_se"]
    np.testing.assert_allclose(errors, expected["residual_variance_se"], rtol=ERROR)
    betas = fit.coefficients["estimate"] * slope[0]
    np.testing.assert_allclose(betas, expected["beta"], atol=PARAMETER)
    # Inside, slopes of items are one too: errors there are theirs, before the unit is changed.
    solution, known = seen[0]
    together, _ = solution_covariance(solution)
    of_state = np.asarray(together)[solution.point.x.size :, solution.point.x.size :]
    errors = np.sqrt(np.diag(of_state))[solution.terms.slopes] / known.units
    np.testing.assert_allclose(errors, expected["beta_se"], rtol=ERROR)


def test_anchors_against_r(shared_data, values):
    own = table(shared_data, "form_b_1000x16")
    responses = ic.Responses.from_array(own.to_numpy(), items=list(own.columns))
    known = values["7_linking"]["own"]["form_a"]
    bank = ic.Bank.from_parameters(
        "2pl",
        items=list(own.columns[:8]),
        discrimination=known["a"][:8],
        difficulty=-np.array(known["d"][:8]) / known["a"][:8],
    )
    expected = values["8_fixed_items_and_density"]["fixed_item"]["own"]
    fit = ic.fit(responses, "2pl", anchors=bank, prior=None)
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=LOG_LIKELIHOOD)
    assert fit.n_parameters == expected["npar"]
    row = fit.groups.iloc[0]
    for key, column in (("mean", "mean"), ("var", "variance")):
        assert row[column] == pytest.approx(expected[key], abs=PARAMETER)
        assert row[f"{column}_se"] == pytest.approx(expected[f"{key}_se"], rel=ERROR)
    rest = fit.items.iloc[8:]
    for key, column in (("a", "discrimination"), ("d", "intercept")):
        np.testing.assert_allclose(rest[column], expected[key], atol=PARAMETER)
        np.testing.assert_allclose(rest[f"{column}_se"], expected[f"{key}_se"], rtol=ERROR)


def test_the_ladder_of_invariance_against_r(two_groups, values):
    responses, labels = two_groups
    found = invariance(responses, labels).frame().set_index("step")
    expected = values["4_groups"]["own"]
    for step in ("configural", "metric", "scalar"):
        row = found.loc[step]
        assert row["log_likelihood"] == pytest.approx(expected[step]["logLik"], abs=LOG_LIKELIHOOD)
        assert row["n_parameters"] == expected[step]["npar"]
    for step, before in (("metric", "configural"), ("scalar", "metric")):
        lost = 2 * (expected[before]["logLik"] - expected[step]["logLik"])
        assert found.loc[step, "statistic"] == pytest.approx(lost, abs=4e-5)
        assert found.loc[step, "degrees_of_freedom"] == 19


@pytest.fixture(scope="module")
def five_anchors(two_groups):
    """All items but five differ; anchors are few, so that R's own search is the only reference."""
    responses, labels = two_groups
    data = read_data(responses, labels, "2pl")
    free = ~np.isin(responses.items, ("i01", "i02", "i03", "i04", "i06"))
    return data, fit_groups(data, SCALAR, free), free


def on_nodes_of_r(fit, responses, labels) -> float:
    """The log-likelihood at a fit's parameters, on 121 nodes from −8 to 8."""
    nodes, total = np.linspace(-8.0, 8.0, 121), 0.0
    for place, name in enumerate(fit.group_codes.names):
        weights = np.exp(-0.5 * ((nodes - fit.moments.mean[place]) / fit.moments.sd[place]) ** 2)
        right = fit.bank_of(name).expected_response(nodes).T
        own = responses.array()[[str(label) == name for label in labels]]
        cells = own @ np.log(right) + (1 - own) @ np.log1p(-right)
        total += float(np.log(np.exp(cells) @ (weights / weights.sum())).sum())
    return total


def test_five_anchors_against_r(two_groups, five_anchors, values):
    expected = values["4_groups"]["mirt"]["anchors_i01_i02_i03_i04_i06"]
    fit = fitted(
        two_groups, ("slopes", "intercepts"), tuple(np.array(two_groups[0].items)[five_anchors[2]])
    )
    assert fit.n_parameters == expected["npar"]
    # R's nodes stay on ±8 whatever the spread of a group: 2e-4 here, where the second's is 1.6.
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=3e-4)
    assert on_nodes_of_r(fit, *two_groups) == pytest.approx(expected["logLik"], abs=1e-5)
    second = fit.groups.iloc[1]
    assert second["mean"] == pytest.approx(0.621127, abs=PARAMETER)
    assert second["variance"] == pytest.approx(2.610599, rel=5e-4)


def test_tests_of_differences_from_five_anchors_against_r(two_groups, five_anchors, values):
    items, mirt = list(two_groups[0].items), values["4_groups"]["mirt"]
    ratio, distance = likelihood_ratio(*five_anchors), wald(*five_anchors)
    published = mirt["DIF_add_from_5_anchors"]
    for item, expected in zip(published["item"], published["X2"], strict=True):
        assert ratio(items.index(item)).statistic == pytest.approx(expected, abs=5e-4)
    published = mirt["Wald_from_5_anchors"]
    for item, expected in zip(published["item"], published["W"], strict=True):
        assert distance(items.index(item)).statistic == pytest.approx(expected, rel=2e-3, abs=2e-3)


def test_concurrent_calibration_of_two_forms_against_r(shared_data, values):
    forms = [table(shared_data, f"form_{letter}_1000x16") for letter in "ab"]
    joined = pandas.concat(forms, ignore_index=True)
    responses = ic.Responses.from_array(joined.to_numpy(float), items=list(joined.columns))
    fit = ic.fit(responses, "2pl", groups=["a"] * 1000 + ["b"] * 1000, prior=None)
    expected = values["7_linking"]["own"]["concurrent"]
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=LOG_LIKELIHOOD)
    assert fit.n_parameters == expected["npar"]
    row = fit.groups.iloc[1]
    for key, column in (("mean", "mean"), ("var", "variance")):
        assert row[column] == pytest.approx(expected[key], abs=PARAMETER)
        assert row[f"{column}_se"] == pytest.approx(expected[f"{key}_se"], rel=ERROR)


def test_densities_of_ability_against_direct_maximisation(shared_data, values):
    """Of degree 2 theirs is a lower maximum than ours; free weights stop short of a comb."""
    own = table(shared_data, "skewed_1000x20")
    responses = ic.Responses.from_array(own.to_numpy(), items=list(own.columns))
    expected = values["8_fixed_items_and_density"]["skewed"]["own"]
    normal = ic.fit(responses, "2pl", prior=None)
    assert normal.log_likelihood == pytest.approx(expected["normal"]["logLik"], abs=LOG_LIKELIHOOD)
    four = ic.fit(responses, "2pl", density="davidian-4", prior=None)
    wanted = expected["polynomial_density_4"]
    assert four.log_likelihood == pytest.approx(wanted["logLik"], abs=LOG_LIKELIHOOD)
    assert four.n_parameters == wanted["npar"]
    assert four.density.skewness == pytest.approx(wanted["skewness"], abs=PARAMETER)
    np.testing.assert_allclose(
        four.items["discrimination"], wanted["a_standardised"], atol=PARAMETER
    )
    np.testing.assert_allclose(four.items["intercept"], wanted["d_standardised"], atol=PARAMETER)
    two = ic.fit(responses, "2pl", density="davidian-2", prior=None)
    assert two.log_likelihood >= expected["polynomial_density_2"]["logLik"]
    assert two.log_likelihood == pytest.approx(-11334.84187, abs=1e-4)
    weights = ic.fit(responses, "2pl", density="histogram", prior=None)
    assert -11325.19 < weights.log_likelihood < -11318.99
    assert normal.check_normality().p_value < 1e-10
