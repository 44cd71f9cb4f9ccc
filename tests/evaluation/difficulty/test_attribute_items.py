"""Attributes as items."""

import numpy as np
import pandas
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.difficulty.attribute_items import AS_IT_IS, measure_attributes

MODELS = {
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(9),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}


def draw(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    table = pandas.DataFrame(rng.normal(size=(rows, 3)), columns=["much", "some", "none"])
    score = 3 * table["much"] + table["some"] + 0.5 * rng.normal(size=rows)
    return table, np.where(score > 0, "yes", "no")


def test_needed_attributes_come_first_and_the_others_cost_nothing():
    found = measure_attributes(MODELS, *draw())
    table = found.frame().set_index("attribute")
    assert table.index.tolist() == ["much", "some", "none"]
    assert table.loc["much", "lower"] > 0.2
    assert table.loc["some", "loss"] > 0.02
    assert abs(table.loc["none", "loss"]) < 0.02
    assert (found.accuracy > 0.8).all()
    assert found.fit.items["item"].tolist() == [AS_IT_IS, "much", "some", "none"]
    difficulty = found.fit.items.set_index("item")["mean_response"]
    assert difficulty["much"] < difficulty["some"] < difficulty[AS_IT_IS] + 1e-9


def test_arrays_give_what_tables_give():
    table, labels = draw()
    first = measure_attributes(MODELS, table, labels)
    second = measure_attributes(MODELS, table.to_numpy(), labels)
    np.testing.assert_allclose(second.scrambled, first.scrambled)
    assert second.attributes == ("x0", "x1", "x2")


def test_text_and_gaps_are_scrambled_as_they_are():
    table, labels = draw()
    table["colour"] = np.where(labels == "yes", "red", "blue")
    table.loc[::7, "some"] = np.nan
    found = measure_attributes(MODELS, table, labels, prepare="always")
    assert found.frame()["attribute"].iloc[0] == "colour"


def test_constant_answers_are_left_out_and_too_few_models_refused():
    table, labels = draw()
    found = measure_attributes({**MODELS, "constant": DummyClassifier()}, table, labels)
    assert "constant" not in found.respondents
    few = {"a": MODELS["bayes"], "b": MODELS["tree"], "c": DummyClassifier()}
    with pytest.raises(EvaluationError, match="2 of 3"):
        measure_attributes(few, table, labels)


def test_one_column_is_refused():
    table, labels = draw()
    with pytest.raises(EvaluationError, match="two at least"):
        measure_attributes(MODELS, table[["much"]], labels)
