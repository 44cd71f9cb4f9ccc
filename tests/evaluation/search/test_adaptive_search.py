"""The search: scikit-learn's conventions, fewer trainings, the same winner as the whole grid."""

import numpy as np
import pandas
import pytest
from sklearn import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, ParameterSampler
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from itemcurve.errors import EvaluationError
from itemcurve.sklearn import AdaptiveSearchCV

GRID = {"max_depth": [1, 2, 3, 5, 8, None], "min_samples_leaf": [1, 5, 20, 60]}


# One of the checks casts infinite labels, of which NumPy warns inside of scikit-learn.
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@parametrize_with_checks(
    [AdaptiveSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2, error_score="raise")]
)
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:400], y.iloc[:400]


def test_the_winner_is_as_good_as_that_of_the_grid_after_fewer_fits(cancer):
    tree = DecisionTreeClassifier(random_state=0)
    found = AdaptiveSearchCV(tree, GRID).fit(*cancer)
    whole = GridSearchCV(tree, GRID).fit(*cancer)
    scores = pandas.DataFrame(whole.cv_results_).set_index(
        [f"param_{name}" for name in GRID], drop=False
    )
    chosen = next(row for row in scores.to_dict("records") if row["params"] == found.best_params_)
    assert found.n_fits_ < 24 * 5 / 2
    assert chosen["mean_test_score"] > whole.best_score_ - 0.01
    assert found.best_score_ == pytest.approx(chosen["mean_test_score"])
    assert found.cv_results_["rank_test_score"][found.best_index_] == 1
    assert list(found.feature_names_in_) == list(cancer[0].columns)
    # Splits that were run have the very scores of the grid.
    split = found.cv_results_["split0_test_score"]
    assert split == pytest.approx(whole.cv_results_["split0_test_score"])
    unseen = found.cv_results_["n_splits"] < 5
    assert unseen.any()
    assert np.isnan(found.cv_results_["split4_test_score"][unseen]).all()


def test_level_nought_stops_only_twins(cancer):
    grid = {"max_depth": [1, 2, 3]}
    found = AdaptiveSearchCV(DecisionTreeClassifier(random_state=0), grid, level=0).fit(*cancer)
    assert found.n_fits_ == 15
    twins = {"min_samples_leaf": [1, 5], "max_depth": [1]}
    found = AdaptiveSearchCV(DecisionTreeClassifier(random_state=0), twins, level=0).fit(*cancer)
    assert found.n_fits_ == 2


def test_regressors_pipelines_groups_and_samplers_are_taken():
    X, y = load_diabetes(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), Ridge())
    sampler = ParameterSampler({"ridge__alpha": [0.1, 1.0, 10.0, 1e3, 1e4, 1e5]}, 5, random_state=0)
    search = AdaptiveSearchCV(pipe, sampler, cv=GroupKFold(4))
    found = clone(search).fit(X, y, groups=np.arange(len(y)) % 7)
    assert found.n_splits_ == 4
    assert found.best_params_["ridge__alpha"] < 1e4
    assert found.score(X, y) == pytest.approx(found.best_estimator_.score(X, y))


def test_candidates_that_fail_stop_and_all_failing_is_an_error(cancer):
    tree = DecisionTreeClassifier(random_state=0)
    with pytest.warns(FitFailedWarning, match="1 of 3 fits failed"):
        found = AdaptiveSearchCV(tree, {"max_depth": [2, -1, 3]}).fit(*cancer)
    assert found.best_params_ != {"max_depth": -1}
    with pytest.raises(EvaluationError, match="all failed"):
        AdaptiveSearchCV(tree, {"max_depth": [-1]}).fit(*cancer)
    with pytest.raises(EvaluationError, match=r"below 0\.5"):
        AdaptiveSearchCV(tree, GRID, level=0.7).fit(*cancer)
