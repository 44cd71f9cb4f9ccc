"""Tables of a fit of ratings: respondents, items, raters, thresholds."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.estimation.raters.expected_ratings import (
    fair_ratings,
    measure_severity,
    origin_weights,
)
from itemcurve.estimation.raters.likelihood.rater_parameters import ANSWER, SLOPE, UNIT
from itemcurve.estimation.raters.likelihood.rating_design import Numbers

if TYPE_CHECKING:
    import pandas

    from itemcurve.estimation.raters.rater_fit import RaterFit

_LOGISTIC_VARIANCE = np.pi**2 / 3


def tabulate_respondents(fit: "RaterFit") -> "pandas.DataFrame":
    """One row per respondent."""
    import pandas

    ratings = fit.ratings
    ability, error = respondent_abilities(fit)
    fair, slope = fair_ratings(fit)
    return pandas.DataFrame(
        {
            "respondent": ratings.respondents,
            "ability": ability,
            "ability_se": error,
            "fair_rating": fair,
            "fair_rating_se": np.abs(slope) * error,
            **_counts(fit, ratings.respondent, len(ratings.respondents)),
        }
    )


def respondent_abilities(fit: "RaterFit") -> tuple[Numbers, Numbers]:
    """Abilities with standard errors, in standard deviations.

    Where tastes differ, other raters of the same kind would have seen other abilities: the variance
    of a mean of tastes over a respondent's raters is added, save where anchors say what ability is.
    """
    if not fit.is_over_respondents:
        tastes = fit.spreads["tastes_for_respondents"] ** 2 * (fit.tastes.balance**2).sum(axis=0)
        return fit.values.abilities, np.sqrt(fit.errors().abilities ** 2 + tastes)
    level, spread = fit.unit_levels
    return level / fit.values.spreads[UNIT], spread / fit.values.spreads[UNIT]


def tabulate_items(fit: "RaterFit") -> "pandas.DataFrame":
    """One row per item; difficulty is the ability at which an answer is of average quality."""
    import pandas

    ratings = fit.ratings
    columns: dict[str, Any] = {"item": ratings.items}
    if fit.is_over_respondents:
        unit = fit.values.spreads[UNIT]
        columns["difficulty"] = -fit.values.abilities / unit
        columns["difficulty_se"] = fit.errors().abilities / unit
    else:
        level, spread = fit.unit_levels
        slope, slope_error = fit.unit_slopes
        columns["difficulty"], columns["difficulty_se"] = -level / slope, spread / slope
        columns["discrimination"], columns["discrimination_se"] = slope, slope_error
    return pandas.DataFrame({**columns, **_counts(fit, ratings.item, len(ratings.items))})


def tabulate_raters(fit: "RaterFit") -> "pandas.DataFrame":
    """One row per rater."""
    import pandas

    ratings, values, errors = fit.ratings, fit.values, fit.errors()
    severity = measure_severity(fit)
    consistency, consistency_error = measure_consistency(fit)
    counts = np.zeros((len(ratings.raters), len(ratings.grades)))
    np.add.at(counts, (ratings.rater, ratings.grade), 1.0)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return pandas.DataFrame(
        {
            "rater": ratings.raters,
            "severity": severity.severity,
            "severity_se": severity.errors,
            "discrimination": values.discriminations,
            "discrimination_se": errors.discriminations,
            "consistency": consistency,
            "consistency_se": consistency_error,
            "lowest": shares[:, 0],
            "highest": shares[:, -1],
            "is_anchor": origin_weights(fit) > 0 if fit.settings.anchors else False,
            **_counts(fit, ratings.rater, len(ratings.raters)),
        }
    )


def measure_consistency(fit: "RaterFit") -> tuple[Numbers, Numbers]:
    """Share of the variance of ratings that follows quality, with standard errors.

    Of graded ratings on the latent scale, α²V / (α²V + π²/3), V the variance of quality between
    answers; of others, which have no such scale, the share in the ratings themselves.
    """
    spreads, alpha = fit.spreads, fit.values.discriminations
    partners = float((fit.values.abilities**2).mean()) * np.exp(2 * spreads["log_slopes"] ** 2)
    variance = partners + float(fit.values.spreads[UNIT] ** 2) + spreads["answers"] ** 2
    curves = fit.hill.design.curves
    if curves.is_ordered:
        followed = alpha**2 * variance
        share = followed / (followed + _LOGISTIC_VARIANCE)
        slope = 2 * alpha * variance * _LOGISTIC_VARIANCE / (followed + _LOGISTIC_VARIANCE) ** 2
    else:
        step = 1e-4
        share = _followed(fit, alpha, variance)
        slope = (_followed(fit, alpha + step, variance) - share) / step
    return share, np.abs(slope) * fit.errors().discriminations


def _followed(fit: "RaterFit", alpha: Numbers, variance: float) -> Numbers:
    """Variance of expected ratings between answers, as a share of that of ratings."""
    x, weight = np.polynomial.hermite_e.hermegauss(41)
    weight, grades = weight / weight.sum(), np.asarray(fit.ratings.grades)
    found = np.zeros(len(alpha))
    for rater, slope in enumerate(alpha):
        z = slope * np.sqrt(variance) * x
        shares = fit.hill.design.curves.probabilities(z, fit.values.thresholds[rater])
        mean, square = shares @ grades, shares @ grades**2
        whole = weight @ square - (weight @ mean) ** 2
        found[rater] = (weight @ mean**2 - (weight @ mean) ** 2) / max(whole, 1e-12)
    return found


def tabulate_thresholds(fit: "RaterFit") -> "pandas.DataFrame":
    """One row per rater and grade above the lowest."""
    import pandas

    values, errors, ratings = fit.values.thresholds, fit.errors().thresholds, fit.ratings
    return pandas.DataFrame(
        {
            "rater": np.repeat(np.array(ratings.raters, dtype=object), values.shape[1]),
            "rating": np.tile(np.array(ratings.grades[1:]), len(ratings.raters)),
            "threshold": values.ravel(),
            "threshold_se": errors.ravel(),
        }
    )


def list_spreads(fit: "RaterFit") -> dict[str, float]:
    """Standard deviations of what differs, in the unit of ability; tastes for items in logits."""
    layout, spreads = fit.hill.layout, fit.values.spreads
    answer = float(spreads[ANSWER]) if fit.hill.free[layout.spread(ANSWER)] else 0.0
    slope = float(spreads[SLOPE]) if fit.hill.free[layout.spread(SLOPE)] else 0.0
    partners = float(np.sqrt((fit.values.abilities**2).mean()))
    partner_tastes = fit.tastes.spread if layout.has_tastes else 0.0
    sides = [(partners, partner_tastes), (float(spreads[UNIT]), fit.tastes.unit_spread)]
    if fit.is_over_respondents:
        sides.reverse()
    return {
        "respondents": sides[0][0],
        "items": sides[1][0],
        "log_slopes": slope,
        "answers": answer,
        "tastes_for_respondents": sides[0][1],
        "tastes_for_items": sides[1][1],
    }


def _counts(fit: "RaterFit", codes: Any, size: int) -> dict[str, Any]:
    """Mean and number of the ratings of each."""
    number = np.bincount(codes, minlength=size)
    total = np.bincount(codes, fit.ratings.values, size)
    return {"mean_rating": total / np.maximum(number, 1), "ratings": number}
