"""Strengths from votes on the scale of abilities from items, where respondents are the same."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.estimation.identification.calibrated_population import ability_population
from itemcurve.estimation.result import FitResult
from itemcurve.pairs.pair_fit import PairFit
from itemcurve.pairs.votes.vote_data import Floats
from itemcurve.storage.tables import tabulate

if TYPE_CHECKING:
    import pandas

_LEAST_SHARED = 5
# Of the numerical second derivatives.
_STEP = 1e-4


@dataclass(frozen=True, eq=False)
class AbilityLink:
    """ability = intercept + slope · strength, and every respondent of the votes placed by it.

    Attributes
    ----------
    slope, intercept : with standard errors and intervals at `level`.
    scatter : standard deviation of abilities about the line that errors do not explain: what votes
        and items measure differently.
    correlation : of true strengths and abilities, errors taken out.
    n_shared : respondents on both sides, from whom this was estimated.
    respondents, placed, placed_se, lower, upper : abilities that strengths foretell, with the
        errors of the line, of the strength, and the scatter.
    ability, ability_se : from the items, NaN of those that only votes know.
    """

    slope: float
    slope_se: float
    slope_lower: float
    slope_upper: float
    intercept: float
    intercept_se: float
    intercept_lower: float
    intercept_upper: float
    scatter: float
    correlation: float
    n_shared: int
    level: float
    respondents: tuple[str, ...]
    placed: Floats
    placed_se: Floats
    lower: Floats
    upper: Floats
    ability: Floats
    ability_se: Floats

    def frame(self) -> "pandas.DataFrame":
        """One row per respondent of the votes, the strongest first."""
        columns = ("placed", "placed_se", "lower", "upper", "ability", "ability_se")
        table = tabulate(self, *columns, respondent=self.respondents)
        spread = np.hypot(self.placed_se, self.ability_se)
        table["difference"] = self.ability - self.placed
        table["difference_z"] = table["difference"] / spread
        return table

    def __str__(self) -> str:
        return (
            f"ability = {self.intercept:.2f} + {self.slope:.2f} · strength from {self.n_shared} "
            f"respondents ({self.level:.0%} interval of the slope {self.slope_lower:.2f} to "
            f"{self.slope_upper:.2f}); correlation without errors {self.correlation:.2f}, scatter "
            f"{self.scatter:.2f}."
        )


def place_on_abilities(pairs: PairFit, fit: FitResult, *, level: float = 0.9) -> AbilityLink:
    """Place strengths from votes on the scale of a fit's abilities.

    True strengths are normal, abilities lie on a line of them with normal scatter, and both are
    known up to their standard errors (Kelly 2007); all five numbers by maximum likelihood, so that
    errors of strengths do not flatten the line.

    Parameters
    ----------
    pairs : of `fit_pairs`.
    fit : of `fit`, with five respondents of the same names at least.
    level : of intervals.
    """
    from scipy.special import stdtrit

    data = _shared(pairs, fit)
    theta = _maximise(data)
    covariance = np.linalg.pinv(_curvature(theta, data), hermitian=True)[:2, :2]
    intercept, slope = theta[:2]
    spread, scatter = np.exp(theta[3:])
    reach = float(stdtrit(len(data) - 2, 0.5 + level / 2))
    errors = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    ends = [(v - reach * e, v + reach * e) for v, e in zip((intercept, slope), errors, strict=True)]
    return AbilityLink(
        slope=float(slope),
        slope_se=float(errors[1]),
        slope_lower=ends[1][0],
        slope_upper=ends[1][1],
        intercept=float(intercept),
        intercept_se=float(errors[0]),
        intercept_lower=ends[0][0],
        intercept_upper=ends[0][1],
        scatter=float(scatter),
        correlation=float(slope * spread / np.hypot(slope * spread, scatter)),
        n_shared=len(data),
        level=level,
        **_place(pairs, fit, (intercept, slope, scatter), covariance, reach),
    )


def _shared(pairs: PairFit, fit: FitResult) -> Floats:
    """Strength, its variance, ability, its variance of those on both sides."""
    places = {name: row for row, name in enumerate(fit.responses.respondents)}
    strengths, errors = pairs.estimates.strengths, pairs.strength_errors
    abilities, variances = _measured(fit)
    rows = [
        (strengths[row], errors[row] ** 2, abilities[at], variances[at])
        for row, name in enumerate(pairs.respondents)
        if (at := places.get(name)) is not None
    ]
    rows = [row for row in rows if np.isfinite(row).all()]
    if len(rows) < _LEAST_SHARED:
        raise ResponsesError(
            f"A line needs {_LEAST_SHARED} respondents with a finite strength and an ability;",
            f"{len(rows)} of {len(pairs.respondents)} in the votes have both.",
            "Name respondents alike on both sides, or evaluate more of them on the items.",
        )
    return np.array(rows)


def _measured(fit: FitResult) -> tuple[Floats, Floats]:
    """Abilities as measurements with errors of their own, and the variances of these.

    Posterior means lean towards the mean of the population by as much as their error is of its
    variance; what was measured is found by taking that back.
    """
    estimates = fit.estimates
    variances = estimates.ability_errors**2
    if estimates.over != "respondents":
        return estimates.abilities, variances
    mean, spread = ability_population(estimates)
    told = np.clip(1 - variances / spread**2, 0.05, 1.0)
    return mean + (estimates.abilities - mean) / told, variances / told


def _log_likelihood(theta: Floats, data: Floats) -> float:
    """Of strengths and abilities as measured, pairs of correlated normals."""
    intercept, slope, middle, log_spread, log_scatter = theta
    strength, strength_var, ability, ability_var = data.T
    spread, scatter = np.exp(2 * log_spread), np.exp(2 * log_scatter)
    own, shared = spread + strength_var, slope * spread
    other = slope**2 * spread + scatter + ability_var
    off, rest = strength - middle, ability - intercept - slope * middle
    determinant = own * other - shared**2
    squares = (other * off**2 - 2 * shared * off * rest + own * rest**2) / determinant
    return float(-0.5 * (np.log(determinant) + squares).sum())


def _maximise(data: Floats) -> Floats:
    from scipy.optimize import minimize

    strength, _, ability, _ = data.T
    slope = np.cov(strength, ability)[0, 1] / strength.var(ddof=1)
    # Of the ways to start, with much scatter and with little, the better end counts.
    starts: list[Any] = [
        [ability.mean() - slope * strength.mean(), slope, strength.mean(), np.log(s), np.log(t)]
        for s, t in ((strength.std(), 0.5 * ability.std()), (strength.std(), 0.05 * ability.std()))
    ]
    bounds: Any = [(None, None)] * 3 + [(-7.0, 7.0)] * 2

    def loss(theta: Floats) -> float:
        return -_log_likelihood(theta, data)

    found = [minimize(loss, np.array(start), bounds=bounds) for start in starts]
    return np.asarray(min(found, key=lambda one: one.fun).x)


def _curvature(theta: Floats, data: Floats) -> Floats:
    """Minus the second derivatives, by differences."""
    size = len(theta)
    steps = np.eye(size) * _STEP
    found = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
            values = [_log_likelihood(theta + a * steps[i] + b * steps[j], data) for a, b in signs]
            found[i, j] = -(values[0] - values[1] - values[2] + values[3]) / (4 * _STEP**2)
    return found


def _place(
    pairs: PairFit,
    fit: FitResult,
    line: tuple[float, float, float],
    covariance: Floats,
    reach: float,
) -> dict[str, Any]:
    intercept, slope, scatter = line
    strengths, errors = pairs.estimates.strengths, pairs.strength_errors
    rows = np.flatnonzero(np.isfinite(strengths))
    rows = rows[np.argsort(-strengths[rows], kind="stable")]
    own, placed = strengths[rows], intercept + slope * strengths[rows]
    design = np.stack([np.ones(len(rows)), own], axis=1)
    of_line = np.einsum("ij,jk,ik->i", design, covariance, design)
    spread = np.sqrt(of_line + (slope * errors[rows]) ** 2 + scatter**2)
    places = {name: row for row, name in enumerate(fit.responses.respondents)}
    names = tuple(pairs.respondents[row] for row in rows)
    known = np.array([places.get(name, -1) for name in names])
    return {
        "respondents": names,
        "placed": placed,
        "placed_se": spread,
        "lower": placed - reach * spread,
        "upper": placed + reach * spread,
        "ability": np.append(fit.estimates.abilities, np.nan)[known],
        "ability_se": np.append(fit.estimates.ability_errors, np.nan)[known],
    }
