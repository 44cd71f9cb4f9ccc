"""What cannot be is refused before anything is trained, however it is asked for."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import make_moons
from sklearn.linear_model import LinearRegression

import itemcurve as ic
from itemcurve.cli.main import run
from itemcurve.errors import ItemcurveError
from itemcurve.evaluation.collecting import answer_collection
from itemcurve.evaluation.difficulty.table_robustness import measure_table_robustness


@pytest.fixture(autouse=True)
def _nothing_is_trained(monkeypatch):
    """All trainings go through here; one would be an error of another kind."""

    def train(tasks, n_jobs):
        raise AssertionError("something was trained")

    monkeypatch.setattr(answer_collection, "run_tasks", train)


@pytest.fixture(scope="module")
def table():
    X, y = make_moons(60, noise=0.3, random_state=0)
    return pandas.DataFrame(X, columns=["x", "y"]).assign(target=np.where(y, "up", "down"))


def test_the_guard_sees_a_training(moons, few, table):
    with pytest.raises(AssertionError, match="trained"):
        ic.evaluate_classifiers(few, *moons)
    with pytest.raises(AssertionError, match="trained"):
        measure_table_robustness(table)


SETTINGS = [
    ({"response": "mood"}, "The response must be one of"),
    ({"model": "5pl"}, "The model must be one of"),
    ({"method": "guess"}, "The method must be one of"),
    ({"engine": "abacus"}, "abacus"),
    ({"prior": "strong"}, "prior must be"),
    ({"boundary": "wall"}, "wall"),
    ({"on_failure": "cry"}, "on_failure must be"),
    ({"discrimnation": 1.0}, "discrimnation"),
    ({"items": ["a", "b"]}, "item"),
    ({"prepare": "perhaps"}, "prepare must be"),
    ({"n_jobs": 0}, "number of processes"),
]


@pytest.mark.parametrize(("wrong", "said"), SETTINGS)
@pytest.mark.parametrize("model", [None, "named"])
def test_settings_of_an_evaluation(moons, few, line, wrong, said, model):
    chosen = {} if model is None else {"model": "fractional-2pl"}
    with pytest.raises(ItemcurveError, match=said):
        ic.evaluate_classifiers(few, *moons, **{**chosen, **wrong})
    chosen = {} if model is None else {"model": "gamma"}
    with pytest.raises(ItemcurveError, match=said):
        ic.evaluate_regressors([LinearRegression()], *line, **{**chosen, **wrong})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pool": "foo"}, "The pool must be 'standard', 'families'"),
        ({"pool": "random:many"}, "The pool must be"),
        ({"pool": "families", "task": "regression"}, "The pool must be"),
        ({"task": "guessing"}, "task must be"),
        ({"test_share": 2.0}, "share of rows"),
        ({"method": "guess"}, "The method must be one of"),
    ],
)
def test_settings_of_a_table(table, wrong, said):
    with pytest.raises(ItemcurveError, match=said):
        ic.evaluate_table(table, **wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"models": "foo"}, "The pool must be 'standard', 'families'"),
        ({"pool": "foo"}, "The pool must be 'standard', 'families'"),
        ({"models": ic.pools.standard_regressors()}, "must be classifiers"),
        ({"noise": -1.0}, "level of noise"),
        ({"shares": (0.0, 2.0)}, "Shares of noisy instances"),
        ({"bins": 61}, "between 2 and the 60 instances"),
        ({"cv": 1}, "cv must be"),
        ({"model": "4pl"}, "Difficulties come from one of"),
    ],
)
def test_settings_of_robustness(table, wrong, said):
    with pytest.raises(ItemcurveError, match=said):
        measure_table_robustness(table, **wrong)


def test_settings_of_difficulty_and_of_noise(moons, few):
    with pytest.raises(ItemcurveError, match="guesing"):
        ic.robustness.estimate_difficulty(moons.X_train, moons.y_train, few, guesing=0.2)
    with pytest.raises(ItemcurveError, match="the share that is flipped, from 0 to 1"):
        ic.noise.noise_sweep(few, *moons, levels=(0.0, 1.5))
    with pytest.raises(ItemcurveError, match="noise in features is in standard deviations, from 0"):
        ic.noise.noise_sweep(few, *moons, kind="features", levels=(0.0, -0.1))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("robustness", "iris", "--models", "foo"), "'families'"),
        (("robustness", "iris", "--pool", "foo"), "'families'"),
        (("robustness", "iris", "--noise", "-1"), "level of noise"),
        (("robustness", "iris", "--bins", "151"), "between 2 and the 150"),
        (("evaluate", "iris", "--pool", "foo"), "'families'"),
        (("evaluate", "iris", "--model", "5pl"), "The model must be one of"),
        (("evaluate", "iris", "--response", "mood"), "The response must be one of"),
        (("evaluate", "iris", "--fdr", "3"), "3"),
        (("evaluate", "diabetes", "--flip-labels", "0.2"), "--flip-labels needs classes"),
        (("evaluate", "iris", "--flip-labels", "0.2", "--target", "no"), "'no' is none of them"),
    ],
)
def test_arguments_of_commands(capfd, arguments, said):
    assert run(arguments) == 2
    told = capfd.readouterr().err
    assert said in told
    assert told.count("\n") == 1
