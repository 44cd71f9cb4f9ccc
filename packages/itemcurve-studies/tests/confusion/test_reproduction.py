import numpy as np
import pandas as pd
import pytest

from itemcurve_studies.classifiers.real_boosting import RealAdaBoost
from itemcurve_studies.confusion.reproduction import reproduce_confusion
from itemcurve_studies.confusion.tuned_classifiers import (
    build_classifiers,
    predict_tuned,
    read_heart,
)
from itemcurve_studies.study.claims import Claim, claims_frame, judge


def test_claims_become_rows_in_order():
    claims = [Claim("C1", "it is so", "1", "2", judge(True)), Claim("C2", "", "", "", judge(False))]
    assert claims_frame(claims)["verdict"].tolist() == ["holds", "does not hold"]


def test_boosting_of_probabilities_separates_three_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 40)
    X = rng.normal(size=(120, 2)) + 4.0 * np.repeat([[0, 0], [1, 0], [0, 1]], 40, axis=0)
    assert (RealAdaBoost(20, random_state=0).fit(X, y).predict(X) == y).mean() > 0.9


@pytest.fixture(scope="module")
def heart(shared_data):
    return read_heart(shared_data)


@pytest.fixture(scope="module")
def published(shared_data):
    folder = shared_data / "data" / "reference" / "irt_confusion_matrix"
    return pd.read_csv(folder / "heart_statlog_metrics.csv").set_index("clf")["acc_score"]


def test_published_settings_give_the_published_accuracies(heart, published):
    import warnings

    for name, classifier in build_classifiers().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            predicted = classifier.fit(heart.X_train, heart.y_train).predict(heart.X_test)
        accuracy = (predicted == heart.y_test).mean()
        # Training of the perceptron hangs on the last digits: 42 gives .778 here, .802 there.
        tolerance = 0.03 if name == "MLP" else 0.0006
        assert accuracy == pytest.approx(published[name], abs=tolerance), name


@pytest.mark.slow
def test_the_grid_search_chooses_the_published_settings(heart, tmp_path):
    found = predict_tuned(heart, tmp_path)
    assert all(found.as_published.values())
    again = predict_tuned(heart, tmp_path)
    assert all((again.labels[name] == found.labels[name]).all() for name in found.labels)


@pytest.mark.slow
def test_the_study_runs_on_a_small_pool_and_resumes(shared_data, tmp_path):
    lines = []
    first = reproduce_confusion(shared_data, seeds=3, report=lines.append, work=tmp_path / "work")
    claims = first.tables["claims"].set_index("claim")
    assert claims.index.tolist() == [f"C{number}" for number in range(1, 18)]
    assert claims["verdict"][["C5", "C9"]].tolist() == ["holds", "holds"]
    again = reproduce_confusion(shared_data, seeds=3, report=lines.append, work=tmp_path / "work")
    pd.testing.assert_frame_equal(again.tables["claims"], first.tables["claims"])
    assert len(first.pictures) == 7
