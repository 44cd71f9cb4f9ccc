"""Groups, latent regression and anchors against R mirt and a direct maximisation.

`reference_values2.json` in the data folder holds the values with their sources. Pinned are those of
the direct maximisation, which R mirt agrees with save where REFERENCE2.md says that it is off.
"""

import json

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.groups import Groups

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


def test_latent_regression_of_one_slope_against_direct_maximisation(shared_data, values):
    """Theirs has slopes of one and a free residual variance; ours one slope, a variance of one."""
    own = table(shared_data, "latreg_800x15")
    items = list(own.columns[2:])
    responses = ic.Responses.from_array(own[items].to_numpy(), items=items)
    expected = values["6_latent_regression"]["own"]["latreg_Rasch"]
    fit = ic.fit(responses, "1pl", covariates=own[["x1", "x2"]], prior=None)
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=LOG_LIKELIHOOD)
    assert fit.n_parameters == expected["npar"]
    slope = fit.items["discrimination"].to_numpy()
    np.testing.assert_allclose(slope**2, expected["residual_variance"], atol=PARAMETER)
    betas = fit.coefficients["estimate"] * slope[0]
    np.testing.assert_allclose(betas, expected["beta"], atol=PARAMETER)


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
