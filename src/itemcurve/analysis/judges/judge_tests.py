"""Tests of raters, each of all raters together, so that few of the flags are false."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from itemcurve.analysis.model_fit.item_fit import adjust
from itemcurve.estimation.raters.expected_ratings import answer_qualities, measure_severity
from itemcurve.estimation.raters.likelihood.rating_design import Numbers
from itemcurve.estimation.raters.one_step import step_towards
from itemcurve.estimation.raters.rater_fit import RaterFit
from itemcurve.estimation.raters.rater_tables import respondent_abilities

# A rater is called severe or mild where it matters who rates: half a standard deviation of the
# respondents at least, and more than raters of this panel differ as a rule; three quarters of one
# in any case. Inconsistent is one below half of the others' discrimination.
LEAST_MARGIN, LARGEST_MARGIN, USUAL = 0.5, 0.75, 2.0
LEAST_SHARE = 0.5
# The median distance from the median, as a standard deviation of a normal.
_NORMAL = 1.4826


@dataclass(frozen=True, eq=False)
class RaterTest:
    """One test of every rater.

    Attributes
    ----------
    effect, errors : in the unit of the test.
    points : the effect in points of the rating scale.
    p, adjusted : p-values, and adjusted for all raters (Benjamini and Hochberg 1995).
    """

    effect: Numbers
    errors: Numbers
    points: Numbers
    p: Numbers
    adjusted: Numbers

    def found(self, rate: float) -> NDArray[np.bool_]:
        """Which raters are flagged at this rate of false ones."""
        return np.asarray(np.nan_to_num(self.adjusted, nan=1.0) <= rate)


def examine_severity(fit: RaterFit) -> RaterTest:
    """Compare each rater's expected ratings of all answers with the median of the others.

    Tested is whether the difference exceeds a margin, from half a standard deviation of the
    respondents to three quarters of one: twice what the others differ from their median as a rule.
    """
    severity = measure_severity(fit)
    count, spread = len(severity.means), float(fit.respondents["fair_rating"].std())
    apart, errors, margin = np.zeros(count), np.zeros(count), np.zeros(count)
    for rater in range(count):
        others = np.delete(np.arange(count), rater)
        middle = np.median(severity.means[others])
        apart[rater] = middle - severity.means[rater]
        usual = _NORMAL * float(np.median(np.abs(severity.means[others] - middle)))
        margin[rater] = np.clip(USUAL * usual, LEAST_MARGIN * spread, LARGEST_MARGIN * spread)
        contrast = np.full(count, 1 / (count - 1))
        contrast[rater] = -1
        errors[rater] = np.sqrt(max(contrast @ severity.covariance @ contrast, 0.0))
    p = ndtr(-(np.abs(apart) - margin) / np.maximum(errors, 1e-9))
    return RaterTest(apart, errors, apart, p, adjust(p))


def examine_consistency(fit: RaterFit) -> RaterTest:
    """Ask whether a rater follows quality less than half as closely as the others do."""
    alpha, errors = fit.values.discriminations, fit.errors().discriminations
    others = np.array([np.median(np.delete(alpha, r)) for r in range(len(alpha))])
    p = ndtr((alpha - LEAST_SHARE * others) / np.maximum(errors, 1e-9))
    return RaterTest(alpha / others, errors / others, np.full(len(alpha), np.nan), p, adjust(p))


def examine_effect(fit: RaterFit, name: str) -> RaterTest:
    """Test the effect of a covariate on each rater's ratings, against zero, both ways.

    Tastes for single respondents are in the fit, so a liking for a family stands out only where it
    exceeds what raters make of respondents anyway; with few respondents t replaces the normal.
    """
    layout = fit.hill.layout
    number = list(fit.covariates).index(name)
    place = layout.effect(np.arange(layout.raters), number)
    effect, errors = fit.vector[place], np.sqrt(np.diag(fit.covariance)[place])
    known = fit.hill.free[place] & (errors > 0)
    ratio = np.divide(effect, errors, out=np.zeros_like(effect), where=known)
    freedom = max(len(fit.ratings.respondents) - 2, 1)
    p = np.where(known, 2 * stdtr(freedom, -np.abs(ratio)), np.nan)
    points = np.where(known, _points(fit, number, effect), np.nan)
    return RaterTest(
        np.where(known, effect, np.nan), np.where(known, errors, np.nan), points, p, adjust(p)
    )


def _points(fit: RaterFit, number: int, effect: Numbers) -> Numbers:
    """What an effect changes in expected ratings: of those it concerns, per unit of covariate."""
    design, values = fit.hill.design, fit.values
    quality = answer_qualities(fit)[0][design.answer]
    steps = np.diff(np.array(fit.ratings.grades))
    covariate = design.covariates[:, number]
    offsets = values.offsets(design) - covariate * effect[design.rater]
    z = values.discriminations[design.rater] * quality + offsets
    thresholds = values.thresholds[design.rater]
    without = (design.curves.reached(z, thresholds) * steps).sum(axis=1)
    with_ = (design.curves.reached(z + effect[design.rater], thresholds) * steps).sum(axis=1)
    concerned = np.abs(covariate) > 0
    total = np.bincount(design.rater[concerned], (with_ - without)[concerned], design.n_raters)
    counts = np.bincount(design.rater[concerned], minlength=design.n_raters)
    return np.divide(total, counts, out=np.full(len(total), np.nan), where=counts > 0)


def examine_halo(fit: RaterFit) -> RaterTest | None:
    """Ask whether a rater follows the respondent's ability beyond the quality of its answers.

    The unit is the share by which a difference of ability counts more than the same difference in
    quality, against the mean of the raters; only large shares are halo, so one side is tested.
    None where fewer than three raters follow quality at all, or respondents are many.
    """
    alpha = fit.values.discriminations
    usable = alpha > 3 * fit.errors().discriminations
    if fit.is_over_respondents or usable.sum() < 3:
        return None
    ability = respondent_abilities(fit)[0][fit.ratings.respondent]
    step, covariance = step_towards(fit, ability)
    scale = np.where(usable, 1 / np.where(usable, alpha, 1), 0.0)
    contrast = np.eye(len(alpha)) - np.where(usable, 1 / usable.sum(), 0.0)[None, :]
    apart = contrast @ (step * scale)
    spread = contrast @ (covariance * np.outer(scale, scale)) @ contrast.T
    errors = np.sqrt(np.maximum(np.diag(spread), 1e-12))
    freedom = max(len(fit.ratings.respondents) - 2, 1)
    p = np.where(usable, stdtr(freedom, -(apart / errors)), np.nan)
    unknown = np.full(len(apart), np.nan)
    return RaterTest(np.where(usable, apart, np.nan), errors, unknown, p, adjust(p))
