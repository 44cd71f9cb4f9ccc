"""Weak knowledge beside the ratings, and what fixes origin and unit of ability."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from itemcurve.estimation.raters.likelihood.rater_parameters import LEAN, Layout, RaterValues
from itemcurve.estimation.raters.likelihood.rating_curves import RatingCurves
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.numerics.engine import NUMPY

# Abilities have mean 0 and mean square 1, held by a spring this stiff per partner.
_STIFFNESS = 1e3
_DISCRIMINATION_SD = 5.0
_EFFECT_SD = 5.0
# Log spreads of units, slopes and answers: normal round these, wide by a factor of e.
_SPREAD_CENTRES = np.log([0.8, 0.25, 0.6])
_LEAN_SD = 2.0
_PSEUDO_RATINGS = 1.0


@dataclass(frozen=True, eq=False)
class Pooled:
    """How often each grade is given by all raters together, and by which curves."""

    shares: Numbers
    curves: RatingCurves


@dataclass(frozen=True, eq=False)
class Penalty:
    """Log prior density up to a constant, its gradient and minus its second derivatives."""

    value: float
    gradient: Numbers
    information: Numbers


def penalise(
    layout: Layout, vector: Numbers, pooled: Pooled, taste_sd: float, held: Numbers
) -> Penalty:
    """Evaluate all of it.

    Parameters
    ----------
    pooled : shares of the grades.
    taste_sd : spread of tastes.
    held : combinations of tastes that are held at zero (combinations × tastes).

    Thresholds: as if every rater had given one more rating, to an average answer, in the pooled
    shares of the grades; so a grade that a rater never used keeps a place on the scale.
    """
    values = layout.read(vector)
    gradient = np.zeros(layout.size)
    information = np.zeros((layout.size, layout.size))
    total = _scale(layout, values, gradient, information)
    total += _thresholds(layout, values, pooled, gradient, information)
    total += _centre_tastes(layout, values, held, gradient, information)
    starts = layout.starts
    normal: list[tuple[int, int, Any, float]] = [
        (starts[1], starts[2], 0.0, _DISCRIMINATION_SD),
        (starts[3], starts[4], 0.0, _EFFECT_SD),
        (starts[4], starts[5], 0.0, taste_sd),
        (starts[5], starts[5] + LEAN, _SPREAD_CENTRES, 1.0),
        (starts[5] + LEAN, starts[6], 0.0, _LEAN_SD),
    ]
    for first, last, centre, sd in normal:
        apart = (vector[first:last] - centre) / sd
        total += float(-0.5 * (apart**2).sum())
        gradient[first:last] -= apart / sd
        place = np.arange(first, last)
        information[place, place] += 1 / sd**2
    return Penalty(total, gradient, information)


def _centre_tastes(
    layout: Layout,
    values: RaterValues,
    held: Numbers,
    gradient: Numbers,
    information: Numbers,
) -> float:
    """Hold tastes to what is neither severity nor ability: their mean by rater and by partner.

    A taste for everybody is mildness, which thresholds have; one for the able is halo. What all
    raters like is ability: if tastes could stand for it, ability would be free to serve as a second
    one.
    """
    if not layout.has_tastes:
        return 0.0
    stiff = _STIFFNESS * layout.partners
    own = slice(layout.starts[4], layout.starts[5])
    means = held @ values.tastes.ravel()
    gradient[own] -= stiff * (held.T @ means)
    information[own, own] += stiff * (held.T @ held)
    return float(-0.5 * stiff * (means**2).sum())


def taste_means(balance: Numbers, abilities: Numbers) -> Numbers:
    """Means of tastes that are held at zero, by rater and by partner (means × tastes)."""
    raters, partners = balance.shape
    known = (balance > 0) / np.maximum((balance > 0).sum(axis=1, keepdims=True), 1)
    by_rater = np.einsum("rn,rs->rsn", known, np.eye(raters)).reshape(raters, -1)
    by_partner = np.einsum("rn,nm->nrm", balance, np.eye(partners)).reshape(partners, -1)
    by_ability = by_rater * np.tile(abilities, raters)
    return np.vstack([by_rater, by_ability, by_partner])


def _scale(layout: Layout, values: RaterValues, gradient: Numbers, information: Numbers) -> float:
    theta, count = values.abilities, layout.partners
    mean, square = theta.mean(), (theta**2).mean() - 1
    stiff = _STIFFNESS * count
    own = slice(0, count)
    ones, lever = np.ones(count) / count, theta / count
    gradient[own] -= stiff * (mean * ones + square * lever)
    bend = np.outer(ones, ones) + 2 * np.outer(lever, lever)
    information[own, own] += stiff * bend
    return float(-0.5 * stiff * (mean**2 + square**2 / 2))


def _thresholds(
    layout: Layout,
    values: RaterValues,
    pooled: Pooled,
    gradient: Numbers,
    information: Numbers,
) -> float:
    raters = np.repeat(np.arange(layout.raters), layout.grades)
    grade = np.tile(np.arange(layout.grades), layout.raters)
    weight = _PSEUDO_RATINGS * np.tile(pooled.shares, layout.raters)
    curves, thresholds = pooled.curves, values.thresholds[raters]
    z = np.zeros(len(grade))
    value = curves.log_probability(NUMPY, z, thresholds, grade)
    scores, curvature = curves.derivatives(NUMPY, z, thresholds, grade)
    fixed = curves.fixed(thresholds, grade)
    slots = curves.slots(grade, layout.grades)
    both = np.zeros((len(grade), slots.shape[1], slots.shape[1]))
    for (one, other), amount in curvature.items():
        both[:, one, other] = both[:, other, one] = amount
    steep = np.stack(scores, axis=1)
    if fixed is not None:
        value, steep, both = value + fixed.value, steep + fixed.scores, both + fixed.curvature
    for one in range(slots.shape[1]):
        own = slots[:, one] >= 0
        place = layout.threshold(raters, slots[:, one])
        np.add.at(gradient, place[own], (weight * steep[:, one])[own])
        for other in range(slots.shape[1]):
            used = own & (slots[:, other] >= 0)
            second = layout.threshold(raters, slots[:, other])
            np.add.at(
                information, (place[used], second[used]), (weight * both[:, one, other])[used]
            )
    return float((weight * value).sum())
