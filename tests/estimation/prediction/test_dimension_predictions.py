"""Predictions of responses from several abilities."""

import numpy as np

import itemcurve as ic


def test_intervals_hold_scores_that_were_left_out():
    rng = np.random.default_rng(0)
    slopes = rng.normal(size=(25, 2))
    scores = rng.normal(size=(60, 2)) @ slopes.T + rng.normal(size=25)
    values = 1 / (1 + np.exp(-scores - 0.4 * rng.normal(size=scores.shape)))
    kept, held = ic.Responses.from_array(values).split(0.15, seed=1)
    fit = ic.fit(kept, "logit-normal", dimensions=2, on_failure="ignore")
    found = fit.predict()
    cells = ~np.isnan(held.array())
    inside = (found.lower <= values) & (values <= found.upper)
    assert 0.85 < inside[cells].mean() < 0.95
    error = np.abs(found.median - values)[cells].mean()
    plain = np.abs(np.nanmean(kept.array(), axis=0) - values)[cells].mean()
    assert error < 0.6 * plain


def test_a_second_ability_predicts_better_where_there_are_two():
    rng = np.random.default_rng(1)
    slopes = np.kron(np.eye(2), np.ones((20, 1))) * 2.0
    chance = 1 / (1 + np.exp(-rng.normal(size=(120, 2)) @ slopes.T))
    answers = (rng.random(chance.shape) < chance).astype(float)
    kept, held = ic.Responses.from_array(answers).split(0.15, seed=1)
    cells = ~np.isnan(held.array())
    truth = answers[cells]

    def loss(fit):
        expected = np.clip(fit.predict().mean[cells], 1e-4, 1 - 1e-4)
        return -(truth * np.log(expected) + (1 - truth) * np.log1p(-expected)).mean()

    assert loss(ic.fit(kept, "2pl", dimensions=2)) < 0.95 * loss(ic.fit(kept, "2pl"))
