"""Classes in bins of difficulty, and where noise moves predictions to."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.changed_predictions import SINGLE_CLASS, count_changes
from itemcurve.analysis.robustness.interval_contrast import wilson_interval
from itemcurve.analysis.robustness.system_curves import SystemCurves

if TYPE_CHECKING:
    import pandas


def class_makeup(curves: SystemCurves) -> "pandas.DataFrame":
    """Give one row per bin and class: how many instances, and what share of the bin.

    Bin 0 is the whole data set (figures B1 and B2 of Fabra-Boluda et al.).
    """
    import pandas

    rows = []
    for place in range(-1, curves.n_bins):
        inside = curves.bins >= 0 if place < 0 else curves.bins == place
        counts = np.bincount(curves.labels[inside], minlength=len(curves.classes))
        rows.append(
            pandas.DataFrame(
                {
                    "bin": place + 1,
                    "label": curves.classes,
                    "instances": counts,
                    "share": counts / max(counts.sum(), 1),
                }
            )
        )
    return pandas.concat(rows, ignore_index=True)


def noise_destinations(curves: SystemCurves) -> "pandas.DataFrame":
    """Give one row per respondent and bin: how many predictions noise moves, and where most go.

    `moves` and `moved` are number and share of instances whose noisy prediction differs from the
    clean one, all being noisy, the share with Wilson's interval; `to` is the class that most of
    these move to, `to_share` its share among them.
    """
    import pandas

    changed, sizes = count_changes(curves)
    shares = [
        wilson_interval(changed[:, place], int(size), curves.level)
        for place, size in enumerate(sizes)
    ]
    rows = []
    for who, name in enumerate(curves.respondents):
        for place in range(curves.n_bins):
            inside = curves.bins == place
            clean, noisy = curves.clean[who, inside], curves.noisy[who, inside]
            goals = np.bincount(noisy[clean != noisy], minlength=len(curves.classes))
            moved = int(changed[who, place])
            rows.append(
                {
                    "respondent": name,
                    "bin": place + 1,
                    "rows": int(sizes[place]),
                    "moves": moved,
                    "moved": moved / max(int(sizes[place]), 1),
                    "moved_lower": shares[place].lower[who],
                    "moved_upper": shares[place].upper[who],
                    "to": curves.classes[int(goals.argmax())] if moved else "",
                    "to_share": goals.max() / moved if moved else np.nan,
                }
            )
    return pandas.DataFrame(rows)


def flag_strays(curves: SystemCurves, respondent: str) -> "pandas.DataFrame":
    """Give the instances of single-class easy bins that a respondent predicts otherwise.

    Where nine in ten instances of an easy bin (below the middle) are of one class, another
    prediction is doubtful: a use that the paper suggests. One row per instance: its position, bin,
    label, the class of the bin, the prediction, and whether it is wrong.
    """
    import pandas

    who = curves.respondents.index(respondent)
    names = np.array(curves.classes, dtype=object)
    found = []
    for place in range(curves.n_bins // 2):
        inside = np.flatnonzero(curves.bins == place)
        counts = np.bincount(curves.labels[inside], minlength=len(names))
        if counts.max() < SINGLE_CLASS * len(inside):
            continue
        stray = inside[curves.clean[who, inside] != counts.argmax()]
        found.append(
            pandas.DataFrame(
                {
                    "position": stray,
                    "bin": place + 1,
                    "label": names[curves.labels[stray]],
                    "bin_label": names[counts.argmax()],
                    "predicted": names[curves.clean[who, stray]],
                    "is_wrong": curves.clean[who, stray] != curves.labels[stray],
                }
            )
        )
    columns = ["position", "bin", "label", "bin_label", "predicted", "is_wrong"]
    return pandas.concat(found, ignore_index=True) if found else pandas.DataFrame(columns=columns)


def choose_by_difficulty(curves: SystemCurves, difficulty: NDArray[np.floating]) -> list[str]:
    """Choose a model for each new instance by its predicted difficulty.

    Taken is the model with most right answers, half of the instances being noisy, in the bin whose
    mean difficulty is nearest: the paper's first use of system curves.

    Parameters
    ----------
    difficulty : of the new instances, as from `predict_difficulty`.
    """
    best = []
    for place in range(curves.n_bins):
        inside = curves.bins == place
        right = (curves.clean[:, inside] == curves.labels[inside]).mean(axis=1)
        noisy = (curves.noisy[:, inside] == curves.labels[inside]).mean(axis=1)
        best.append(curves.respondents[int((right + noisy).argmax())])
    nearest = np.abs(np.asarray(difficulty)[:, np.newaxis] - curves.difficulty).argmin(axis=1)
    return [best[place] for place in nearest]
