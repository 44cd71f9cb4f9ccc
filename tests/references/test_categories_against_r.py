"""Models of categories against R mirt and a direct maximisation, on data whose fits are known.

`reference_values2.json` in the data folder holds the values with their sources, and REFERENCE2.md
beside it says which of them two programs agree on. Its tolerances are those here.
"""

import json

import numpy as np
import pytest
from scipy.optimize import minimize

import itemcurve as ic

KEYS = {
    "grm": "graded",
    "gpcm": "gpcm",
    "pcm": "Rasch",
    "rsm": "rsm",
    "sequential": "sequential",
}
# Where R mirt stopped before its maximum: how far its values lie from it. The maximisation below,
# which shares no code with this package, says how far. Elsewhere both agree to 1e-5.
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


def partial_credit(parameters: np.ndarray, scores: np.ndarray, nodes: np.ndarray) -> float:
    """Negative marginal log-likelihood of partial credit: steps of four items, then log sd."""
    steps, spread = parameters[:-1].reshape(4, 3), np.exp(parameters[-1])
    weights = np.exp(-(nodes**2) / 2)
    log_cells = np.zeros((len(scores), len(nodes)))
    for item, own in enumerate(steps):
        heights = np.concatenate([[0.0], np.cumsum(own)])
        logits = np.arange(4)[:, None] * spread * nodes + heights[:, None]
        log_cells += (logits - np.log(np.exp(logits).sum(axis=0)))[scores[:, item]]
    return float(-np.log(np.exp(log_cells) @ weights / weights.sum()).sum())


def test_partial_credit_is_the_maximum_that_r_stopped_short_of(fits, science, values):
    published = values["1_science"]["Rasch"]
    scores, nodes = (science.array() - 1).astype(int), np.linspace(-8, 8, 121)
    items, fit = published["mirt"]["items"], fits["pcm"]
    sums = np.array([[items[i]["par"][f"d{k}"] for k in (1, 2, 3)] for i in science.items])
    start = np.diff(sums, axis=1, prepend=0.0).ravel()
    start = np.append(start, 0.5 * np.log(items["GroupPars"]["par"]["COV_11"]))
    best = minimize(partial_credit, start, (scores, nodes), options={"gtol": 1e-4})
    assert best.fun < partial_credit(start, scores, nodes)
    assert -best.fun == pytest.approx(published["own"]["logLik"], abs=1e-6)
    found = np.concatenate([step_intercepts(fit, place)[0] for place in range(4)])
    np.testing.assert_allclose(found, best.x[:-1], atol=1e-4)
    assert fit.items["discrimination"][0] == pytest.approx(np.exp(best.x[-1]), abs=1e-4)


def test_science_has_the_common_thresholds_of_r(science, values):
    published = values["1_science"]["grsm"]
    fit = ic.fit(science, "grsm", prior=None)
    assert fit.n_parameters == published["mirt"]["npar"]
    assert fit.log_likelihood == pytest.approx(published["own"]["logLik"], abs=1e-5)
    for place, item in enumerate(fit.responses.items):
        known, errors = (published["mirt"]["items"][item][what] for what in ("par", "SE"))
        row = fit.items.loc[place]
        assert row["discrimination"] == pytest.approx(known["a1"], abs=1e-4)
        assert row["discrimination_se"] == pytest.approx(errors["a1"], rel=1e-4)
        for k in (1, 2, 3):
            assert row[f"threshold_{k}"] == pytest.approx(-known[f"b{k}"] - known["c"], abs=1e-4)
    for k in (1, 2, 3):
        # Of the first item alone a threshold is one of R's parameters.
        error = published["mirt"]["items"]["Comfort"]["SE"][f"b{k}"]
        assert fit.items[f"threshold_{k}_se"][0] == pytest.approx(error, rel=1e-4)


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
        found = -fit.items["discrimination"][place] * np.array(
            [fit.items[f"threshold_{k}"][place] for k in range(1, steps + 1)]
            if "d" not in known
            else [fit.items["difficulty"][place]]
        )
        added = np.cumsum(found) if "ak0" in known else found
        np.testing.assert_allclose(added, wanted, atol=1e-4)


SCORED = {"grm": "graded", "gpcm": "gpcm", "pcm": "rasch"}


@pytest.fixture(params=SCORED)
def scored(request, fits, values, shared_data):
    """A fit of Science, what R mirt says of it, its scores, and the unit of its abilities."""
    published = values["1_science"][KEYS[request.param]]["mirt"]
    path = shared_data / "reference" / f"science_scores_{SCORED[request.param]}.csv"
    scores = np.genfromtxt(path, delimiter=",", names=True)
    unit = np.sqrt(published["items"]["GroupPars"]["par"]["COV_11"])
    return fits[request.param], published, scores, unit


@pytest.mark.parametrize("method", ["eap", "map", "ml", "wle"])
def test_scores_of_science_are_those_of_r(method, scored):
    fit, _, expected, unit = scored
    found = ic.score(fit.bank, fit.responses, method=method)
    known = expected[method.upper()]
    np.testing.assert_array_equal(np.isfinite(known), np.isfinite(found.ability))
    finite = np.isfinite(known)
    np.testing.assert_allclose(found.ability[finite] * unit, known[finite], atol=1e-4)
    if method != "wle":
        # R mirt's error of WLE is another quantity than 1/√I.
        errors = expected[f"{method.upper()}_se"][finite]
        np.testing.assert_allclose(found.ability_se[finite] * unit, errors, atol=2e-4)


def test_fit_of_science_is_that_of_r(scored):
    fit, published, expected, unit = scored
    found, known = ic.item_fit(fit), published["item_fit"]
    np.testing.assert_allclose(found.infit, known["infit"], atol=2e-5)
    np.testing.assert_allclose(found.outfit, known["outfit"], atol=2e-5)
    assert found.test == "S-X²"
    np.testing.assert_array_equal(found.degrees_of_freedom, published["S_X2"]["df.S_X2"])
    # Parameters agree to 1e-5, of which the statistic takes ten times as much.
    np.testing.assert_allclose(found.statistic, published["S_X2"]["S_X2"], atol=5e-4)
    people = ic.person_fit(fit)
    np.testing.assert_allclose(people.zh, expected["Zh"], atol=2e-4)
    np.testing.assert_allclose(people.infit, expected["infit"], atol=3e-4, rtol=1e-4)
    np.testing.assert_allclose(people.outfit, expected["outfit"], atol=3e-4, rtol=1e-4)
    np.testing.assert_allclose(people.item_zh, known["Zh"], atol=1e-3)
    pairs = ic.local_dependence(fit, pairs=6).frame()
    items = list(fit.responses.items)
    for _, pair in pairs.iterrows():
        q3 = published["Q3"][items.index(pair["item"])][items.index(pair["other_item"])]
        assert pair["q3"] == pytest.approx(q3, abs=2e-5)
    at = np.array(published["testinfo_at"]) / unit
    information = fit.information(at).sum(axis=1) / unit**2
    np.testing.assert_allclose(information, published["testinfo"], atol=1e-4)
    # R mirt divides the variance of abilities by one respondent less.
    odds = published["empirical_rxx"] / (1 - published["empirical_rxx"]) * 391 / 392
    assert ic.ranking(fit).reliability == pytest.approx(odds / (1 + odds), abs=1e-5)
