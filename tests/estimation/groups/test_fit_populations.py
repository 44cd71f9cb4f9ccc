"""Fits of several populations, as a user calls them."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.groups import Groups


@pytest.fixture(scope="module")
def simulated():
    """The second group is abler by .8 and half as varied again."""
    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], (400, 300))
    abilities = np.where(group, 0.8 + 1.5 * rng.normal(size=700), rng.normal(size=700))
    slopes, difficulties = np.exp(0.3 * rng.normal(size=12)), rng.normal(size=12)
    chance = 1 / (1 + np.exp(-slopes * (abilities[:, None] - difficulties)))
    observed = (rng.random(chance.shape) < chance).astype(float)
    observed[rng.random(observed.shape) < 0.1] = np.nan
    responses = ic.Responses.from_array(observed, items=[f"q{k}" for k in range(12)])
    return responses, np.where(group, "new", "old"), abilities, difficulties


def test_groups_are_found_on_the_scale_of_the_reference(simulated):
    responses, labels, abilities, difficulties = simulated
    fit = ic.fit(responses, "2pl", groups=labels)
    assert fit.status.is_converged
    table = fit.groups.set_index("group")
    assert table.loc["old", ["mean", "sd"]].tolist() == pytest.approx([0.0, 1.0])
    assert abs(table.loc["new", "mean"] - 0.8) < 3 * table.loc["new", "mean_se"]
    assert abs(table.loc["new", "sd"] - 1.5) < 3 * table.loc["new", "sd_se"]
    assert np.corrcoef(fit.respondents["ability"], abilities)[0, 1] > 0.8
    assert np.corrcoef(fit.items["difficulty"], difficulties)[0, 1] > 0.97


def test_the_other_reference_turns_means_round(simulated):
    responses, labels, *_ = simulated
    fit = ic.fit(responses, "2pl", groups=labels, prior=None)
    other = ic.fit(responses, "2pl", groups=Groups(labels, reference="new"), prior=None)
    assert other.log_likelihood == pytest.approx(fit.log_likelihood, abs=1e-5)
    mean, sd = fit.groups.loc[1, ["mean", "sd"]]
    assert other.groups.loc[1, "mean"] == pytest.approx(-mean / sd, abs=1e-3)
    assert other.groups.loc[1, "sd"] == pytest.approx(1 / sd, abs=1e-3)


def test_less_that_is_equal_fits_better(simulated):
    responses, labels, *_ = simulated
    ladder = [("slopes", "intercepts", "means", "variances"), ("slopes", "intercepts")]
    ladder += [("slopes",), ()]
    fits = [ic.fit(responses, "2pl", groups=labels, equal=e, prior=None) for e in ladder]
    heights = [fit.log_likelihood for fit in fits]
    assert heights == sorted(heights)
    assert [fit.n_parameters for fit in fits] == [24, 26, 37, 48]
    whole = ic.fit(responses, "2pl", prior=None)
    assert fits[0].log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-5)


def test_a_group_has_a_bank_of_its_own(simulated):
    responses, labels, *_ = simulated
    fit = ic.fit(responses, "2pl", groups=Groups(labels, free=["q3"]))
    first, second = fit.bank, fit.bank_of("new")
    assert first.items == second.items == responses.items
    gap = np.abs(first.expected_response([0.0]) - second.expected_response([0.0]))[0]
    assert np.flatnonzero(gap > 1e-12).tolist() == [3]
    assert second.ability_mean == pytest.approx(fit.groups.loc[1, "mean"])
    with pytest.raises(ModelError, match="one of the groups"):
        fit.bank_of("newest")


def test_covariates_find_what_was_put_in(simulated):
    responses, labels, abilities, _ = simulated
    table = pandas.DataFrame({"respondent": responses.respondents, "family": labels})
    fit = ic.fit(responses, "2pl", covariates=table.sample(frac=1.0, random_state=1))
    row = fit.coefficients.iloc[0]
    assert row["term"] == "family[new]" or row["term"] == "family[old]"
    sign = 1.0 if row["term"] == "family[new]" else -1.0
    new, old = abilities[labels == "new"], abilities[labels == "old"]
    # In units of what the covariate leaves unexplained.
    unit = np.sqrt((300 * new.var() + 400 * old.var()) / 700)
    truth = (new.mean() - old.mean()) / unit
    assert abs(sign * row["estimate"] - truth) < 2.5 * row["se"]
    assert row["lower"] < row["estimate"] < row["upper"]


def test_anchors_put_a_new_form_on_the_old_scale(simulated):
    responses, labels, *_ = simulated
    old = responses.take(np.flatnonzero(labels == "old").tolist())
    new = responses.take(np.flatnonzero(labels == "new").tolist())
    bank = ic.fit(old, "2pl").bank.select([f"q{k}" for k in range(8)])
    fit = ic.fit(new, "2pl", anchors=bank)
    assert fit.groups.loc[0, "mean"] == pytest.approx(0.8, abs=0.3)
    assert fit.groups.loc[0, "sd"] == pytest.approx(1.5, abs=0.3)
    known = bank.expected_response([0.0, 1.0])
    np.testing.assert_allclose(fit.bank.select(bank.items).expected_response([0.0, 1.0]), known)


def test_ratings_have_groups_too():
    truth = ic.simulate("grm", respondents=300, items=6, seed=2)
    fit = ic.fit(truth.responses, "grm", groups=["a", "b"] * 150)
    assert fit.status.is_converged
    assert abs(fit.groups.loc[1, "mean"]) < 3.5 * fit.groups.loc[1, "mean_se"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"groups": ["a"] * 10}, "Got 10 labels for 700"),
        ({"groups": ["a"] * 700}, "All are of 'a'"),
        ({"groups": "family"}, "Got the text"),
        ({"groups": ["a"] * 699 + ["b"]}, "'b' has 1"),
        ({"groups": ["a"] * 699 + [None]}, "missing"),
        ({"groups": ["a", "b"] * 350, "equal": ("slope",)}, "Got 'slope'"),
        ({"groups": Groups(["a", "b"] * 350, free="z*")}, "matches none"),
        ({"groups": Groups(["a", "b"] * 350, reference="c")}, "Got 'c'"),
        ({"groups": {"0": "a"}}, "700 of 700 have none"),
        ({"covariates": {"x": [1.0] * 700}}, "same for all"),
        ({"covariates": {"x": range(699)}}, "699 rows"),
        ({"covariates": {"x": range(700), "y": range(0, 1400, 2)}}, "sum of multiples"),
        ({"anchors": "bank"}, "Got str"),
        ({"groups": ["a", "b"] * 350, "method": "joint"}, "Joint"),
    ],
)
def test_wrong_settings_are_refused_in_words(simulated, settings, words):
    with pytest.raises((ModelError, ResponsesError), match=words):
        ic.fit(simulated[0], "2pl", **settings)
