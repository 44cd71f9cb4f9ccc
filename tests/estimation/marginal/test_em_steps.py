"""A whole step is one program: compiled once, and hardly anything of it is read."""

from dataclasses import replace

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.estimation.marginal import em_steps
from itemcurve.estimation.marginal.em_newton import can_newton, evaluate, marginal_gradient
from itemcurve.estimation.marginal.em_steps import Looker, WholeSteps, is_one_program
from itemcurve.estimation.marginal.over_respondents.respondent_problem import RespondentProblem
from itemcurve.estimation.optimisation.iterate import iterate
from itemcurve.models.free_coordinates import coordinates_of
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, get_engine

RESPONDENTS, ITEMS = 60, 450


def problem_of(engine, model="2pl", **settings):
    model = ic.get_model(model, **settings)
    responses = ic.simulate(model, respondents=RESPONDENTS, items=ITEMS, seed=2).responses
    start = start_values(model, responses)
    built = RespondentProblem.build(Likelihood(model), responses, start, engine)
    return built, coordinates_of(model, start), built.marginal.population.start()


class Counted:
    """Units that count how often all of them are gone through."""

    def __init__(self, units):
        self.units, self.count, self.totals = units, units.count, 0

    def each(self, step, *arrays):
        return self.units.each(step, *arrays)

    def total(self, step, *arrays):
        self.totals += 1
        return self.units.total(step, *arrays)


class Reader:
    """NumPy that notes the sizes of what it is asked to read."""

    def __init__(self):
        self.sizes = []

    def __getattr__(self, name):
        return getattr(np, name)

    def asarray(self, array):
        self.sizes.append(np.size(array))
        return np.asarray(array)


def test_a_look_sees_what_single_steps_see():
    built, x, state = problem_of(NUMPY)
    look = Looker(built.marginal, built.standardise, is_mixed=True).at(x, state)
    point = evaluate(built.marginal, x, state)
    assert look.objective == pytest.approx(point.objective, rel=1e-14)
    gradient = marginal_gradient(built.marginal, point)
    there = evaluate(built.marginal, *look.onward.plain)
    assert there.objective > point.objective
    # The promise of the step is that of the gradient of the objective.
    step = np.concatenate([(look.onward.plain[0] - x).ravel(), look.onward.plain[1] - state])
    assert look.decrement == pytest.approx(gradient @ step, rel=0.3)


def test_every_look_goes_through_the_units_once():
    built, x, state = problem_of(NUMPY)
    units = Counted(built.marginal.units)
    marginal = replace(built.marginal, units=units)
    assert is_one_program(marginal)
    assert not can_newton(marginal)
    steps = WholeSteps(marginal, built.standardise, 1e-7 * x.size)
    optimum = iterate(steps, (x, state), max_iterations=50)
    # No step was refused: one look at the start, one at each point after it.
    assert units.totals == optimum.iterations + 1


@pytest.mark.slow
def test_steps_are_compiled_once_and_little_is_read(monkeypatch):
    jax = pytest.importorskip("jax")
    engine, reader = get_engine("jax"), Reader()
    monkeypatch.setattr(em_steps, "np", reader)
    with engine.double_precision():
        built, x, state = problem_of(engine)
        looker = Looker(built.marginal, built.standardise, is_mixed=True)
        look = looker.at(x, state)
        reader.sizes.clear()
        compiled = engine.compile(em_steps.look, static=("engine", "plan"))
        before = compiled._cache_size()
        # Nothing goes to the device any more, and four numbers of each look come back.
        with jax.transfer_guard_host_to_device("disallow"):
            for _ in range(3):
                look = looker.at(*look.onward.bold, look.onward.trail)
        assert compiled._cache_size() == before
        assert reader.sizes == [4, 4, 4]
        # Other numbers of the priors are no other program.
        priors = (Normal(0.8, 0.7), *built.marginal.priors[1:])
        moved = replace(built.marginal, priors=priors)
        other = Looker(moved, built.standardise, is_mixed=True).at(x, state)
        assert compiled._cache_size() == before
    assert other.objective != pytest.approx(look.objective, abs=1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "settings"),
    [("2pl", {}), ("3pl", {}), ("fractional-beta3", {}), ("2pl", {"discrimination": "positive"})],
)
def test_both_engines_take_the_same_steps(model, settings):
    pytest.importorskip("jax")
    found = []
    for engine in (NUMPY, get_engine("jax")):
        with engine.double_precision():
            built, x, state = problem_of(engine, model, **settings)
            looker = Looker(built.marginal, built.standardise, is_mixed=True)
            look = looker.at(x, state)
            for _ in range(3):
                look = looker.at(*look.onward.bold, look.onward.trail)
        found.append((look.objective, look.decrement, *map(np.asarray, look.place)))
    for own, other in zip(*found, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-8, atol=1e-8)
