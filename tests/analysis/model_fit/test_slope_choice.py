"""Slopes as free as the data bear."""

import numpy as np
import pytest

from itemcurve.analysis.model_fit.slope_choice import fit_as_free_as_borne
from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses


def expected_answers(respondents: int, items: int = 300) -> Responses:
    """Of good models, as evaluations grade them: nearly all right, and nearly all alike."""
    rng = np.random.default_rng(respondents)
    difficulty = rng.normal(-2.5, 1.5, items)
    ability = np.linspace(-0.3, 0.3, respondents)[:, None]
    right = rng.random((respondents, items)) < 1 / (1 + np.exp(difficulty - ability))
    return Responses.from_array(np.where(right, 0.98, 0.03))


@pytest.mark.parametrize("respondents", [2, 3, 4])
def test_few_respondents_have_equal_slopes_and_finite_errors(respondents):
    choice = fit_as_free_as_borne(expected_answers(respondents))
    assert list(choice.evidence) == ["equal"]
    assert "fewer than 5 respondents tell nothing of slopes" in choice.say()
    errors = choice.fit.respondents["ability_se"]
    unit = choice.fit.estimates.population["ability_unit"]
    assert (errors * unit).between(0.05, 0.5).all()


def test_slopes_of_more_respondents_are_compared():
    choice = fit_as_free_as_borne(expected_answers(6))
    assert list(choice.evidence) == ["equal", "shrunk", "free"]


@pytest.mark.parametrize("respondents", [2, 3])
def test_a_population_at_its_edge_leaves_abilities_where_they_were_found(respondents):
    found = fit(expected_answers(respondents), "fractional-2pl")
    assert abs(found.estimates.population["ability_location"]) < 11
    assert found.estimates.population["ability_unit"] > 1e-3
    # In units of their spread, which is small.
    assert found.respondents["ability_se"].max() < 50
