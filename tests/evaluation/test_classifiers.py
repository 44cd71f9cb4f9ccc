"""Classifiers as respondents, from estimators to abilities."""

import warnings

import numpy as np
import pandas
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import itemcurve as ic
from itemcurve.errors import EvaluationError, EvaluationWarning
from itemcurve.evaluation.tables.table_columns import sort_columns
from itemcurve.evaluation.tables.table_preparation import build_preparation


class Broken(ClassifierMixin, BaseEstimator):
    """Fails in training."""

    def fit(self, X, y):
        raise RuntimeError("out of luck\nand out of words")

    def predict(self, X):
        return np.zeros(len(X))


class Complainer(GaussianNB):
    """Warns at every step."""

    def fit(self, X, y):
        for _ in range(100):
            warnings.warn("this is odd", UserWarning, stacklevel=1)
        return super().fit(X, y)


def test_responses_are_the_probabilities_of_the_right_class(moons, few):
    evaluation = ic.evaluate_classifiers(few, *moons, response="probability")
    fitted = GaussianNB().fit(moons.X_train, moons.y_train)
    expected = fitted.predict_proba(moons.X_test)[np.arange(60), moons.y_test]
    np.testing.assert_allclose(evaluation.responses.array()[1], expected, atol=1e-12)
    assert evaluation.responses.respondents == tuple(few)
    assert evaluation.y_true.tolist() == [str(label) for label in moons.y_test]
    assert evaluation.fit.status.is_converged


def test_right_and_wrong_is_what_predict_says(moons, few):
    evaluation = ic.evaluate_classifiers(few, *moons, response="correct")
    fitted = LogisticRegression(random_state=0).fit(moons.X_train, moons.y_train)
    expected = fitted.predict(moons.X_test) == moons.y_test
    np.testing.assert_array_equal(evaluation.responses.array()[0], expected)
    assert evaluation.fit.model == "1pl"
    assert "equal slopes" in evaluation.settings["slopes"]


def test_responses_are_expected_right_answers_unless_asked_otherwise(moons, few):
    evaluation = ic.evaluate_classifiers(few, *moons)
    soft = evaluation.predictions.label_noise.soft_labels
    chosen = evaluation.predictions.chosen
    expected = np.take_along_axis(soft[np.newaxis], chosen[:, :, np.newaxis], axis=2)[:, :, 0]
    np.testing.assert_allclose(evaluation.responses.array(), expected)
    assert evaluation.fit.model in ("fractional-1pl", "fractional-2pl")


@pytest.mark.parametrize(
    ("model", "response"), [("fractional-beta3", "probability"), ("2pl", "correct")]
)
def test_a_model_that_is_named_is_fitted_as_named_to_all(moons, few, model, response):
    pool = {**few, "always": DummyClassifier(strategy="constant", constant=1)}
    evaluation = ic.evaluate_classifiers(pool, *moons, model=model, on_failure="ignore")
    assert evaluation.fit.model == model
    assert evaluation.settings["response"] == response
    assert evaluation.responses.respondents == tuple(pool)
    board = evaluation.leaderboard()
    assert board.ranked_by == "ability"
    assert "always" not in board.respondents


def test_cross_validation_predicts_every_row_by_estimators_trained_without_it(moons, few):
    folds = KFold(4, shuffle=True, random_state=3)
    evaluation = ic.evaluate_classifiers(
        few, moons.X_train, moons.y_train, cv=folds, response="probability"
    )
    assert evaluation.responses.shape == (4, 100)
    train, test = next(folds.split(moons.X_train))
    fitted = GaussianNB().fit(moons.X_train[train], moons.y_train[train])
    expected = fitted.predict_proba(moons.X_train[test])[np.arange(25), moons.y_train[test]]
    np.testing.assert_allclose(evaluation.responses.array()[1, test], expected, atol=1e-12)


def test_a_failing_estimator_is_reported_and_left_out(moons, few):
    with pytest.warns(EvaluationWarning, match=r"1 of 5 estimators failed.* broken \(RuntimeError"):
        evaluation = ic.evaluate_classifiers({**few, "broken": Broken()}, *moons)
    assert [f.respondent for f in evaluation.failures] == ["broken"]
    assert evaluation.failures[0].reason == "RuntimeError: out of luck"
    assert evaluation.responses.respondents == tuple(few)
    assert "1 failed" in repr(evaluation)


def test_only_failing_estimators_are_an_error_that_tells_why(moons):
    with pytest.raises(EvaluationError, match="out of luck"):
        ic.evaluate_classifiers([Broken(), Broken(), GaussianNB()], *moons)


