"""The paper's regressors and references."""

import numpy as np
import pytest

from itemcurve_studies.gamma.regressors import METHODS, RESPONDENTS, fit_errors, predict_all


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (80, 1))
    y = x[:, 0] ** 3
    return fit_errors(predict_all(x[:60], y[:60], x[60:], 0), y[60:])


def test_references_lie_at_both_ends(fitted):
    for abilities in fitted.abilities:
        order = [RESPONDENTS[place] for place in np.argsort(abilities)]
        assert order[-1] == "Optimal"
        assert "Worst" in order[:3]
    assert fitted.abilities.shape == (len(METHODS), 13)
    assert fitted.errors[RESPONDENTS.index("Average")] == pytest.approx(1.0, abs=0.01)
