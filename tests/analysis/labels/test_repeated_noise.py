"""Several cross-validations judge labels together."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import itemcurve as ic
from itemcurve.analysis.labels.label_audit import judge_labels
from itemcurve.analysis.labels.label_noise import find_label_noise
from itemcurve.analysis.labels.repeated_noise import join_noise
from itemcurve.analysis.metrics.usual_metrics import measure_by_labels
from itemcurve.errors import EvaluationError

POOL = {
    "bayes": GaussianNB(),
    "logistic": LogisticRegression(max_iter=500),
    "tree": DecisionTreeClassifier(random_state=0),
}


@pytest.fixture(scope="module", name="iris")
def iris_with_flips():
    X, y = load_iris(return_X_y=True)
    return X, ic.noise.flip_labels(y, 0.08, seed=3).values


@pytest.fixture(scope="module", name="thrice")
def evaluated_thrice(iris):
    return ic.evaluate_classifiers(POOL, *iris, cv=4, repeats=3)


def test_one_alone_stays_as_it_is():
    stated = np.array([[[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]])
    alone = find_label_noise(stated, np.array([0, 1, 1]))
    assert join_noise([alone]) is alone


def test_posteriors_are_geometric_means():
    stated = np.array([[[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]])
    one = find_label_noise(stated, np.array([0, 1, 1]))
    other = replace(one, posterior=one.posterior[:, ::-1].copy(), gain=one.gain + 2)
    both = join_noise([one, other])
    np.testing.assert_allclose(both.posterior, 0.5, atol=1e-9)
    np.testing.assert_allclose(both.pooled, one.pooled, atol=1e-9)
    assert both.gain == pytest.approx(one.gain + 1)
    assert both.each == (one, other)


def test_all_else_is_of_the_first_cross_validation(iris, thrice):
    once = ic.evaluate_classifiers(POOL, *iris, cv=4)
    np.testing.assert_array_equal(once.predictions.probabilities, thrice.predictions.probabilities)
    assert len(thrice.predictions.others) == 2
    assert thrice.settings["split"] == "cross-validation, 4 folds, 3 times, 150 rows"
    assert "Labels are judged by 3 cross-validations together" in " ".join(thrice.notes)
    assert "label_error_lowest" not in once.audit().frame()


def test_seeds_that_are_set_move_with_the_repetition(thrice):
    """A tree draws otherwise each time, also where its seed was given."""
    trees = [part[2] for part in (thrice.predictions.probabilities, *thrice.predictions.others)]
    assert not np.array_equal(trees[0], trees[1])
    assert not np.array_equal(trees[1], trees[2])


@pytest.mark.parametrize("noise_check", [True, False])
def test_the_audit_says_how_far_they_agree(thrice, noise_check):
    table = thrice.audit(noise_check=noise_check).frame()
    assert (table["label_error_lowest"] <= table["label_error_highest"]).all()
    between = table["label_error_probability"].between(
        table["label_error_lowest"] - 0.005, table["label_error_highest"] + 0.005
    )
    assert between.all()
    assert "in each" in str(thrice.audit())


def test_metrics_without_suspects_are_of_the_first_too(thrice):
    wrong = thrice.audit().label_error_probability
    table = measure_by_labels(thrice.predictions, np.arange(3), wrong > np.quantile(wrong, 0.9))
    assert (table["accuracy_without_suspects"] > table["accuracy_all"]).all()


def test_a_saved_evaluation_judges_as_before(thrice, tmp_path):
    thrice.save(tmp_path / "run")
    again = ic.load_evaluation(tmp_path / "run")
    np.testing.assert_allclose(
        again.audit().label_error_probability, thrice.audit().label_error_probability
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"cv": KFold(3), "repeats": 2}, "number of folds"),
        ({"cv": 3, "repeats": 0}, "1 or more"),
        ({"cv": 3, "repeats": True}, "1 or more"),
    ],
)
def test_what_cannot_be_repeated_is_refused_at_once(iris, settings, said):
    with pytest.raises(EvaluationError, match=said):
        ic.evaluate_classifiers(POOL, *iris, **settings)


def test_numbers_have_no_labels_to_judge():
    with pytest.raises(EvaluationError, match="Repetitions judge labels"):
        ic.evaluate_table("diabetes", cv=3, repeats=2)


def test_it_is_said_how_many_each_would_suspect_by_itself(thrice):
    counts = judge_labels(thrice.predictions).found_alone
    assert len(counts) == 3
    assert judge_labels(replace(thrice.predictions, others=())).found_alone == ()
