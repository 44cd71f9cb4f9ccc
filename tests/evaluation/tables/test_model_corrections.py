"""Labels that models changed are known when the table is read again."""

import pandas
import pytest
from sklearn.datasets import load_iris

import itemcurve as ic
from itemcurve.evaluation.tables.model_corrections import (
    corrections_of,
    count_corrections,
    list_corrections,
)

POOL = "Naive Bayes; Linear discriminant"


@pytest.fixture(name="table")
def corrected_table(tmp_path):
    frame = load_iris(as_frame=True).frame
    path = tmp_path / "clean.csv"
    frame.to_csv(path, index=False)
    told = {"row": [3, 8], "given_label": [1, 2], "corrected_label": [0, 0]}
    pandas.DataFrame(told).to_csv(corrections_of(path), index=False)
    return path, frame


def test_changes_that_are_still_there_are_counted(table):
    path, frame = table
    assert count_corrections(path, frame, "target") == 2
    frame.loc[2, "target"] = 1
    assert count_corrections(path, frame, "target") == 1
    assert count_corrections(frame, frame, "target") == 0


@pytest.mark.parametrize("content", ["nothing here", "row,corrected_label\nx,0\n999,0\n-1,0\n", ""])
def test_a_strange_file_of_that_name_counts_nothing(table, content):
    path, frame = table
    corrections_of(path).write_text(content)
    assert count_corrections(path, frame, "target") == 0


def test_nothing_judged_by_labels_of_models_is_called_trustworthy(table):
    path, _ = table
    evaluation = ic.evaluate_table(path, pool=POOL)
    assert "2 labels of this table were changed by models (clean.corrections.csv)" in " ".join(
        evaluation.notes
    )
    found = {finding.code: finding for finding in evaluation.findings()}
    assert found["IRT025"].message.startswith("2 labels were changed to what models say")
    assert not evaluation.findings().is_trustworthy
    corrections_of(path).unlink()
    assert "IRT025" not in {f.code for f in ic.evaluate_table(path, pool=POOL).findings()}


def test_only_what_was_changed_is_listed():
    ranked = pandas.DataFrame(
        {
            "row": [9, 2, 5],
            "given_label": ["a", "b", "a"],
            "likely_label": ["b", "a", "b"],
            "label_error_probability": [0.99, 0.95, 0.2],
            "verdict": ["suspect label", "suspect label", ""],
        }
    )
    found = list_corrections(ranked)
    assert found["row"].tolist() == [2, 9]
    assert found["corrected_label"].tolist() == ["a", "b"]
