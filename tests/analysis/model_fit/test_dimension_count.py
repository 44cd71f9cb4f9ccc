"""How many abilities the responses of a benchmark hold."""

import numpy as np

import itemcurve as ic
from itemcurve.analysis.model_fit.dimension_count import count_abilities


def draw(respondents, items, seed, model="2pl"):
    drawn = ic.simulate(model, respondents=respondents, items=items, seed=seed)
    return np.asarray(drawn.responses.array(), dtype=float)


def draw_two(respondents=100, items=60):
    """Answers that need two abilities, half of the items each."""
    random = np.random.default_rng(0)
    ability = random.normal(size=(respondents, 2))
    loading = np.repeat([[2.0, 0.0], [0.0, 2.0]], items, axis=0)
    return 1.0 * (random.random((respondents, 2 * items)) < 1 / (1 + np.exp(-ability @ loading.T)))


def test_one_ability_is_enough_for_data_that_have_one():
    for seed, shape in enumerate([(30, 200), (80, 150), (120, 60)]):
        found = count_abilities(draw(*shape, seed))
        assert found.best == 1
        assert found.by_chance is None


def test_two_abilities_are_found_and_the_finding_says_how_much_they_help():
    values = draw_two()
    counted = count_abilities(values)
    assert counted.best == 2
    assert counted.gain > 0.1
    assert counted.by_chance < 0.02
    fit = ic.fit(ic.Responses.from_array(values), "rasch")
    found = {finding.code: finding for finding in ic.findings(fit)}["IRT014"]
    assert found.severity == "warning"
    assert found.message.startswith("One ability is not enough: 2 predict left-out")


def test_permuted_answers_hold_one_ability_at_most():
    """What permuted answers give too is no gain."""
    from dataclasses import replace

    counted = count_abilities(draw_two())
    assert replace(counted, by_chance=0.5).best == 1


def test_too_few_data_are_not_counted():
    assert count_abilities(draw(10, 200, 1)) is None
    assert count_abilities(draw(200, 10, 1)) is None
    answered_once = np.full((60, 60), np.nan)
    np.fill_diagonal(answered_once, 1.0)
    assert count_abilities(answered_once) is None


def test_what_nobody_answered_and_what_all_answer_alike_is_left_out():
    values = draw(60, 80, 1)
    values[:, 3], values[:, 5], values[7] = np.nan, 1.0, np.nan
    assert count_abilities(values).best == 1


def test_of_large_data_a_sample_is_counted():
    values = draw_two(400, 150)
    counted = count_abilities(values)
    assert counted.best == 2
    assert counted.cells < 0.2 * 40_000


def test_the_count_is_that_of_a_fit_of_several():
    values = draw(60, 60, 3)
    values[:, 4] = 1.0
    fitted = ic.fit(ic.Responses.from_array(values), "2pl", dimensions="auto").choice
    np.testing.assert_allclose(count_abilities(values).log_loss, fitted.log_loss)
