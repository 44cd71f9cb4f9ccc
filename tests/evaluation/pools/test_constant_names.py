"""Names of constant answers."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

import itemcurve as ic
from itemcurve.evaluation.pools.constant_names import constant_names, name_constants


def test_two_classes_keep_the_names_of_the_paper():
    pool = ic.pools.standard_classifiers()
    assert name_constants(pool, ["no", "yes"]) is pool
    assert constant_names(["no", "yes"]) == pool.names[-3:]


def test_more_classes_are_named_by_what_is_answered():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    fixed = dict(list(ic.pools.standard_classifiers())[-3:])
    found = ic.evaluate_classifiers({"bayes": GaussianNB(), **fixed}, X, names, cv=3)
    assert found.references == ("Constant 1/3", "Always 'virginica'", "Always 'setosa'")
    assert not any("check its settings" in note for note in found.notes)


def test_a_model_of_that_name_keeps_it():
    pool = {"Always positive": GaussianNB()}
    named = name_constants(ic.pools.standard_classifiers(), ["a", "b", "c"])
    assert named.names[-1] == "Always 'a'"
    X, y = load_iris(return_X_y=True)
    assert ic.evaluate_classifiers(pool, X, y, cv=3).responses.respondents[0] == "Always positive"
