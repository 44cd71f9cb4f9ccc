"""What a system characteristic curve says of a model, in a word."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.kappa_losses import kappa_gradients
from itemcurve.analysis.system_curves import SystemCurves

if TYPE_CHECKING:
    import pandas

ROBUST, NOISE = "robust to both", "weak to noise"
DIFFICULTY, REVERSE = "weak to difficulty", "reverse pattern"
VERDICTS = (ROBUST, NOISE, DIFFICULTY, REVERSE)


def judge_curves(curves: SystemCurves, margin: float = 0.1) -> "pandas.DataFrame":
    """Give one row per respondent: losses in the easiest and hardest bin, and a verdict.

    With the losses of equations 8 and 9, where noise costs more than `margin` more in the
    hardest bin than in the easiest the model is weak to difficulty, and the other way round it
    shows the reverse pattern. Else it is weak to noise when their mean (equation 11) exceeds the
    margin, and robust to both when it does not. `is_clear` says whether the deciding number lies
    outside the margin by more than the bootstrap intervals of the two bins.
    """
    import pandas

    easy, hard = kappa_gradients(curves)
    half = (curves.upper - curves.lower)[:, :, -1] / 2
    error = np.hypot(half[:, 0], half[:, -1])
    gap, mean = hard - easy, (easy + hard) / 2
    by_bins = np.abs(gap) > margin
    words = np.where(mean > margin, NOISE, ROBUST)
    words = np.where(gap > margin, DIFFICULTY, np.where(gap < -margin, REVERSE, words))
    clear_gap = np.abs(np.abs(gap) - margin) > error
    clear_mean = clear_gap & (np.abs(mean - margin) > error / 2)
    return pandas.DataFrame(
        {
            "respondent": curves.respondents,
            "loss_easy": easy,
            "loss_hard": hard,
            "loss_by_difficulty": np.abs(gap),
            "loss_by_noise": mean,
            "verdict": words,
            "is_clear": np.where(by_bins, clear_gap, clear_mean),
        }
    )
