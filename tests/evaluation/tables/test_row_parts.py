"""Groups and weights of a table are columns of it, and no features."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError


@pytest.fixture(name="visits")
def table_of_visits():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"x": rng.normal(size=120), "patient": np.repeat(range(24), 5)})
    frame["weight"] = rng.random(120) + 0.5
    frame["label"] = np.where(frame["x"] + 0.3 * rng.normal(size=120) > 0, "ill", "well")
    return frame


@pytest.mark.parametrize("cv", [None, 3])
def test_groups_are_kept_together_and_weights_used(visits, cv):
    found = ic.evaluate_table(
        visits, "label", pool="random:4", cv=cv, groups="patient", sample_weight="weight"
    )
    rows = [int(name.removeprefix("row_")) - 1 for name in found.responses.items]
    assert found.groups == tuple(visits["patient"].iloc[rows].astype(str))
    # Rows are told as they stand in the table: whoever looks one up must find it.
    patients = zip(found.rows, found.groups, strict=True)
    assert all(text.startswith("x=") and f"patient={group}, " in text for text, group in patients)
    assert any("sample_weight is used" in note for note in found.notes)
    if cv is None:
        held = set(visits["patient"].iloc[rows])
        assert len(rows) == 5 * len(held)
        assert f"{len(held)} of 24 groups are predicted, whole." in found.notes
    # Strengths by these groups need nothing more.
    assert len(found.strengths().groups) == len(set(found.groups))


def test_columns_that_are_not_there_are_named(visits):
    with pytest.raises(EvaluationError, match="Did you mean 'patient'"):
        ic.evaluate_table(visits, "label", groups="patients")
    visits["patient"] = visits["patient"].astype(float).where(visits.index > 3)
    with pytest.raises(EvaluationError, match="4 gaps"):
        ic.evaluate_table(visits, "label", groups="patient", pool="random:3")


def test_tables_are_folded_by_any_splitter(visits):
    from sklearn.model_selection import TimeSeriesSplit

    found = ic.evaluate_table(visits, "label", pool="random:3", cv=TimeSeriesSplit(3))
    assert found.responses.items[0] == "row_031"
    assert len(found.rows) == 90


def test_columns_of_answers_are_told_from_features(visits):
    visits["model a"] = visits["label"]
    visits["model b"] = np.where(visits["x"] > 0.1, "ill", "well")
    found = ic.evaluate_table(visits, "label", pool="random:3")
    assert any("model a, model b" in note and "--predictions" in note for note in found.notes)
