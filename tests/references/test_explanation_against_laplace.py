"""Difficulty on features against a direct maximisation, respondents and items both integrated out.

The likelihood of the 1PL with features and a residual of each item has no closed form over both
sides. Laplace's approximation of it is what R lme4 maximises for such models.
"""

import numpy as np
import pandas
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

import itemcurve as ic


@pytest.fixture(scope="module")
def verbal(shared_data):
    """What 316 people would do or want to do when annoyed (De Boeck and Wilson 2004)."""
    table = pandas.read_csv(shared_data / "data" / "students" / "verbal_aggression.csv")
    answers = table.iloc[:, :24]
    names = list(answers.columns)
    features = pandas.DataFrame(
        {
            "do": [float("Do" in name) for name in names],
            "self": [float(name[1] in "34") for name in names],
            "scold": [float(name.endswith("Scold")) for name in names],
            "shout": [float(name.endswith("Shout")) for name in names],
        },
        index=names,
    )
    return ic.Responses.from_array(answers.to_numpy(float), items=names), features


def laplace(answers, design):
    """Coefficients, standard errors and both spreads at the maximum."""
    respondents, items = answers.shape
    terms = design.shape[1]

    def loss(parameters):
        beta, (log_sd, log_spread) = parameters[:terms], parameters[terms:]
        one, other = np.exp(-2 * log_sd), np.exp(-2 * log_spread)
        ability, residual = np.zeros(respondents), np.zeros(items)
        for _ in range(50):
            predictor = ability[:, None] - design @ beta - residual
            chance = expit(predictor)
            weight = chance * (1 - chance)
            first, second = weight.sum(axis=1) + one, weight.sum(axis=0) + other
            schur = np.diag(second) - weight.T @ (weight / first[:, None])
            up = (answers - chance).sum(axis=1) - one * ability
            down = -(answers - chance).sum(axis=0) - other * residual
            step = np.linalg.solve(schur, down + weight.T @ (up / first))
            move = (up + weight @ step) / first
            ability, residual = ability + np.clip(move, -1, 1), residual + np.clip(step, -1, 1)
            if np.abs(move).max() < 1e-10:
                break
        height = (answers * predictor - np.logaddexp(0, predictor)).sum()
        height -= 0.5 * (one * ability @ ability + other * residual @ residual)
        height -= respondents * log_sd + items * log_spread
        return 0.5 * (np.log(first).sum() + np.linalg.slogdet(schur)[1]) - height

    start = np.r_[np.linalg.lstsq(design, -logit(answers.mean(axis=0)), rcond=None)[0], 0, -1]
    bounds = [(-4, 4)] * terms + [(-1, 1), (-3, 1)]
    settings = {"eps": 1e-4, "ftol": 1e-13}
    best = minimize(loss, start, method="L-BFGS-B", bounds=bounds, options=settings).x
    step = 1e-2 * np.eye(len(best))
    bend = [
        [
            loss(best + a + b) - loss(best + a - b) - loss(best - a + b) + loss(best - a - b)
            for b in step
        ]
        for a in step
    ]
    spread = np.linalg.inv(np.array(bend) / 4e-4)
    return best[:terms], np.sqrt(np.diag(spread))[:terms], np.exp(best[terms:])


def test_difficulties_of_angry_words_are_those_of_a_direct_maximisation(verbal):
    responses, features = verbal
    design = np.column_stack([np.ones(24), features.to_numpy()])
    expected, errors, (sd, spread) = laplace(responses.array(), design)
    fit = ic.fit(responses, "1pl")
    found = fit.explain_items(features)
    # Theirs are in logits, ours in standard deviations of ability.
    unit = float(fit.items["discrimination"].iloc[0])
    assert unit == pytest.approx(sd, rel=5e-3)
    table = found.coefficients
    np.testing.assert_allclose(table["estimate"] * unit, expected, rtol=5e-3)
    # Theirs is the maximum likelihood spread of 24 items around 5 terms, ours is corrected for it.
    correction = np.sqrt(24 / 19)
    assert found.residual_sd * unit == pytest.approx(spread * correction, rel=0.05)
    np.testing.assert_allclose(table["se"][1:] * unit, errors[1:] * correction, rtol=0.03)