def test_warnings_are_collected_once_and_not_printed(moons, few, recwarn):
    evaluation = ic.evaluate_classifiers({**few, "odd": Complainer()}, *moons)
    assert [(c.respondent, c.text) for c in evaluation.cautions] == [
        ("odd", "UserWarning: this is odd")
    ]
    assert not recwarn.list


def test_without_probabilities_the_named_class_counts_as_one(moons, few):
    evaluation = ic.evaluate_classifiers({**few, "margin": LinearSVC()}, *moons)
    values = evaluation.predictions.probabilities[-1]
    assert set(np.unique(values)) == {0.0, 1.0}
    assert any("margin" in note for note in evaluation.notes)
    expected = LinearSVC(random_state=0).fit(moons.X_train, moons.y_train).predict(moons.X_test)
    np.testing.assert_array_equal(evaluation.predictions.chosen[-1], expected)


def test_calibration_gives_probabilities_to_those_with_a_margin(moons, few):
    pool = {**few, "vectors": SVC()}
    evaluation = ic.evaluate_classifiers(pool, *moons, without_probabilities="calibrate")
    values = evaluation.predictions.probabilities[-1]
    assert ((values > 0) & (values < 1)).all()
    assert not any("named class" in note for note in evaluation.notes)


def test_classes_may_be_words_and_more_than_two(few):
    X, y = load_iris(return_X_y=True)
    words = np.array(["setosa", "versicolor", "virginica"])[y]
    evaluation = ic.evaluate_classifiers(few, X, words, cv=3)
    assert evaluation.predictions.classes == ("setosa", "versicolor", "virginica")
    assert evaluation.predictions.probabilities.shape == (4, 150, 3)
    same = ic.evaluate_classifiers(few, X, y, cv=3)
    np.testing.assert_array_equal(evaluation.responses.array(), same.responses.array())


def test_a_class_that_training_lacks_has_probability_zero(few):
    X, y = load_iris(return_X_y=True)
    known = y < 2
    evaluation = ic.evaluate_classifiers(
        few, X[known], y[known], X[40:110], y[40:110], response="probability"
    )
    lost = y[40:110] == 2
    assert (evaluation.responses.array()[:, lost] == 0).all()
    assert any("'2' is not in 1 of 1 training sets" in note for note in evaluation.notes)


def test_the_same_seed_gives_the_same_study(moons):
    pool = ic.pools.random_pool(10, seed=3)
    first, second = (
        ic.evaluate_classifiers(pool, *moons, response="correct", seed=1) for _ in range(2)
    )
    np.testing.assert_array_equal(first.predictions.probabilities, second.predictions.probabilities)


# Other tests of the same process may have loaded JAX, which warns of every fork.
@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")
def test_processes_and_threads_give_what_one_process_gives(moons, few):
    import joblib

    alone = ic.evaluate_classifiers(few, *moons)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        threads = ic.evaluate_classifiers(few, *moons)
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        processes = ic.evaluate_classifiers(few, *moons)
    for evaluation in (threads, processes):
        np.testing.assert_array_equal(evaluation.responses.array(), alone.responses.array())


def test_progress_counts_every_training(moons, few):
    calls = []
    ic.evaluate_classifiers(
        few, moons.X_train, moons.y_train, cv=2, progress=lambda *told: calls.append(told)
    )
    assert [done for done, _, _ in calls] == list(range(1, 9))
    assert {total for _, total, _ in calls} == {8}


def test_a_list_of_estimators_is_named_after_its_classes(moons):
    pool = [
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        GaussianNB(var_smoothing=0.1),
    ]
    evaluation = ic.evaluate_classifiers(pool, *moons)
    assert evaluation.responses.respondents == (
        "GaussianNB 1",
        "LogisticRegression",
        "GaussianNB 2",
    )


def test_items_are_named_after_the_index_of_a_table(moons, few):
    table = pandas.DataFrame(moons.X_test, index=[f"case {i}" for i in range(60)])
    evaluation = ic.evaluate_classifiers(
        few, moons.X_train, moons.y_train, table.to_numpy(), moons.y_test
    )
    assert evaluation.responses.items[0] == "item_01"
    train = pandas.DataFrame(moons.X_train)
    evaluation = ic.evaluate_classifiers(few, train, moons.y_train, table, moons.y_test)
    assert evaluation.responses.items[:2] == ("case 0", "case 1")


