"""What noise costs in κ: in the easiest and the hardest bin, by difficulty and by noise."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.data_complexity import COMPLEX_ABOVE

if TYPE_CHECKING:
    import pandas

    from itemcurve.analysis.robustness.system_curves import SystemCurves


def kappa_gradients(curves: "SystemCurves") -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the κ lost from the smallest to the largest share of noise, per respondent.

    In the easiest bin (equation 8 of Fabra-Boluda et al.) and in the hardest (equation 9).
    """
    lost = curves.kappa[:, :, 0] - curves.kappa[:, :, -1]
    return lost[:, 0], lost[:, -1]


def kappa_losses(curves: "Sequence[SystemCurves]", *, split: bool = False) -> "pandas.DataFrame":
    """Give the mean κ loss of each respondent, by difficulty and by noise.

    By difficulty: mean over data sets of |Δ_easy − Δ_hard| (equation 10); by noise: mean of
    (Δ_easy + Δ_hard) / 2 (equation 11). A respondent is averaged over the data sets that have it.

    Parameters
    ----------
    curves : one per data set.
    split : also over simple and complex data sets apart (column `part`).
    """
    import pandas

    table = loss_table(curves)
    parts = {"all": table}
    if split:
        parts |= {
            "simple": table[table["complexity"] <= COMPLEX_ABOVE],
            "complex": table[table["complexity"] > COMPLEX_ABOVE],
        }
    found = []
    for part, rows in parts.items():
        means = rows.groupby("respondent", sort=False)[["loss_by_difficulty", "loss_by_noise"]]
        own = means.mean().reset_index()
        own["data_sets"] = means.size().to_numpy()
        own.insert(0, "part", part)
        found.append(own)
    joined = pandas.concat(found, ignore_index=True)
    return joined if split else joined.drop(columns="part")


def loss_table(curves: "Sequence[SystemCurves]") -> "pandas.DataFrame":
    """Give one row per data set and respondent: both gradients and both losses."""
    import pandas

    rows = []
    for one in curves:
        easy, hard = kappa_gradients(one)
        rows.append(
            pandas.DataFrame(
                {
                    "data_set": one.name,
                    "complexity": one.complexity,
                    "respondent": one.respondents,
                    "loss_easy": easy,
                    "loss_hard": hard,
                    "loss_by_difficulty": np.abs(easy - hard),
                    "loss_by_noise": (easy + hard) / 2,
                }
            )
        )
    return pandas.concat(rows, ignore_index=True)
