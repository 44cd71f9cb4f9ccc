"""Classifiers on tables of one's own: against scikit-learn, by hand."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

import itemcurve as ic
from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.pool import Pool
from itemcurve.evaluation.tables.row_parts import part_rows
from itemcurve.evaluation.tables.table_parts import part_table


class Failing(GaussianNB):
    """Takes no table with four features."""

    def fit(self, X, y):
        if np.shape(X)[1] == 4:
            raise ValueError("four are too many")
        return super().fit(X, y)


@pytest.fixture
def iris():
    return load_iris(as_frame=True).frame


def test_a_cell_is_what_scikit_learn_measures_on_the_same_half(iris):
    pool = Pool(("bayes",), (GaussianNB(),))
    table = ic.metrics.measure_datasets({"a": iris, "b": iris.iloc[::2]}, pool, splits=2)
    source = part_table(iris.assign(target=iris["target"].astype(str)), "target", ())
    parts, _ = part_rows(source, "classification", None, 0.5, 1)
    scaler = StandardScaler().fit(parts["X_train"])
    model = GaussianNB().fit(scaler.transform(parts["X_train"]), parts["y_train"])
    proba = model.predict_proba(scaler.transform(parts["X_test"]))
    by_hand = accuracy_score(parts["y_test"], model.classes_[proba.argmax(axis=1)])
    assert table.values[0, 0, 0, 1] == pytest.approx(by_hand, abs=1e-6)
    area = roc_auc_score(parts["y_test"], proba, multi_class="ovr", average="weighted")
    assert table.values[4, 0, 0, 1] == pytest.approx(area, abs=1e-6)


def test_what_fails_on_one_table_is_missing_there_only(iris):
    pool = Pool(("bayes", "fails"), (GaussianNB(), Failing()))
    narrow = iris.drop(columns="petal width (cm)")
    with pytest.warns(ic.errors.EvaluationWarning, match="four are too many"):
        table = ic.metrics.measure_datasets({"wide": iris, "narrow": narrow}, pool, splits=1)
    assert np.isnan(table.values[:, 1, 0]).all()
    assert np.isfinite(table.values[:, 1, 1]).all()
    assert len(table.missing) == 1
    assert table.missing[0].startswith("fails\twide\t0\t")


def test_rows_are_drawn_by_class_and_single_rows_left_out(iris, tmp_path):
    odd = pandas.concat([iris, iris.iloc[:1].assign(target=9)], ignore_index=True)
    pool = Pool(("bayes",), (GaussianNB(),))
    table = ic.metrics.measure_datasets({"odd": odd, "iris": iris}, pool, splits=1, rows=60)
    assert table.shapes.tolist() == [[60, 4, 3], [60, 4, 3]]
    assert "1 rows of classes with a single row are left out." in table.notes[0]
    table.save(tmp_path / "t.npz")
    again = ic.load_dataset_table(tmp_path / "t.npz")
    assert again.notes == table.notes
    np.testing.assert_array_equal(again.values, table.values)


def test_tables_of_one_name_and_single_tables_are_refused(iris):
    with pytest.raises(EvaluationError, match="more than once"):
        ic.metrics.measure_datasets(["iris", "a/iris.csv"])
    with pytest.raises(EvaluationError, match="two or more"):
        ic.metrics.measure_datasets({"iris": iris})
