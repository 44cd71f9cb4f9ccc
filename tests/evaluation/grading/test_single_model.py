"""One model alone: its items, its labels, its strengths."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import itemcurve as ic


@pytest.fixture(scope="module", name="noisy")
def cancer_with_flips():
    data = load_breast_cancer(as_frame=True)
    labels = data.target.copy()
    flipped = np.random.default_rng(0).choice(len(labels), 20, replace=False)
    labels.iloc[flipped] = 1 - labels.iloc[flipped]
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return ic.evaluate_classifiers(model, data.data, labels, cv=5), flipped, data.data


def test_labels_are_audited_against_its_own_cross_validation(noisy):
    evaluation, flipped, _ = noisy
    found = evaluation.audit().suspects(at_least=0)["item"]
    rows = found.str.removeprefix("item_").astype(int) - 1
    hits = np.isin(rows, flipped).sum()
    # Outside truth: the labels that were flipped. Two of ten suspects may be wrong.
    assert hits >= 16
    assert hits / len(found) > 0.8
    assert evaluation.audit().frame()["row"].str.startswith("mean radius=").all()


def test_its_leaderboard_has_one_rank_and_the_lines_to_beat(noisy):
    board = noisy[0].leaderboard()
    assert board.respondents == ("LogisticRegression",)
    assert board.frame()["against_constant"].tolist() == ["ahead"]
    assert "Most frequent class" in set(board.references["respondent"])
    assert any(note.startswith("One model alone") for note in noisy[0].notes)


def test_items_it_misses_are_harder_than_items_it_hits(noisy):
    evaluation, _, _ = noisy
    difficulty = evaluation.fit.items["difficulty"].to_numpy()
    hit = evaluation.responses.array()[0] > 0.5
    assert difficulty[~hit].min() > difficulty[hit].max()


def test_it_is_saved_and_shown_as_any_other(noisy, tmp_path):
    noisy[0].save(tmp_path / "run")
    again = ic.load_evaluation(tmp_path / "run")
    assert again.leaderboard().frame().equals(noisy[0].leaderboard().frame())
    assert again.report(tmp_path / "page.html").exists()


def test_strengths_and_weaknesses_by_group(noisy):
    evaluation, _, features = noisy
    size = pandas.qcut(features["mean area"], 4, labels=["tiny", "small", "large", "huge"])
    found = evaluation.strengths(size)
    # Tumours of middling size are those that could be either.
    assert found.frame()["group"].iloc[0] == "large"
    assert found.frame()["verdict"].iloc[0] == "weaker"
    assert "weaker than elsewhere: LogisticRegression on large" in found.say()


def test_one_regressor_and_one_table_of_predictions(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    evaluation = ic.evaluate_regressors(Ridge(), X, y, cv=5)
    assert evaluation.leaderboard().respondents == ("Ridge",)
    alone = ic.from_predictions({"mine": [0.9, 0.2, 0.7, 0.4]}, [1, 0, 1, 1])
    assert alone.leaderboard().respondents == ("mine",)


def test_a_model_may_be_called_like_its_companion():
    alone = ic.from_predictions({"Undecided": [0.9, 0.2, 0.7, 0.4]}, [1, 0, 1, 1])
    assert alone.leaderboard().respondents == ("Undecided",)
