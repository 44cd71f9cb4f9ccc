"""Models of categories against R mirt and a direct maximisation, on data whose fits are known.

`reference_values2.json` in the data folder holds the values with their sources, and REFERENCE2.md
beside it says which of them two programs agree on. Its tolerances are those here.
"""

import json

import numpy as np
import pytest

import itemcurve as ic

KEYS = {
    "grm": "graded",
    "gpcm": "gpcm",
    "pcm": "Rasch",
    "rsm": "rsm",
    "sequential": "sequential",
}
# Where R mirt stopped before its maximum, as the direct maximisation says: how far its values lie
# from it. Elsewhere both agree to 1e-5.
EARLY = {"pcm": 2e-4}


@pytest.fixture(scope="module")
def values(shared_data) -> dict:
    return json.loads((shared_data / "reference" / "reference_values2.json").read_text())


def read(shared_data, name) -> ic.Responses:
    path = shared_data / "reference" / f"{name}.csv"
    items = path.read_text().partition("\n")[0].strip().replace('"', "").split(",")
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    return ic.Responses.from_array(table, items=items)


@pytest.fixture(scope="module")
def science(shared_data) -> ic.Responses:
    return read(shared_data, "Science")


@pytest.fixture(scope="module")
def fits(science) -> dict:
    return {name: ic.fit(science, name, prior=None) for name in KEYS}


def cumulated(name: str) -> bool:
    return name in ("gpcm", "pcm", "nrm")


def step_intercepts(fit, item):
    """Intercepts of an item's steps, and their standard errors."""
    values, covariance = fit.estimates.values[item], fit.estimates.covariance[item]
    free = [k for k, s in enumerate(fit.estimates.model.parameters) if s.is_free]
    gaps = [k for k, s in enumerate(fit.estimates.model.parameters) if s.name.startswith("gap_")]
    own = np.isfinite([fit.items[f"threshold_{k}"][item] for k in range(1, len(gaps) + 2)])
    jacobian = np.zeros((own.sum(), len(values)))
    jacobian[:, 1] = 1.0
    for step in range(1, int(own.sum())):
        column = gaps[np.flatnonzero(own)[step] - 1]
        jacobian[:, column] += (own.sum() - step) / own.sum()
        jacobian[step:, column] -= 1.0
    change = jacobian[:, free]
    return jacobian @ values, change @ covariance @ change.T


@pytest.mark.parametrize("name", KEYS)
def test_science_has_the_maximum_of_r(name, fits, values):
    expected, fit = values["1_science"][KEYS[name]], fits[name]
    assert fit.status is ic.FitStatus.CONVERGED
    assert fit.n_parameters == expected["mirt"]["npar"]
    assert fit.log_likelihood == pytest.approx(expected["own"]["logLik"], abs=1e-5)


@pytest.mark.parametrize("name", KEYS)
def test_science_has_the_items_of_r(name, fits, values):
    published, fit = values["1_science"][KEYS[name]]["mirt"]["items"], fits[name]
    tolerance = EARLY.get(name, 1e-4)
    for place, item in enumerate(fit.responses.items):
        expected, errors = published[item]["par"], published[item]["SE"]
        found, covariance = step_intercepts(fit, place)
        if name == "rsm":
            known = [expected["c"] - expected[f"b{k}"] for k in (1, 2, 3)]
            np.testing.assert_allclose(found, known, atol=tolerance)
            continue
        add = np.tril(np.ones((3, 3))) if cumulated(name) else np.eye(3)
        known = [expected[f"d{k}"] for k in (1, 2, 3)]
        np.testing.assert_allclose(add @ found, known, atol=tolerance)
        given = np.sqrt(np.diagonal(add @ covariance @ add.T))
        np.testing.assert_allclose(given, [errors[f"d{k}"] for k in (1, 2, 3)], rtol=1e-4)
        if name != "pcm":
            slope = fit.items["discrimination"][place], fit.items["discrimination_se"][place]
            assert slope[0] == pytest.approx(expected["a1"], abs=1e-4)
            assert slope[1] == pytest.approx(errors["a1"], rel=1e-4)


