"""The score over the whole bank, from a session or a moment of it."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.adaptive.score_estimate import ScoreEstimate
from itemcurve.adaptive.state import AdaptiveState
from itemcurve.estimation.calibration import expected_doubt

if TYPE_CHECKING:
    from itemcurve.adaptive.session import AdaptiveTest


def predict_session(test: "AdaptiveTest") -> ScoreEstimate:
    """Predict the mean response over the whole bank from the answers of a test."""
    return predict_state(test.state)


def predict_state(state: AdaptiveState) -> ScoreEstimate:
    """Answers where there are some, expectations under the posterior elsewhere."""
    bank, size = state.bank, len(state.bank)
    open_items = np.ones(size, dtype=bool)
    open_items[state.answered] = False
    curves = bank.expected_response(state.nodes)[:, open_items].sum(axis=1) / size
    given = float(state.responses.sum()) / size
    mean = float(state.posterior @ curves)
    spread = float(state.posterior @ (curves - mean) ** 2)
    doubt = float(expected_doubt(bank, state.ability)[open_items].sum()) / size**2
    half = 1.645 * float(np.sqrt(spread + doubt))
    value = given + mean
    return ScoreEstimate(value, value - half, value + half)