def test_folds_prepared_once_give_what_pipelines_of_their_own_give(moons):
    train = pandas.DataFrame({"x": moons.X_train[:, 0], "y": moons.X_train[:, 1]})
    train["kind"] = np.where(train["x"] > 0.5, "right", "left")
    train.loc[::7, "y"] = np.nan
    pool = {"tree": DecisionTreeClassifier(random_state=0), "near": KNeighborsClassifier(3)}
    ready = make_pipeline(build_preparation(sort_columns(train)), KNeighborsClassifier(3))
    once = ic.evaluate_classifiers(pool, train, moons.y_train, cv=3)
    each = ic.evaluate_classifiers({**pool, "own": ready}, train, moons.y_train, cv=3)
    found = each.predictions.probabilities
    np.testing.assert_array_equal(found[:2], once.predictions.probabilities)
    np.testing.assert_array_equal(found[2], found[1])


def test_a_table_of_words_and_gaps_is_prepared(moons, few):
    rng = np.random.default_rng(0)

    def table(X, start):
        frame = pandas.DataFrame({"x": X[:, 0], "y": X[:, 1]})
        frame["kind"] = np.where(X[:, 0] > 0.5, "right", "left")
        frame.loc[rng.random(len(X)) < 0.1, ["x", "kind"]] = None
        frame["id"] = [f"n{start + i}" for i in range(len(X))]
        return frame

    train, test = table(moons.X_train, 0), table(moons.X_test, 100)
    evaluation = ic.evaluate_classifiers(few, train, moons.y_train, test, moons.y_test)
    assert not evaluation.failures
    assert any(note.startswith("Column 'id' is left out") for note in evaluation.notes)
    blind = dict(list(ic.pools.standard_classifiers())[-2:])
    with pytest.warns(EvaluationWarning, match=r"4 of 6 .* prepare='always' fills gaps"):
        raw = ic.evaluate_classifiers(
            {**few, **blind}, train, moons.y_train, test, moons.y_test, prepare="never"
        )
    assert len(raw.failures) == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y_train": [0, 1]}, "same number of rows"),
        ({"y_test": [float("nan")] * 60}, "60 of 60 labels are missing"),
        ({"y_train": np.zeros(100, int), "y_test": np.zeros(60, int)}, "at least two classes"),
        ({"y_train": np.zeros(100, int)}, "at least two classes"),
        ({"y_train": np.linspace(0, 1, 100)}, "evaluate_regressors"),
        ({"X_test": np.zeros((60, 5))}, "same columns"),
        ({"X_test": None}, "either X_test and y_test, or cv"),
        ({"X_test": np.zeros(60)}, "one column per feature"),
        ({"estimators": {}}, "at least one estimator"),
        ({"estimators": [("a", GaussianNB()), ("a", GaussianNB())]}, "name of its own"),
        ({"estimators": [GaussianNB(), LinearRegression()]}, "evaluate_regressors"),
        ({"estimators": [GaussianNB(), LogisticRegression]}, r"Write LogisticRegression\(\)"),
        ({"estimators": [GaussianNB(), "svm"]}, "fit and predict"),
        ({"estimators": np.zeros((3, 2))}, "Estimators come first"),
        ({"X_train": None}, "come together"),
        ({"y_train": None}, "come together"),
        ({"X_train": None, "y_train": None}, "'logistic', 'bayes', 'neighbours' is not"),
        ({"sample_weight": [1.0, 2.0]}, "each of the 100 rows"),
        ({"sample_weight": [-1.0] * 100}, "100 unusable values"),
        ({"groups": [1, 2]}, "each of the 60 rows"),
        ({"response": "guess"}, "'probability', 'correct'"),
        ({"model": "5pl"}, "must be one of rasch"),
        ({"prepare": "maybe"}, "'auto', 'always' or 'never'"),
        ({"without_probabilities": "skip"}, "'labels' or 'calibrate'"),
        ({"items": ["a"]}, "one id for each of the 60 items"),
    ],
)
def test_wrong_input_is_refused_with_advice(moons, few, change, said):
    given = {
        "estimators": few,
        "X_train": moons.X_train,
        "y_train": moons.y_train,
        "X_test": moons.X_test,
        "y_test": moons.y_test,
        **change,
    }
    with pytest.raises(ValueError, match=said):
        ic.evaluate_classifiers(**given)


def test_names_of_rows_are_no_classes(few):
    rng = np.random.default_rng(0)
    names = [f"row {i}" for i in range(300)]
    with pytest.raises(EvaluationError, match="names rows rather than classes"):
        ic.evaluate_classifiers(few, rng.normal(size=(300, 2)), names, cv=3)


def test_a_class_smaller_than_the_number_of_folds_is_parted_by_chance(moons, few):
    labels = moons.y_train.copy()
    labels[:2] = 2
    evaluation = ic.evaluate_classifiers(few, moons.X_train, labels, cv=3)
    assert evaluation.settings["split"].endswith("classes parted by chance")
