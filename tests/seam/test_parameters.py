"""Names are for people; roles and masks are what methods see."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError
from itemcurve.models.catalogue import with_parameters


@dataclass(frozen=True)
class Renamed:
    """A model with every parameter and column under another name."""

    model: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.model, name)

    @property
    def parameters(self):
        return tuple(replace(s, name=f"my_{s.name}") for s in self.model.parameters)

    @property
    def columns(self):
        return {f"my_{name}": role for name, role in self.model.columns.items()}

    def report(self, values):
        return {f"my_{name}": column for name, column in self.model.report(values).items()}

    def population_form(self):
        return Renamed(self.model.population_form())


METHODS = {
    "over respondents": ic.Marginal(over="respondents"),
    "over items": ic.Marginal(over="items"),
    "joint": ic.Joint(),
    "variational": ic.Variational(),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["1pl", "2pl", "3pl", "beta3", "gamma", "fractional-beta3"])
def test_renaming_every_parameter_changes_no_fit(name, method):
    responses = ic.simulate(name, respondents=14, items=24, seed=4).responses
    plain = ic.fit(responses, name, method=METHODS[method], on_failure="ignore")
    other = ic.fit(
        responses, Renamed(ic.get_model(name)), method=METHODS[method], on_failure="ignore"
    )
    np.testing.assert_array_equal(other.estimates.values, plain.estimates.values)
    np.testing.assert_array_equal(other.estimates.abilities, plain.estimates.abilities)
    np.testing.assert_array_equal(other.estimates.covariance, plain.estimates.covariance)
    np.testing.assert_array_equal(other.slopes.errors, plain.slopes.errors)
    extras = {key.removeprefix("my_"): v for key, v in other.estimates.item_extras.items()}
    assert extras.keys() == plain.estimates.item_extras.keys()


@pytest.fixture(scope="module")
def truth():
    """Items whose parameters are known fix the scale; the others are estimated on it."""
    return ic.simulate("2pl", respondents=1500, items=20, seed=5)


@pytest.fixture(scope="module")
def held(truth):
    known = truth.values.copy()
    known[8:] = np.nan
    return {"discrimination": known[:, 0], "intercept": known[:, 1]}


@pytest.mark.parametrize(
    ("method", "prior"),
    [("over respondents", "default"), ("over respondents", None), ("joint", "default")],
)
def test_new_items_come_out_on_the_scale_of_the_anchors(truth, held, method, prior):
    # These respondents are abler and more alike than those the anchors were calibrated on.
    rng = np.random.default_rng(0)
    abilities = 0.8 + 0.7 * rng.normal(size=1500)
    slope, intercept = truth.values[:, 0], truth.values[:, 1]
    chance = 1 / (1 + np.exp(-(abilities[:, None] * slope + intercept)))
    responses = ic.Responses.from_array((rng.random(chance.shape) < chance).astype(float))
    fit = ic.fit(responses, "2pl", method=METHODS[method], prior=prior, **held)
    assert fit.status.is_converged
    np.testing.assert_array_equal(fit.estimates.values[:8, :2], truth.values[:8, :2])
    assert (fit.items["discrimination_se"][:8] == 0).all()
    assert (fit.items["discrimination_se"][8:] > 0).all()
    new = fit.items["difficulty"][8:] - ic.get_model("2pl").location(truth.values)[8:]
    assert abs(new.mean()) < (0.15 if method == "joint" else 0.08)
    assert abs(fit.estimates.abilities.mean() - 0.8) < (0.25 if method == "joint" else 0.08)
    if method == "over respondents":
        assert fit.estimates.population["ability_sd"] == pytest.approx(0.7, abs=0.08)


def test_only_what_is_free_counts_as_a_parameter(truth, held):
    fit = ic.fit(truth.responses, "2pl", prior=None, **held)
    # Twelve items of two parameters, and the mean and spread of abilities.
    assert fit.n_parameters == 12 * 2 + 2


def test_all_held_but_one_is_the_likelihood_of_that_one(truth):
    """Against a search over the one item's parameters with everything else known."""
    values = truth.values[:, :2].copy()
    values[0] = np.nan
    held = {"discrimination": values[:, 0], "intercept": values[:, 1]}
    fit = ic.fit(truth.responses, "2pl", prior=None, **held)
    gap = (fit.estimates.values[0, :2] - truth.values[0, :2]) / np.sqrt(
        np.diagonal(fit.estimates.covariance[0])
    )
    assert (np.abs(gap) < 4).all()


@pytest.mark.parametrize("method", ["over items", "variational"])
def test_methods_that_cannot_hold_some_items_say_so(truth, held, method):
    with pytest.raises(ModelError, match="held"):
        ic.fit(truth.responses, "2pl", method=METHODS[method], **held)


def test_a_saved_fit_keeps_what_was_held(truth, held, tmp_path):
    fit = ic.fit(truth.responses, "2pl", **held)
    fit.save(tmp_path / "run")
    again = ic.load(tmp_path / "run")
    assert again.estimates.model == fit.estimates.model


def test_a_parameter_may_not_be_held_at_the_end_of_its_range_for_some(truth):
    some = np.full(20, np.nan)
    some[0] = 0.0
    with pytest.raises(ModelError, match="off the ends"):
        ic.fit(truth.responses, "3pl", guessing=some)


def test_one_free_entry_less_is_no_other_model():
    model = ic.get_model("2pl", discrimination=[1.0, np.nan])
    assert with_parameters(model, model.parameters) == model
