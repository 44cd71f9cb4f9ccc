"""Who never uses the ends of the scale: ends given, against what others would have given."""

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr

from itemcurve.estimation.raters.expected_ratings import answer_qualities
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.rater_fit import RaterFit


@dataclass(frozen=True, eq=False)
class EndUse:
    """Ends of the scale, one number per rater.

    Attributes
    ----------
    observed : share of its ratings at the lowest or the highest grade.
    expected : share that the other raters would have put there, of the same answers.
    p : chance of so few, were it as the others.
    """

    observed: Numbers
    expected: Numbers
    p: Numbers


def measure_ends(fit: RaterFit) -> EndUse:
    """Compare with what the other raters would have given to the answers a rater saw."""
    design, values = fit.hill.design, fit.values
    quality = answer_qualities(fit)[0][design.answer]
    n_raters = len(fit.ratings.raters)
    found = np.zeros((3, n_raters))
    for rater in range(n_raters):
        own = design.rater == rater
        others = np.delete(np.arange(n_raters), rater)
        z = values.discriminations[others] * quality[own][:, None]
        reached = design.curves.reached(z, values.thresholds[others])
        highest, lowest = reached[..., -1], 1 - reached[..., 0]
        expected = float((highest + lowest).mean())
        grade = design.grade[own]
        used = int(((grade == 0) | (grade == design.n_grades - 1)).sum())
        found[:, rater] = used / own.sum(), expected, bdtr(used, int(own.sum()), expected)
    return EndUse(*found)
