"""The ten classifiers, as published."""

import pandas as pd
import pytest

from itemcurve_studies.confusion.tuned_classifiers import (
    build_classifiers,
    predict_tuned,
    read_heart,
)


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