def test_science_has_the_unordered_categories_of_r(science, values):
    published = values["1_science"]["nominal"]
    fit = ic.fit(science, "nrm", prior=None)
    assert fit.n_parameters == published["mirt"]["npar"]
    assert fit.log_likelihood == pytest.approx(published["own"]["logLik"], abs=1e-5)
    for place, item in enumerate(fit.responses.items):
        known, errors = (published["mirt"]["items"][item][what] for what in ("par", "SE"))
        row = fit.items.loc[place]
        assert row["discrimination"] == pytest.approx(known["a1"], abs=1e-4)
        assert row["discrimination_se"] == pytest.approx(errors["a1"], rel=1e-4)
        for k in (1, 2, 3):
            assert row[f"slope_{k}"] == pytest.approx(known["a1"] * known[f"ak{k}"], abs=1e-4)
            assert row[f"intercept_{k}"] == pytest.approx(known[f"d{k}"], abs=1e-4)
            assert row[f"intercept_{k}_se"] == pytest.approx(errors[f"d{k}"], rel=1e-4)


@pytest.mark.parametrize("name", ["pcm", "rsm"])
def test_the_common_slope_is_the_spread_of_abilities(name, fits, values):
    group = values["1_science"][KEYS[name]]["mirt"]["items"]["GroupPars"]
    variance = fits[name].items["discrimination"] ** 2
    np.testing.assert_allclose(variance, group["par"]["COV_11"], atol=1e-4)
    error = 2 * fits[name].items["discrimination"] * fits[name].items["discrimination_se"]
    np.testing.assert_allclose(error, group["SE"]["COV_11"], rtol=1e-4)


def test_errors_of_common_thresholds_are_those_of_r(fits, values):
    published = values["1_science"]["rsm"]["mirt"]["items"]["Comfort"]["SE"]
    covariance = step_intercepts(fits["rsm"], 0)[1]
    given = np.sqrt(np.diagonal(covariance))
    np.testing.assert_allclose(given, [published[f"b{k}"] for k in (1, 2, 3)], rtol=1e-4)


@pytest.mark.parametrize("shift", [-1, 0, 9])
def test_categories_are_read_however_they_are_coded(shift, science, fits):
    recoded = ic.Responses.from_array((science.array() + shift) * 10, items=science.items)
    fit = ic.fit(recoded, "grm", prior=None)
    assert fit.log_likelihood == pytest.approx(fits["grm"].log_likelihood, abs=1e-9)


FORMATS = {
    "graded": "grm",
    "gpcm": "gpcm",
    "mixed": {
        "i0[1-4]": "2pl",
        "i0[56]": "grm",
        "i0[78]": "gpcm",
        "i09": "grm",
        "i10": "grm",
        "i1[12]": "gpcm",
    },
}


@pytest.mark.parametrize("key", FORMATS)
def test_items_of_different_lengths_and_missing_cells_are_those_of_r(key, shared_data, values):
    expected = values["2_mixed"][key]["mirt"]
    fit = ic.fit(read(shared_data, "mixed_400x12"), FORMATS[key], prior=None)
    assert fit.status is ic.FitStatus.CONVERGED
    assert fit.n_parameters == expected["npar"]
    assert fit.log_likelihood == pytest.approx(expected["logLik"], abs=1e-5)
    for place, item in enumerate(fit.responses.items):
        known, errors = expected["items"][item]["par"], expected["items"][item]["SE"]
        assert fit.items["discrimination"][place] == pytest.approx(known["a1"], abs=1e-4)
        error = fit.items["discrimination_se"][place]
        assert error == pytest.approx(errors["a1"], rel=1e-4)
        steps = len([name for name in known if name.startswith("d") and name != "d0"])
        wanted = [known["d"]] if "d" in known else [known[f"d{k}"] for k in range(1, steps + 1)]
        found = -known["a1"] * np.array(
            [fit.items[f"threshold_{k}"][place] for k in range(1, steps + 1)]
            if "d" not in known
            else [fit.items["difficulty"][place]]
        )
        added = np.cumsum(found) if "ak0" in known else found
        np.testing.assert_allclose(added, wanted, atol=3e-4)
