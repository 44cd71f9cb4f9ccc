"""What fit refuses and how it says it, held parameters, priors, status."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ConvergenceError, ConvergenceWarning, ModelError, ResponsesError

GOOD = ic.simulate("2pl", respondents=30, items=8, seed=0).responses
NAN = np.nan


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[1, 0, 1]], "at least 2 respondents and 2 items.*Got 1 × 3.*itemcurve.score"),
        ([[1], [0]], "Got 2 × 1"),
        ([[1, 0], [NAN, NAN], [1, 1]], "Every respondent needs.*'respondent_2'.*drop_empty"),
        ([[1, NAN], [0, NAN]], "Every item needs.*'item_2'.*drop_empty"),
        ([[1, 0.5], [0, 1]], "0 or 1.*Found 1 other.*0.5"),
        ([[1, 2], [0, 1]], "0 or 1.*Found 1 other.*2"),
        ([[1, -1], [0, 1]], "0 or 1.*-1"),
    ],
)
def test_responses_that_cannot_be_fitted_are_refused(array, message):
    with pytest.raises(ResponsesError, match=message):
        ic.fit(ic.Responses.from_array(array), "2pl")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "5pl"}, "one of rasch, 1pl, 2pl, 3pl, 4pl.*Got '5pl'"),
        ({"method": "magic"}, "must be one of marginal.*Got 'magic'"),
        ({"engine": "torch"}, "'numpy' or 'jax'.*Got 'torch'"),
        ({"prior": "strong"}, "must be 'default', None.*Got 'strong'"),
        ({"prior": {"slope": None}}, "has the parameters discrimination.*Got 'slope'"),
        ({"guessing": 1.5}, r"in \[0, 1\).*Got 1.5"),
        ({"guessing": 1.0}, r"in \[0, 1\).*Got 1.0"),
        ({"discrimination": 0.0}, "not 0.*Got 0.0"),
        ({"discrimination": ["a"] * 8}, "finite and not 0"),
        ({"discrimination": 1.0, "intercept": 0.0}, "at least one item parameter.*score"),
        ({"model": None}, "must be a name.*NoneType"),
        ({"method": 3}, "must be one of marginal"),
        ({"on_failure": "shrug"}, "'warn', 'raise' or 'ignore'"),
        (
            {"prior": {"guessing": ic.priors.Normal(0.2, 0.05)}, "model": "3pl"},
            "LogitNormal or Beta",
        ),
        (
            {"intercept": 1.0, "method": ic.Marginal(over="items")},
            "by difficulty, not by intercept.*over='respondents'",
        ),
        ({"guessing": "low"}, "must be a number.*Got 'low'"),
        ({"guessing": "positive"}, "must be a number.*Got 'positive'"),
        ({"guessing": [0.1, 0.2]}, "each of the 8 items.*Got 2"),
        ({"discrimination": NAN}, "must be finite"),
        ({"slope": 1.0}, "Got 'slope'"),
        ({"prior": None, "method": ic.Marginal(over="items")}, "proper prior.*discrimination"),
        (
            {"guessing": [0.2] * 8, "method": ic.Marginal(over="items")},
            "the same for all items.*over='respondents'",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        ic.fit(GOOD, **arguments)


def test_a_common_slope_that_is_freed_or_held_elsewhere_is_no_longer_common():
    freed = ic.fit(GOOD, "1pl", discrimination="free", prior=None, on_failure="ignore")
    assert freed.n_parameters == 16
    held = ic.fit(GOOD, "1pl", discrimination=2.0)
    np.testing.assert_allclose(held.items["discrimination"], 2.0)


def test_an_array_in_place_of_responses_is_refused_with_the_way_to_wrap_it():
    with pytest.raises(ResponsesError, match=r"Got ndarray.*from_array"):
        ic.fit(GOOD.array())


def test_a_fit_that_does_not_converge_says_so():
    impatient = ic.Marginal(max_iterations=1)
    with pytest.warns(ConvergenceWarning, match="iteration limit.*max_iterations"):
        fit = ic.fit(GOOD, "2pl", method=impatient)
    assert fit.status is ic.FitStatus.MAX_ITERATIONS
    assert not fit.status.is_converged
    with pytest.raises(ConvergenceError, match="must converge"):
        ic.fit(GOOD, "2pl", method=impatient, on_failure="raise")
    assert ic.fit(GOOD, "2pl", method=impatient, on_failure="ignore").status == fit.status


@pytest.mark.parametrize("setting", [{"discrimination": 1.0}, {"guessing": 0.25}])
def test_fixed_parameters_stay_where_they_were_put(setting):
    fit = ic.fit(GOOD, "3pl" if "guessing" in setting else "2pl", **setting)
    ((name, value),) = setting.items()
    np.testing.assert_allclose(fit.items[name], value)
    np.testing.assert_allclose(fit.items[f"{name}_se"], 0.0, atol=1e-12)


def test_one_guessing_level_per_item_is_kept():
    levels = np.linspace(0, 0.3, 8)
    fit = ic.fit(GOOD, "3pl", guessing=levels)
    np.testing.assert_allclose(fit.items["guessing"], levels)


def test_positive_discriminations_are_positive_even_for_reversed_items():
    truth = ic.simulate("2pl", respondents=300, items=10, seed=1)
    array = truth.responses.array()
    array[:, 0] = 1 - array[:, 0]
    responses = ic.Responses.from_array(array)
    assert ic.fit(responses, "2pl").items["discrimination"][0] < 0
    positive = ic.fit(responses, "2pl", discrimination="positive")
    assert (positive.items["discrimination"] > 0).all()


def test_priors_are_visible_in_the_result():
    fit = ic.fit(GOOD, "2pl")
    assert fit.settings["prior"]["discrimination"] == "Normal(mean=1.0, sd=1.0)"
    assert "log density of the items in their estimated population" in fit.objective
    plain = ic.fit(GOOD, "2pl", prior=None)
    assert plain.settings["prior"]["discrimination"] == "None"
    assert "prior" not in plain.objective


@pytest.mark.parametrize("model", ["rasch", "2pl"])
def test_without_priors_an_item_that_all_answer_alike_is_no_plain_success(model):
    values = ic.simulate(model, respondents=200, items=6, seed=1).responses.array().astype(float)
    values[:, 0] = 1.0
    method = ic.Marginal(over="respondents")
    bare = ic.fit(ic.Responses.from_array(values), model, prior=None, method=method)
    assert bare.status == "converged, but some items have no finite estimate: they stand at a bound"
    assert bare.status.is_converged
    if model == "2pl":
        usual = ic.fit(ic.Responses.from_array(values), model, method=method)
        assert usual.status == "converged"
