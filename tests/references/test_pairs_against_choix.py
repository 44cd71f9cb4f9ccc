"""Strengths from votes against other computations: choix, SciPy, a logistic regression."""

import numpy as np
import pytest
from scipy.optimize import minimize

import itemcurve as ic


def logs(theta, votes, style):
    """Davidson's log probabilities with strengths that sum to 0, an order effect and a style."""
    count = len(votes.respondents)
    strengths = np.append(theta[: count - 1], -theta[: count - 1].sum())
    order, ties, effect = theta[count - 1 :]
    eta = strengths[votes.first] - strengths[votes.second] + order + effect * style
    weights = np.stack([eta / 2, -eta / 2, np.full(len(eta), ties)], axis=1)
    return weights - np.log(np.exp(weights).sum(axis=1, keepdims=True))


def test_without_ties_strengths_are_those_of_choix():
    choix = pytest.importorskip("choix")
    votes = ic.pairs.simulate_votes(respondents=12, votes=3000, ties=0.0, seed=2)
    fit = ic.fit_pairs(votes.frame(), order=False)
    a_won = votes.outcomes == 0
    data = np.where(
        a_won[:, None],
        np.stack([votes.first, votes.second], axis=1),
        np.stack([votes.second, votes.first], axis=1),
    )
    expected = choix.ilsr_pairwise(12, data.tolist(), max_iter=1000, tol=1e-13)
    np.testing.assert_allclose(fit.estimates.strengths, expected - expected.mean(), atol=1e-6)


def test_with_a_prior_strengths_are_those_of_choix():
    choix = pytest.importorskip("choix")
    votes = ic.pairs.simulate_votes(respondents=6, votes=200, ties=0.0, seed=3)
    fit = ic.fit_pairs(votes.frame(), order=False, prior=2.0)
    data = [
        (a, b) if outcome == 0 else (b, a)
        for a, b, outcome in zip(votes.first, votes.second, votes.outcomes, strict=True)
    ]
    # Its penalty is α Σ θ², ours Σ θ² / (2 · 2²).
    expected = choix.opt_pairwise(6, data, alpha=1 / 8, tol=1e-12)
    np.testing.assert_allclose(fit.estimates.strengths, expected - expected.mean(), atol=1e-6)


def test_ties_order_and_style_are_those_of_scipy():
    votes = ic.pairs.simulate_votes(
        respondents=8, votes=3000, ties=0.25, order=0.4, length=0.4, seed=2
    )
    fit = ic.fit_pairs(votes.frame(), style="length")
    style = (votes.lengths[:, 0] - votes.lengths[:, 1]) / votes.lengths.sum(axis=1)
    style = style / np.sqrt((style**2).mean())
    rows = np.arange(len(style))

    def loss(theta):
        return -logs(theta, votes, style)[rows, votes.outcomes].sum() / len(rows)

    found = minimize(loss, np.zeros(10), method="BFGS", options={"gtol": 1e-9})
    strengths = np.append(found.x[:7], -found.x[:7].sum())
    np.testing.assert_allclose(fit.estimates.strengths, strengths, atol=1e-6)
    effects = fit.effects().set_index("effect")["estimate"]
    np.testing.assert_allclose(effects[["order", "ties", "length"]], found.x[7:], atol=1e-6)
    assert fit.log_likelihood == pytest.approx(-found.fun * len(rows), abs=1e-7)


def test_standard_errors_are_those_of_a_logistic_regression():
    """Without ties the model is one; statsmodels has its Fisher and its clustered errors."""
    api = pytest.importorskip("statsmodels.api")
    votes = ic.pairs.simulate_votes(
        respondents=5, votes=2000, ties=0.0, order=0.3, items=120, seed=4
    )
    design = np.zeros((2000, 5))
    rows = np.arange(2000)
    design[rows, votes.first] += 1
    design[rows, votes.second] -= 1
    # The last strength is minus the sum of the others.
    design = np.column_stack([design[:, :4] - design[:, 4:], np.ones(2000)])
    model = api.Logit((votes.outcomes == 0).astype(float), design)
    table = votes.frame()
    plain = ic.fit_pairs(table, errors="independent")
    fitted = model.fit(disp=False, tol=1e-12)
    np.testing.assert_allclose(plain.strength_errors[:4], fitted.bse[:4], rtol=1e-6)
    codes = np.unique(votes.item, return_inverse=True)[1]
    robust = model.fit(
        disp=False,
        tol=1e-12,
        cov_type="cluster",
        cov_kwds={"groups": codes, "df_correction": False, "use_correction": False},
    )
    clustered = ic.fit_pairs(table, errors="item")
    count = len(np.unique(codes))
    factor = np.sqrt(count / (count - 1))
    np.testing.assert_allclose(clustered.strength_errors[:4], factor * robust.bse[:4], rtol=1e-6)
