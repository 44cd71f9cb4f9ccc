"""The scikit-learn face: conventions, output, and what it measures."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from itemcurve.datasets.simulation import simulate
from itemcurve.errors import ConvergenceWarning, ItemcurveError
from itemcurve.estimation.marginal.settings import Marginal
from itemcurve.sklearn import ItemResponseModel


# The checks feed arbitrary numbers; `binarize` turns them into right and wrong. No failure is
# expected. Data without structure make flat fits, of which a warning is due.
@pytest.mark.filterwarnings("ignore::itemcurve.errors.ConvergenceWarning")
@parametrize_with_checks([ItemResponseModel(binarize=0.0)])
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def drawn():
    return simulate("2pl", respondents=300, items=40, seed=1)


def test_abilities_are_recovered(drawn):
    X = drawn.responses.array()
    estimator = ItemResponseModel("2pl").fit(X)
    found = estimator.transform(X)
    assert found.shape == (300, 1)
    assert np.corrcoef(found[:, 0], drawn.abilities)[0, 1] > 0.9
    assert np.allclose(found[:, 0], estimator.abilities_, atol=0.02)
    assert estimator.result_.status.is_converged


def test_missing_responses_are_left_out(drawn):
    X = drawn.responses.array().copy()
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    estimator = ItemResponseModel("2pl").fit(X)
    assert np.corrcoef(estimator.transform(X)[:, 0], drawn.abilities)[0, 1] > 0.85


def test_output_can_be_a_table_with_errors(drawn):
    estimator = ItemResponseModel(with_errors=True).set_output(transform="pandas")
    table = estimator.fit_transform(drawn.responses.frame("wide"))
    assert list(table.columns) == ["ability", "ability_se"]
    assert list(estimator.bank_.items) == list(drawn.responses.items)


def test_a_truer_model_scores_higher_on_new_respondents():
    X = simulate("2pl", respondents=600, items=40, seed=2).responses.array()
    rasch, two = (
        cross_val_score(ItemResponseModel(name), X, cv=3).mean() for name in ("rasch", "2pl")
    )
    assert rasch < two < 0


def test_the_score_is_the_mean_log_likelihood(drawn):
    X = drawn.responses.array()
    estimator = ItemResponseModel("2pl").fit(X)
    abilities = estimator.transform(X)[:, 0]
    p = estimator.result_.expected_response(abilities)
    expected = np.mean(X * np.log(p) + (1 - X) * np.log1p(-p))
    assert estimator.score(X) == pytest.approx(expected)


def test_continuous_models_and_pipelines_work():
    X = simulate("2pl-nd", respondents=150, items=15, seed=1).responses.array()
    pipeline = make_pipeline(ItemResponseModel("2pl-nd"))
    assert pipeline.fit_transform(X).shape == (150, 1)
    assert np.isfinite(pipeline.score(X))


def test_it_is_shown_as_html_and_cloned():
    estimator = ItemResponseModel("3pl", scoring="wle")
    assert "ItemResponseModel" in estimator._repr_html_()
    assert clone(estimator).get_params() == estimator.get_params()


def test_wrong_responses_are_refused_with_advice():
    with pytest.raises(ItemcurveError, match="0 or 1"):
        ItemResponseModel("2pl").fit(np.full((5, 4), 0.3))
    with pytest.raises(ItemcurveError, match="one of"):
        ItemResponseModel("5pl").fit(np.eye(4))
    with pytest.raises(ItemcurveError, match="NaN"):
        ItemResponseModel("2pl").fit(np.full((5, 4), np.nan))


def test_failure_to_converge_is_warned_of():
    X = simulate("2pl", respondents=200, items=10, seed=1).responses.array()
    estimator = ItemResponseModel(method=Marginal(max_iterations=1))
    with pytest.warns(ConvergenceWarning):
        estimator.fit(X)


def test_importing_itemcurve_does_not_import_scikit_learn():
    code = "import sys, itemcurve; itemcurve.fit; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
