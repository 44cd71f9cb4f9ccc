"""Slips that a look at the columns shows."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.evaluation.tables.odd_values import note_odd_values, note_rare_classes


def numbers(**odd):
    """Two columns of 200 rows, some values replaced."""
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({"width": rng.gamma(2.0, 5.0, 200), "count": rng.poisson(3, 200)})
    for name, value in odd.items():
        table.loc[7, name] = value
    return table


def test_a_lost_decimal_point_is_named_with_its_row():
    found = note_odd_values(numbers(width=42085.0), np.arange(200) + 3)
    assert len(found) == 1
    assert found[0].startswith("Column 'width' has 42085 (row 11), far outside all others (median")


@pytest.mark.parametrize("draw", ["gamma", "lognormal", "standard_t", "poisson"])
def test_long_tails_are_no_slips(draw):
    sizes = {"gamma": (0.5,), "lognormal": (0.0, 1.5), "standard_t": (3,), "poisson": (0.2,)}
    flags = 0
    for seed in range(20):
        values = getattr(np.random.default_rng(seed), draw)(*sizes[draw], size=500)
        flags += len(note_odd_values(pandas.DataFrame({"a": values}), np.arange(500)))
    assert flags == 0


def test_a_class_of_one_row_that_is_nearly_another_is_named():
    classes = pandas.Series(["republican"] * 5 + ["democrat"] * 5 + ["republicann", "other"])
    found = note_rare_classes(classes)
    assert found == ["Class 'republicann' has one row: look whether 'republican' is meant."]
    assert note_rare_classes(pandas.Series([1, 1, 2, 3])) == []


def test_an_evaluation_says_so_and_names_what_parts_the_rows():
    table = numbers(width=42085.0).assign(place=list("abcd") * 50)
    table["height"] = np.sqrt(np.minimum(table["width"], 50.0)) + table["count"] / 10
    evaluation = ic.evaluate_table(
        table, "height", pool=few_regressors(), cv=4, groups="place", progress=False
    )
    notes = " ".join(evaluation.notes)
    assert "Column 'width' has 42085 (row 8)" in notes
    assert "Column 'place' parts the rows and is no feature." in notes
    assert (
        "200 rows in 4 groups: intervals of skill and tiers are those of groups drawn anew" in notes
    )


def few_regressors():
    from sklearn.linear_model import LinearRegression
    from sklearn.tree import DecisionTreeRegressor

    return {"linear": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=4)}
