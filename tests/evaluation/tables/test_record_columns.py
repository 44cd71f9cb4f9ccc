"""Columns that look like identifiers or dates are named where they are used."""

import numpy as np
import pandas
import pytest

from itemcurve.evaluation.tables.labelled_table import evaluate_table
from itemcurve.evaluation.tables.record_columns import note_record_columns

ROWS = 60


def said(**columns):
    notes = note_record_columns(pandas.DataFrame(columns))
    assert len(notes) <= 1
    return "".join(notes)


@pytest.mark.parametrize(
    "name", ["Hospital_identification_number", "PassengerId", "sample code", "case no", "UUID"]
)
def test_a_column_called_like_an_identifier_that_differs_in_most_rows_is_named(name):
    # Integers that a gap elsewhere has turned into floats, some of them twice.
    values = np.random.default_rng(0).permutation(ROWS).astype(float)
    values[:10] = values[10:20]
    note = said(**{name: values, "age": np.arange(ROWS)})
    assert f"Column {name!r} looks like an identifier and is used as a feature" in note
    assert "--drop" in note
    assert "--groups" in note


def test_numbers_of_records_and_dates_are_named_however_they_repeat():
    note = said(
        Observation_number=np.arange(ROWS) % 4 + 1,
        Date_of_sample=10078.0 + 10 * (np.arange(ROWS) % 26),
        day=["2024-03-01", "2024-03-02"] * (ROWS // 2),
    )
    assert "'Observation_number' looks like an identifier" in note
    assert "'Date_of_sample', 'day' look like dates" in note
    assert "--drop Observation_number --drop Date_of_sample --drop day" in note


def test_measurements_and_counts_are_not_named():
    chance = np.random.default_rng(1)
    assert not said(
        **{
            "number of calls": chance.integers(0, 9, ROWS),
            "number customer service calls": chance.integers(0, 9, ROWS),
            "zip_code": chance.integers(0, 20, ROWS),
            "key_rate": chance.normal(size=ROWS),
            "height": np.arange(ROWS),
            # Of a year: months.
            "date": chance.integers(0, 7, ROWS),
            "width": ["12-1", "3-4"] * (ROWS // 2),
        }
    )


def test_an_evaluation_says_it_and_speaks_of_gaps_only_where_there_are_some():
    chance = np.random.default_rng(2)
    frame = pandas.DataFrame(
        {"x": chance.normal(size=ROWS), "patient_number": chance.permutation(ROWS) % 41}
    )
    frame["label"] = np.where(frame["x"] > 0, "yes", "no")
    settings = {"pool": "random:4", "response": "correct", "n_jobs": 1}
    evaluation = evaluate_table(frame, "label", **settings)
    notes = " ".join(evaluation.notes)
    assert "'patient_number' looks like an identifier" in notes
    assert "2 numeric: scaled." in notes
    found = next(one for one in evaluation.findings() if one.code == "IRT026")
    assert found.concerned == ("patient_number",)
    frame.loc[3, "x"] = np.nan
    notes = " ".join(evaluate_table(frame, "label", drop=["patient_number"], **settings).notes)
    assert "1 numeric: gaps filled by the median, scaled." in notes
    assert "identifier" not in notes
