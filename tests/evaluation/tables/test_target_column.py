"""Targets found by their name, wherever they stand."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.tables.target_column import find_target


def wide(*last):
    return pandas.DataFrame(columns=[*(f"x{n}" for n in range(40)), *last])


@pytest.mark.parametrize("name", ["label", "Class", "y", "outcome", "target", "Label "])
def test_a_target_with_a_usual_name_is_found_and_told(name):
    found, notes = find_target(wide(name), None)
    assert found == name
    assert name == "target" or repr(name) in notes[0]


def test_the_message_names_the_last_columns_where_targets_are():
    with pytest.raises(EvaluationError, match=r"x0, x1, .*, x39, species\."):
        find_target(wide("species"), None)
    with pytest.raises(EvaluationError, match=r"x38, x39, species\."):
        find_target(wide("species"), "label")


def test_a_name_that_is_nearly_right_is_told():
    with pytest.raises(EvaluationError, match="Did you mean 'Species'"):
        find_target(wide("Species"), "specis")


def test_one_of_several_is_not_guessed():
    with pytest.raises(EvaluationError, match="several columns are called like one: 'y', 'label'"):
        find_target(wide("y", "label"), None)


def test_a_table_says_what_it_predicts(few):
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(80, 15))).add_prefix("x")
    frame["class"] = np.where(frame["x0"] > 0, "up", "down")
    found = ic.evaluate_table(frame, pool=ic.pools.random_pool(3), response="correct")
    assert found.notes[0] == "Predicted is column 'class'; --target names another."
    assert found.settings["target"] == "class"
