"""Comparing fits: held-out scores, and what may be compared with what."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.analysis.model_fit.fit_comparison import _notes
from itemcurve.analysis.model_fit.held_out import score_held_out
from itemcurve.errors import ModelError, ResponsesError
from itemcurve.estimation.pointwise_log_likelihood import CellDensities
from itemcurve.models.likelihood import Likelihood


@pytest.fixture(scope="module")
def scores():
    return ic.simulate("beta3", respondents=60, items=10, seed=1, missing=0.1).responses


@pytest.fixture(scope="module")
def answers():
    return ic.simulate("2pl", respondents=120, items=12, seed=1).responses


def test_the_generating_model_predicts_best():
    drawn = ic.simulate("beta3", respondents=150, items=15, seed=2).responses
    fits = [ic.fit(drawn, m, on_failure="ignore") for m in ("2pl-nd", "beta3", "logit-normal")]
    table = ic.compare(*fits).frame()
    assert table["model"][0] == "beta3"
    assert table["held_out_difference"][0] == 0
    assert (table["held_out_difference"][1:] < 0).all()
    assert table["measure"].nunique() == 1


def test_the_same_seed_gives_the_same_table_and_another_seed_other_cells(answers):
    fits = [ic.fit(answers, model) for model in ("1pl", "2pl")]
    first, again, other = (ic.compare(*fits, seed=seed).frame() for seed in (4, 4, 5))
    assert first.equals(again)
    assert not np.isclose(first["held_out"], other["held_out"]).any()


def test_log_densities_of_cells_sum_to_the_likelihood(scores):
    fitted = ic.fit(scores, "beta3", method=ic.Marginal(over="respondents"))
    estimates = fitted.estimates
    likelihood = Likelihood(estimates.model)
    cells = CellDensities.of(likelihood, scores)
    found = cells.log_density(estimates.abilities, estimates.values)
    assert len(found) == scores.n_observed
    from scipy.stats import beta

    from itemcurve.numerics.engine import NUMPY

    array = scores.array()
    natural = Likelihood(estimates.model).natural
    eta = [e.T for e in natural(NUMPY, estimates.abilities, estimates.values)]
    inside = (array > 1e-3) & (array < 1 - 1e-3)
    expected = np.where(
        inside,
        beta.logpdf(np.clip(array, 1e-3, 1 - 1e-3), *eta),
        np.where(array <= 1e-3, beta.logcdf(1e-3, *eta), beta.logsf(1 - 1e-3, *eta)),
    )
    np.testing.assert_allclose(found, expected[~np.isnan(array)], rtol=1e-6, atol=1e-8)


def test_a_comparison_of_saved_runs_repeats_the_fits_with_their_own_settings(scores, tmp_path):
    fits = [
        ic.fit(scores, "beta3", boundary=boundary, method=ic.Marginal(over="respondents"))
        for boundary in ("censor", "clip")
    ]
    for index, fit in enumerate(fits):
        fit.save(tmp_path / str(index))
    loaded = [ic.load(tmp_path / str(index)) for index in range(2)]
    assert ic.compare(*loaded).frame().equals(ic.compare(*fits).frame())


def test_it_says_which_columns_are_comparable(answers):
    fits = [ic.fit(answers, "2pl", method=ic.Marginal(over=o)) for o in ("respondents", "items")]
    found = ic.compare(*fits, names=["a", "b"])
    assert any("a, b" in note and "held-out" in note for note in found.notes)
    same = ic.compare(fits[0], fits[0], names=["a", "b"])
    assert same.notes == ("All columns are comparable: one objective, one measure.",)


def test_probabilities_and_densities_never_compare():
    measures = ["probability", "density, censored at 0.001", "density, censored at 0.001"]
    notes = _notes(["a", "b", "c"], measures, ["one", "two", "two"])
    assert any("b, c: all columns" in note for note in notes)
    assert any("probability" in note and "density" in note for note in notes)


def test_a_respondent_left_without_cells_is_not_scored():
    array = ic.simulate("2pl", respondents=40, items=10, seed=3).responses.array()
    array[0, 1:] = np.nan
    responses = ic.Responses.from_array(array)
    fitted = ic.fit(responses, "2pl")
    sizes = {len(score_held_out(fitted, 0.5, seed).log_densities) for seed in range(6)}
    assert sizes <= {round(0.5 * responses.n_observed) - k for k in (0, 1)}


def test_fits_of_other_responses_are_refused(answers, scores):
    fits = ic.fit(answers, "2pl"), ic.fit(answers.take(list(range(100))), "2pl")
    with pytest.raises(ResponsesError, match="same responses"):
        ic.compare(*fits)


def test_one_fit_or_wrong_names_are_refused(answers):
    fitted = ic.fit(answers, "1pl")
    with pytest.raises(ModelError, match="two fits"):
        ic.compare(fitted)
    with pytest.raises(ModelError, match="name"):
        ic.compare(fitted, fitted, names=["a", "a"])
