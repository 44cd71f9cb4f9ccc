"""What noise takes from models: signed, on one scale, beside plain metrics."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import itemcurve as ic
from itemcurve.errors import EvaluationWarning
from itemcurve.evaluation.noise.noise_words import say_cautions


class GivesUp(ClassifierMixin, BaseEstimator):
    """Right on what looks like its training data, and the same answer to all that does not."""

    def __init__(self, answer=0, weights=None):
        self.answer = answer
        self.weights = weights

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.inside_ = LogisticRegression(class_weight=self.weights).fit(X, y)
        self.whole_ = set(np.round(X.ravel(), 6))
        return self

    def predict_proba(self, X):
        is_whole = np.allclose(X * 8, np.round(X * 8))
        return (
            self.inside_.predict_proba(X)
            if is_whole
            else np.tile(np.eye(2)[self.answer], (len(X), 1))
        )

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


POOL = {
    "gives up": GivesUp(),
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
    "3-NN": KNeighborsClassifier(3),
    "tree": DecisionTreeClassifier(random_state=0),
}
LEVELS = (0, 0.5, 1.0)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = np.round(8 * rng.normal(size=(240, 3))) / 8
    y = (X[:, 0] + 0.5 * X[:, 1] + 0.4 * rng.normal(size=240) > 0).astype(int)
    return X[:140], y[:140], X[140:], y[140:]


@pytest.fixture(scope="module")
def sweep(data):
    return ic.noise.noise_sweep(POOL, *data, kind="features", levels=LEVELS, repeats=2)


def test_who_answers_all_alike_under_noise_stays_in_the_comparison(sweep):
    assert "gives up" in sweep.steps[-1].evaluation.references
    found = ic.noise.measure_ability_loss(sweep)
    assert set(found.respondents) == set(POOL)
    place = found.respondents.index("gives up")
    assert found.plain[-1, place] == pytest.approx(
        1 - sweep.steps[0].evaluation.y_true.astype(int).mean()
    )
    assert found.ability[-1, place] < found.ability[0, place] - 0.5
    assert np.isfinite(found.ability).all()
    percent = ic.noise.compare_variation(sweep)
    assert "gives up" in percent.respondents
    assert percent.error_at[-1, percent.respondents.index("gives up")] > 0.3


def test_changes_are_signed_and_agree_with_the_leaderboards(sweep):
    table = ic.noise.measure_ability_loss(sweep).frame()
    boards = sweep.frame()
    own = table[(table["respondent"] == "tree") & (table["noise"] == 1.0)].iloc[0]
    expected = boards[boards["respondent"] == "tree"].groupby("noise")[["accuracy", "skill"]].mean()
    assert own["accuracy"] == pytest.approx(expected.loc[1.0, "accuracy"])
    assert own["skill"] == pytest.approx(expected.loc[1.0, "skill"])
    assert own["accuracy_change"] == pytest.approx(np.ptp(expected["accuracy"]) * -1)
    assert own["skill_change_lower"] < own["skill_change"] < own["skill_change_upper"] < 0
    assert own["ability_change"] < 0
    clean = table[table["noise"] == 0]
    assert (clean["ability_change"] == 0).all()
    assert (clean["skill_change_upper"] == 0).all()


def test_more_right_is_more_able_at_every_level(sweep):
    table = ic.noise.measure_ability_loss(sweep).frame()
    assert table["ability"].corr(table["skill"], method="spearman") > 0.95


def test_what_is_said_names_best_worst_and_what_ability_adds(sweep):
    found = ic.noise.measure_ability_loss(sweep)
    said = "\n".join(found.say())
    worst = [place for place in found.order() if found.is_ahead[place]][-1]
    assert f"Loses most: {found.respondents[worst]} (ability" in said
    assert "rank correlation" in said
    assert "All answer as they do without noise" not in said


def test_noise_in_labels_is_said_to_leave_the_models_as_they_are(data):
    sweep = ic.noise.noise_sweep(POOL, *data, levels=(0, 0.2))
    found = ic.noise.measure_ability_loss(sweep)
    assert found.is_same
    assert found.say()[0].startswith("All answer as they do without noise")


def test_a_model_that_errs_nowhere_is_said_to_be_at_the_ceiling():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 2)) + 6 * rng.integers(0, 2, (200, 1))
    y = (X.sum(axis=1) > 6).astype(int)
    pool = {name: POOL[name] for name in ("logistic", "bayes", "3-NN")}
    data = X[:100], y[:100], X[100:], y[100:]
    sweep = ic.noise.noise_sweep(pool, *data, kind="features", levels=(0, 2.0))
    assert "At the ceiling without noise" in "\n".join(ic.noise.measure_ability_loss(sweep).say())


def test_an_order_that_follows_confidence_is_warned_of(data):
    named = {"model": "fractional-beta3", "method": "joint", "on_failure": "ignore"}
    sweep = ic.noise.noise_sweep(POOL, *data, kind="features", levels=(0, 1.0), **named)
    codes = {finding.code for finding in sweep.steps[-1].evaluation.findings()}
    assert ("IRT012" in codes) == any("IRT012" in line for line in say_cautions(sweep))


def test_features_of_numbers_that_are_whole_are_blurred_for_regressors():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(160, 3))
    y = np.round(40 * X[:, 0] + 5 * rng.normal(size=160)) + 200
    pool = {
        "line": LinearRegression(),
        "5-NN": KNeighborsRegressor(5),
        "tree": DecisionTreeRegressor(max_depth=4, random_state=0),
    }
    data = X[:100], y[:100], X[100:], y[100:]
    sweep = ic.noise.noise_sweep(pool, *data, kind="features", levels=(0, 0.8))
    found = ic.noise.measure_ability_loss(sweep)
    assert found.measure == "mae"
    assert (found.ability[1] < found.ability[0]).all()
    assert (found.plain[1] > found.plain[0]).all()
    assert found.rank_correlation() > 0


@pytest.fixture(scope="module")
def hopeless():
    """Labels that features do not tell, four in five alike, and a tree that guesses at first."""
    rng = np.random.default_rng(5)
    X = np.round(8 * rng.normal(size=(160, 3))) / 8
    y = (rng.random(160) < 0.8).astype(int)
    pool = {"gives up": GivesUp(1, "balanced"), "tree": POOL["tree"], "bayes": POOL["bayes"]}
    data = X[:100], y[:100], X[100:], y[100:]
    sweep = ic.noise.noise_sweep(pool, *data, kind="features", levels=(0, 1.0), repeats=2)
    return ic.noise.measure_ability_loss(sweep)


def test_models_no_better_than_a_constant_are_not_compared(hopeless):
    assert not hopeless.is_ahead.any()
    said = "\n".join(hopeless.say())
    assert "No model is clearly better than 'Most frequent class'" in said
    assert "on 60 rows" in said
    assert "Take more rows" in said
    assert not any(word in said for word in ("best", "worst", "rank correlation"))
    # With nothing to compare they stand as they did without noise.
    assert list(hopeless.order()) == sorted(range(3), key=lambda one: -hopeless.skill[0, one])


def test_one_class_for_all_rows_under_noise_is_no_robustness(sweep, hopeless):
    found = ic.noise.measure_ability_loss(sweep)
    place = found.respondents.index("gives up")
    assert found.standings.is_collapsed.tolist() == [one == place for one in range(len(POOL))]
    said = "\n".join(found.say())
    assert "gives up no longer looks at the rows: with noise 100% get one class from it" in said
    assert "Loses least ability: gives up" not in said
    table = found.frame().set_index(["noise", "respondent"])
    assert table.loc[(1.0, "gives up"), "one_class"] == 1
    assert table.loc[(0, "logistic"), "beats_constant"] == 1
    place = hopeless.respondents.index("gives up")
    assert hopeless.standings.is_collapsed[place]
    assert hopeless.plain[-1, place] > hopeless.plain[0, place]
    assert "Its accuracy rises to that of a constant answer" in "\n".join(hopeless.say())


def test_who_is_told_from_best_and_worst_is_said_with_the_rows_it_is_from(sweep):
    said = "\n".join(ic.noise.measure_ability_loss(sweep).say())
    assert "From 100 rows and these draws of noise, " in said
    same = {f"C {value}": LogisticRegression(C=value) for value in (1.0, 1.1, 1.2, 1.3)}
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 3))
    y = (X[:, 0] + 0.4 * rng.normal(size=160) > 0).astype(int)
    data = X[:100], y[:100], X[100:], y[100:]
    near = ic.noise.noise_sweep(same, *data, kind="features", levels=(0, 0.3))
    said = "\n".join(ic.noise.measure_ability_loss(near).say())
    assert "Best and worst are not told apart by their skill" in said


def test_with_so_much_noise_nobody_is_best(data):
    pool = {name: POOL[name] for name in ("logistic", "bayes")}
    sweep = ic.noise.noise_sweep(pool, *data, kind="features", levels=(0, 500.0), repeats=3)
    said = "\n".join(ic.noise.measure_ability_loss(sweep).say())
    assert "no model is clearly better than a constant answer" in said
    assert "Best with noise" not in said
    assert "has passed it" not in said


def test_the_reason_for_two_orders_is_the_one_that_holds(sweep):
    found = ic.noise.measure_ability_loss(sweep)
    rising = found.plain.copy()
    # Accuracy in the opposite order, skill and ability as they are: labels make the difference.
    rising[-1] = rising[0] - (found.ability[-1] - found.ability[0])
    said = "\n".join(replace(found, plain=rising).say())
    assert "ability follows skill, for which a doubtful label counts" in said
    assert "where fewer rows were wrong" not in said


def test_who_is_good_has_most_to_lose_where_targets_are_noisy():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = 10 * X[:, 0] + rng.normal(size=300)
    pool = {"line": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=2)}
    data = X[:150], y[:150], X[150:], y[150:]
    found = ic.noise.measure_ability_loss(
        ic.noise.noise_sweep(pool, *data, kind="targets", levels=(0, 0.5))
    )
    said = "\n".join(found.say())
    assert "Loses most: line" in said
    assert "Who is good has most to lose: line is the best without noise and still is with" in said
    assert "one_class" not in found.frame()


class Coded(ClassifierMixin, BaseEstimator):
    """Knows every row without noise, and little once there is some; `breaks` beyond that."""

    def __init__(self, breaks=False):
        self.breaks = breaks

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.known_ = KNeighborsClassifier(1).fit(X, y)
        return self

    def predict_proba(self, X):
        is_whole = np.allclose(X * 8, np.round(X * 8))
        if self.breaks and not is_whole:
            return np.full((len(X), 2), np.nan)
        return self.known_.predict_proba(X if is_whole else X[:, ::-1] + 0.5)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def easy_rows():
    """Classes that the nearest neighbour tells better than a line."""
    rng = np.random.default_rng(5)
    X = np.round(8 * rng.normal(size=(500, 2))) / 8
    y = ((np.abs(X[:, 0]) + 0.05 * rng.normal(size=500)) > 0.7).astype(int)
    return X[:300], y[:300], X[300:], y[300:]


def test_the_level_at_which_the_best_loses_its_place_is_named():
    pool = {"coded": Coded(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    sweep = ic.noise.noise_sweep(pool, *easy_rows(), kind="features", levels=(0, 0.1, 0.3))
    found = ic.noise.measure_ability_loss(sweep)
    assert found.leaders().tolist() == [0, 1, 1]
    assert found.respondents[0] == "coded"
    said = "\n".join(found.say())
    assert "Best without noise: coded (skill" in said
    assert "With noise 0.1 tree has passed it, " in said
    assert "of coded, more than chance." in said
    assert found.is_clearly_better(1, 1, 0)
    assert not found.is_clearly_better(1, 0, 1)


def test_who_fails_under_noise_is_left_out_and_named():
    pool = {
        "breaks": Coded(breaks=True),
        "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
        "logistic": LogisticRegression(),
    }
    with pytest.warns(EvaluationWarning, match="breaks"):
        sweep = ic.noise.noise_sweep(pool, *easy_rows(), kind="features", levels=(0, 0.3))
    found = ic.noise.measure_ability_loss(sweep)
    assert set(found.respondents) == {"tree", "logistic"}
    assert any(line.startswith("Left out: breaks (at noise 0.3, ") for line in found.say())
    assert "breaks" not in ic.noise.compare_variation(sweep).respondents
