"""Rows in groups: a group that differs is no heap of wrong labels."""

import numpy as np
import pandas
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.reports.headline import answer_items
from itemcurve.reports.source import read_source

POOL = {
    "bayes": GaussianNB(),
    "logistic": LogisticRegression(),
    "shallow": DecisionTreeClassifier(max_depth=2, random_state=0),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}


def shifted():
    """Ten places of 40 rows; in one of them high means what low means elsewhere."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    place = np.repeat([f"place {k}" for k in range(10)], 40)
    y = np.where((X[:, 0] > 0) ^ (place == "place 7"), "yes", "no")
    return X, y, place


@pytest.fixture(scope="module", name="grouped")
def evaluated_by_groups():
    X, y, place = shifted()
    return ic.evaluate_classifiers(POOL, X, y, cv=LeaveOneGroupOut(), groups=place)


def test_no_label_of_a_group_held_out_is_suspect(grouped):
    audit = grouped.audit()
    assert not (audit.verdicts == "suspect label").any()
    assert np.isnan(audit.label_error_probability).all()
    assert audit.suspects().empty
    assert "Labels are not judged, because rows come in groups" in audit.say()
    assert "IRT006" not in str(grouped.findings())
    assert "IRT013" not in str(grouped.findings())
    assert "IRT018" not in str(grouped.findings())


def test_skill_is_the_share_right_by_the_given_labels(grouped):
    board = grouped.leaderboard().frame()
    np.testing.assert_allclose(board["skill"], board["accuracy"])
    np.testing.assert_allclose(board["brier_likely"], board["brier"])
    assert any("labels are not judged" in note for note in grouped.notes)


def test_who_disagrees_is_still_told(grouped):
    assert grouped.audit().frame()["dissenters"].ne("").any()


def test_labels_of_the_same_rows_are_judged_without_groups():
    X, y, _ = shifted()
    again = ic.evaluate_classifiers(POOL, X, y, cv=5)
    assert "not judged" not in again.audit().say()


def test_groups_of_one_row_each_are_no_groups():
    X, y, _ = shifted()
    alone = ic.evaluate_classifiers(POOL, X, y, cv=5, groups=np.arange(400))
    assert alone.audit().labels is not None


def test_a_saved_evaluation_judges_none_either(grouped, tmp_path):
    grouped.save(tmp_path / "run")
    again = ic.load_evaluation(tmp_path / "run")
    assert again.audit().say() == grouped.audit().say()
    pandas.testing.assert_frame_equal(
        again.leaderboard().frame(), grouped.leaderboard().frame(), check_dtype=False
    )
    tile = answer_items(read_source(tmp_path / "run"), {}, has_labels=False)
    assert (tile.question, tile.answer) == ("Which labels to check?", "Not judged")


def test_what_cannot_be_judged_is_refused_in_words(grouped):
    with pytest.raises(EvaluationError, match="Evaluate without groups"):
        ic.audit_labels(grouped.predictions)
    X, y, place = shifted()
    with pytest.raises(EvaluationError, match="Leave one of them out"):
        ic.evaluate_classifiers(POOL, X, y, cv=3, repeats=2, groups=place)
