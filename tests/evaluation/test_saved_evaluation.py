"""Studies on disk."""

import numpy as np

import itemcurve as ic
from itemcurve.storage.run_folder import read_run
from itemcurve.storage.tables import unpack_table


def test_a_saved_study_is_a_run_with_tables_and_predictions(moons, few, tmp_path):
    evaluation = ic.evaluate_classifiers(few, *moons)
    evaluation.save(tmp_path / "run")
    loaded = ic.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.estimates.abilities, evaluation.fit.estimates.abilities)
    run = read_run(tmp_path / "run")
    board = unpack_table(run.document("leaderboard"), "leaderboard")
    ranked = board[~board["is_reference"]]
    assert ranked["respondent"].tolist() == list(evaluation.leaderboard().respondents)
    assert board[board["is_reference"]]["rank"].isna().all()
    assert {"rank", "tier", "ability", "ability_se", "accuracy"} <= set(board.columns)
    assert run.document("evaluation")["notes"]["response"] == "skill"
    arrays = run.arrays("evaluation")
    np.testing.assert_array_equal(arrays["probabilities"], evaluation.predictions.probabilities)
    np.testing.assert_array_equal(arrays["y_true"], evaluation.y_true)


def test_a_loaded_study_is_the_study(moons, few, tmp_path):
    evaluation = ic.evaluate_classifiers({**few, "bad": BAD}, *moons)
    evaluation.save(tmp_path / "run")
    loaded = ic.load_evaluation(tmp_path / "run")
    assert loaded.failures == evaluation.failures
    assert loaded.notes == evaluation.notes
    assert loaded.predictions.classes == evaluation.predictions.classes
    assert loaded.leaderboard().frame().equals(evaluation.leaderboard().frame())


def test_a_study_of_regressors_is_saved_with_its_numbers(line, tmp_path):
    pool = ic.pools.standard_regressors()
    small = ic.pools.Pool(pool.names[:3], pool.estimators[:3], pool.references)
    evaluation = ic.evaluate_regressors(small, *line)
    evaluation.save(tmp_path / "run")
    loaded = ic.load_evaluation(tmp_path / "run")
    np.testing.assert_array_equal(loaded.predictions.values, evaluation.predictions.values)
    assert loaded.settings["references"] == ["Optimal", "Average", "Worst"]


class _Bad:
    def get_params(self, deep=True):
        return {}

    def fit(self, X, y):
        raise ValueError("never")

    def predict(self, X):
        return X


BAD = _Bad()
