"""Ratings to expect: of the same answers by every rater, of a respondent by a fair panel."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.raters.likelihood.rater_parameters import UNIT
from itemcurve.estimation.raters.likelihood.rating_design import Codes, Numbers

if TYPE_CHECKING:
    from itemcurve.estimation.raters.rater_fit import RaterFit

_NODES = 7
# Answers are averaged over; more of them would not change an average.
_MOST_ANSWERS = 4000


@dataclass(frozen=True, eq=False)
class Severity:
    """How low every rater rates the same answers, in points, the origin being 0.

    Attributes
    ----------
    severity, errors : one per rater.
    means : expected rating of all answers, by each rater.
    covariance : of the means.
    """

    severity: Numbers
    errors: Numbers
    means: Numbers
    covariance: Numbers


def origin_weights(fit: "RaterFit") -> Numbers:
    """Weights of the raters whose average is the origin."""
    raters = fit.ratings.raters
    chosen = fit.settings.anchors or raters
    is_origin = np.array([name in chosen for name in raters], dtype=float)
    return np.asarray(is_origin / is_origin.sum())


def answer_qualities(fit: "RaterFit") -> tuple[Numbers, Numbers]:
    """Posterior mean and standard deviation of the quality of every answer."""
    joint = fit.point.posterior.joint(fit.hill.design)
    quality = fit.point.nodes.quality
    mean = (joint * quality).sum(axis=(1, 2))
    square = (joint * quality**2).sum(axis=(1, 2))
    return mean, np.sqrt(np.maximum(square - mean**2, 0.0))


def measure_severity(fit: "RaterFit") -> Severity:
    """Let every rater rate all answers, as expected, and compare the averages.

    Own families and times count as none. Errors come from those of the rater's discrimination,
    thresholds and tastes.
    """
    layout, values = fit.hill.layout, fit.values
    quality, partner = _sampled_qualities(fit)
    steps = np.diff(np.array(fit.ratings.grades))
    means = np.zeros(layout.raters)
    jacobian = np.zeros((layout.raters, layout.size))
    curves = fit.hill.design.curves
    for rater in range(layout.raters):
        seen = quality + values.tastes[rater, partner][:, None]
        z = values.discriminations[rater] * seen
        thresholds = values.thresholds[rater]
        reached = curves.reached(z, thresholds).mean(axis=(0, 1))
        means[rater] = fit.ratings.grades[0] + (reached * steps).sum()
        # What a higher threshold takes off the expected rating, at every quality.
        bend = np.einsum("aqkj,k->aqj", curves.reached_slopes(z, thresholds), steps)
        bend = bend / quality.size
        own = np.array(rater)
        numbers = np.arange(layout.thresholds)
        jacobian[rater, layout.threshold(own, numbers)] = -bend.sum(axis=(0, 1))
        jacobian[rater, layout.discrimination(own)] = (bend.sum(axis=2) * seen).sum()
        if layout.has_tastes:
            shift = np.bincount(partner, bend.sum(axis=(1, 2)), layout.partners)
            shift = shift * values.discriminations[rater]
            jacobian[rater, layout.taste(own, np.arange(layout.partners))] = shift
    covariance = jacobian @ fit.covariance @ jacobian.T
    contrast = origin_weights(fit)[None, :] - np.eye(layout.raters)
    errors = np.sqrt(np.maximum(np.diag(contrast @ covariance @ contrast.T), 0.0))
    return Severity(contrast @ means, errors, means, covariance)


def _sampled_qualities(fit: "RaterFit") -> tuple[Numbers, Codes]:
    """Likely qualities of answers (answers × nodes), and whose they are."""
    mean, spread = answer_qualities(fit)
    chosen = np.arange(len(mean))
    if len(chosen) > _MOST_ANSWERS:
        chosen = np.linspace(0, len(mean) - 1, _MOST_ANSWERS).astype(int)
    # Equally likely points, so that plain averages serve.
    x = _equal_points()
    return mean[chosen, None] + spread[chosen, None] * x, fit.hill.design.answer_partner[chosen]


def _equal_points() -> Numbers:
    from scipy.special import ndtri

    points = ndtri((np.arange(_NODES) + 0.5) / _NODES)
    return np.asarray(points / points.std())


def fair_ratings(fit: "RaterFit") -> tuple[Numbers, Numbers]:
    """Rating that the origin's raters would give each respondent over all items, and its slope.

    Tastes of raters for respondents are left out, and so is who happened to rate what. The slope
    is that in ability.
    """
    values, weights = fit.values, origin_weights(fit)
    level, slope, ability = _sides(fit)
    x = _equal_points() * np.sqrt(fit.spreads["answers"] ** 2)
    steps = np.diff(np.array(fit.ratings.grades))
    fair, lean = np.zeros(len(ability)), np.zeros(len(ability))
    curves = fit.hill.design.curves
    for n, own in enumerate(ability):
        quality = (slope * own + level)[:, None] + x
        for rater in np.flatnonzero(weights):
            alpha, thresholds = values.discriminations[rater], values.thresholds[rater]
            reached = curves.reached(alpha * quality, thresholds)
            fair[n] += weights[rater] * (reached.mean(axis=(0, 1)) * steps).sum()
            slopes = curves.reached_slopes(alpha * quality, thresholds).sum(axis=3)
            bend = (slopes * steps).sum(axis=2) * slope[:, None]
            lean[n] += weights[rater] * alpha * bend.mean()
    unit = values.spreads[UNIT] if fit.is_over_respondents else 1.0
    return fit.ratings.grades[0] + fair, lean * unit


def _sides(fit: "RaterFit") -> tuple[Numbers, Numbers, Numbers]:
    """Levels and slopes of items, and abilities of respondents, in units of quality."""
    level, _ = fit.unit_levels
    if fit.is_over_respondents:
        items = fit.values.abilities
        return items, np.ones(len(items)), level
    return level, fit.unit_slopes[0], fit.values.abilities
