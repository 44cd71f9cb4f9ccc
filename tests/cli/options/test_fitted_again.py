"""Responses of runs are read as what they are; tables of features raise a doubt."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import itemcurve as ic
from itemcurve.cli.options.fitted_again import (
    check_run_responses,
    describe_responses,
    doubt_features,
)
from itemcurve.errors import ModelError


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """A run of skills."""
    X = np.random.default_rng(1).normal(size=(80, 3))
    path = tmp_path_factory.mktemp("runs") / "scores"
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    ic.evaluate_classifiers(models, X, X[:, 0] > 0, cv=3).save(path)
    return path


def test_scores_are_not_taken_for_errors(scores):
    with pytest.raises(ModelError, match=r"gamma is for errors.*has scores"):
        check_run_responses(scores, ic.get_model("gamma"), None)
    with pytest.raises(ModelError, match="--by-beta3 is for errors"):
        check_run_responses(scores, ic.get_model("beta3"), 1.0)
    check_run_responses(scores, ic.get_model("beta3"), None)


def test_errors_are_not_taken_for_scores(tmp_path):
    errors = ic.simulate("gamma", respondents=8, items=20, seed=1).responses
    ic.fit(errors, "rasch-errors").save(tmp_path / "errors")
    with pytest.raises(ModelError, match=r"beta3 is for scores.*has errors"):
        check_run_responses(tmp_path / "errors", ic.get_model("beta3"), None)
    check_run_responses(tmp_path / "errors", ic.get_model("beta3"), 1.0)
    check_run_responses(tmp_path / "errors", ic.get_model("gamma"), None)
    assert describe_responses(tmp_path / "errors") is None


def test_files_are_taken_at_their_word(tmp_path):
    check_run_responses(tmp_path / "responses.csv", ic.get_model("gamma"), None)
    assert describe_responses(tmp_path / "responses.csv") is None


def test_an_evaluation_says_what_its_responses_are(scores, command, tmp_path):
    assert "skill, by which evaluate ranks" in describe_responses(scores)
    done = command("fit", scores, "--model", "beta3")
    assert "evaluate --model beta3" in done.err
    refused = command("fit", scores, "--model", "gamma", "--by-beta3", 1)
    assert (refused.code, "upside down" in refused.err) == (2, True)
    none = command("fit", tmp_path / "nowhere")
    assert (none.code, "must exist" in none.err) == (2, True)
    wrong = command("fit", scores, "--model", "gamma", "--by-beta3", 0)
    assert (wrong.code, "SIZE of --by-beta3" in wrong.err) == (2, True)


def test_a_target_among_the_items_raises_a_doubt(tmp_path, command):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.gamma(2.0, size=(30, 4)), columns=["age", "bmi", "bp", "target"])
    frame.to_csv(tmp_path / "features.csv", index=False)
    responses = ic.Responses.read(tmp_path / "features.csv")
    assert "'target' has the name of a target" in doubt_features(responses)
    assert doubt_features(ic.simulate("2pl", respondents=5, items=4, seed=1).responses) is None
    done = command("fit", tmp_path / "features.csv", "--model", "gamma", "--by-beta3", 1)
    assert "itemcurve evaluate" in done.err


def test_a_new_order_is_put_beside_skill(scores, command):
    done = command("fit", scores, "--model", "fractional-2pl")
    assert "Beside the skill of models" not in done.err
    X = np.random.default_rng(4).normal(size=(150, 3))
    y = X[:, 0] + 0.3 * X[:, 1] > 0
    models = {
        "bayes": GaussianNB(),
        "deep": DecisionTreeClassifier(random_state=0),
        "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
        "shallow": DecisionTreeClassifier(max_depth=2, random_state=0),
    }
    run = scores.parent / "four"
    ic.evaluate_classifiers(models, X, y, cv=3).save(run)
    done = command("fit", run, "--model", "fractional-1pl")
    best = ic.load_evaluation(run).leaderboard().respondents[0]
    assert f"Beside the skill of models in {run}: rank correlation" in done.err
    assert f"Best there is {best} (0." in done.err
    assert "Beside" not in command("fit", run, "--model", "fractional-1pl", "--quiet").err
