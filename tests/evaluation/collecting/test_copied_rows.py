"""Copies of rows on both sides of a split."""

import numpy as np
import pandas
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

import itemcurve as ic
from itemcurve.evaluation.collecting.copied_rows import number_copies

POOL = {"memory": KNeighborsClassifier(1), "line": LogisticRegression()}


def copied(n: int = 150, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Labels that nothing foretells, and every row twice."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 4)), rng.integers(0, 2, n)
    return np.concatenate([X, X]), np.concatenate([y, y])


def test_who_remembers_copies_is_not_rewarded_for_it():
    X, y = copied()
    evaluation = ic.evaluate_classifiers(POOL, X, y, cv=5, progress=False)
    accuracy = evaluation.leaderboard().frame().set_index("respondent")["accuracy"]
    assert accuracy["memory"] < 0.62
    assert any("150 of 300 rows are exact copies" in note for note in evaluation.notes)
    assert any("trained on its copy" in note for note in evaluation.notes)


def test_a_split_of_ones_own_is_kept_and_warned_about():
    X, y = copied()
    split = KFold(5, shuffle=True, random_state=0)
    evaluation = ic.evaluate_classifiers(POOL, X, y, cv=split, progress=False)
    accuracy = evaluation.leaderboard().frame().set_index("respondent")["accuracy"]
    assert accuracy["memory"] > 0.75
    assert any("models that memorise look better" in note for note in evaluation.notes)


def test_a_table_held_out_has_no_copies_on_both_sides():
    X, y = copied()
    table = pandas.DataFrame(X, columns=list("abcd")).assign(y=y)
    evaluation = ic.evaluate_table(table, "y", pool=POOL, task="classification", progress=False)
    accuracy = evaluation.leaderboard().frame().set_index("respondent")["accuracy"]
    assert accuracy["memory"] < 0.68
    assert any("exact copies" in note for note in evaluation.notes)


def test_rows_alike_by_chance_are_no_copies():
    rng = np.random.default_rng(1)
    assert number_copies(rng.integers(0, 2, (400, 10))) is None
    forms = pandas.DataFrame({"sex": rng.choice(["f", "m"], 300), "age": rng.integers(18, 80, 300)})
    assert number_copies(pandas.concat([forms, forms])) is None
    assert number_copies(["the same text"] * 5) is None
