"""Estimates of a fit of votes as plain arrays."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from itemcurve.pairs.model.newton_search import Maximum, is_curved
from itemcurve.pairs.model.parameter_layout import (
    ORDER,
    STRENGTH,
    STYLE,
    TIES,
    Layout,
)
from itemcurve.pairs.model.vote_errors import clustered_covariance
from itemcurve.pairs.pair_setup import PairSetup
from itemcurve.pairs.pair_status import PairStatus
from itemcurve.pairs.votes.vote_data import Floats

# Standard error, in logits, beyond which an effect has no maximum but rises for ever.
_ENDLESS = 50.0
# Logits at which a probability is as good as 0 or 1: where no curvature is left at all.
_FAR = 8.0


@dataclass(frozen=True, eq=False)
class PairEstimates:
    """What a search found.

    Attributes
    ----------
    strengths : of all respondents, their mean 0 over those that are finite; ±∞ of those who won or
        lost everything, NaN where nothing links them to the others.
    covariance : of the strengths, NaN where they are not finite.
    independent_errors : standard errors that independent votes would have.
    layout, theta : all parameters of those with finite strengths.
    core_covariance : of the parameters that all votes may share.
    item_errors : standard errors of what items have of their own (items × parts).
    spreads : how much items differ, by part.
    gradient : its largest entry at the end, in its own standard deviations.
    clusters : number of groups of votes that errors allow to go together; 0 for none.
    """

    strengths: Floats
    covariance: Floats
    independent_errors: Floats
    layout: Layout
    theta: Floats
    core_covariance: Floats
    item_errors: Floats
    spreads: dict[str, float]
    log_likelihood: float
    status: PairStatus
    gradient: float
    iterations: int
    clusters: int = 0
    diagnostics: dict[str, Any] = field(default_factory=dict)

    def effect(self, name: str, place: int = 0) -> tuple[float, float]:
        """Give an estimate of the core and its standard error."""
        index = self.layout.slices[name].start + place
        return float(self.theta[index]), float(_roots(self.core_covariance[index, index]))

    def errors_of(self, name: str) -> Floats:
        """Give standard errors of a block of the core, or of the items."""
        if name in self.layout.item_parts:
            return self.item_errors[:, self.layout.item_parts.index(name)]
        own = self.layout.slices.get(name, slice(0, 0))
        return _roots(np.diagonal(self.core_covariance)[own])

    @property
    def n_parameters(self) -> int:
        """Those estimated, less what constraints hold."""
        return self.layout.size - self.layout.n_constraints


def _roots(variances: Floats) -> Floats:
    """Standard errors; what is held has a variance of 0 up to rounding."""
    return np.sqrt(np.maximum(variances, 0.0))


def gather(setup: PairSetup, best: Maximum, spreads: dict[str, float]) -> PairEstimates:
    """Put together what a search found, for all respondents."""
    layout, reach = setup.problem.layout, setup.reach
    clusters, has_errors = setup.clusters, is_curved(best)
    independent = np.full((layout.core_size, layout.core_size), np.nan)
    item_variances = np.full((layout.n_items, max(layout.width, 1)), np.nan)
    if has_errors:
        independent = best.system.core_covariance()
        item_variances = np.diagonal(best.system.item_covariances(), axis1=1, axis2=2)
    is_plain = clusters is None or not has_errors
    covariance = independent if is_plain else clustered_covariance(best, clusters)
    own = layout.slices[STRENGTH]
    size = len(reach.is_core)
    strengths = np.where(reach.direction == 0, np.nan, np.copysign(np.inf, reach.direction))
    strengths[reach.is_core] = best.point.theta[own]
    whole = np.full((size, size), np.nan)
    whole[np.ix_(reach.is_core, reach.is_core)] = covariance[own, own]
    plain = np.full(size, np.nan)
    plain[reach.is_core] = _roots(np.diagonal(independent)[own])
    return PairEstimates(
        strengths,
        whole,
        plain,
        layout,
        best.point.theta,
        covariance,
        _roots(item_variances),
        spreads,
        best.point.log_likelihood,
        _status(best.is_converged and has_errors, reach.is_whole),
        best.gradient,
        best.iterations,
        0 if clusters is None else clusters.count,
    )


def _status(is_maximum: bool, is_whole: bool) -> PairStatus:
    if not is_maximum:
        return PairStatus.MAX_ITERATIONS
    return PairStatus.CONVERGED if is_whole else PairStatus.UNBOUNDED


def endless_effects(setup: PairSetup, best: Maximum) -> list[str]:
    """Name what rises without end because it explains votes without exception."""
    core = setup.problem.layout.core_size
    is_endless = np.abs(best.point.theta[:core]) > _FAR
    if is_curved(best):
        variances = np.diagonal(best.system.core_covariance())
        is_endless = ~((variances >= 0) & (variances <= _ENDLESS**2))
    slices = setup.problem.layout.slices
    found = [name for name in (ORDER, TIES) if name in slices and is_endless[slices[name]].any()]
    if STYLE in slices:
        names = zip(setup.votes.style_names, is_endless[slices[STYLE]], strict=True)
        found += [name for name, is_one in names if is_one]
    # Strengths alone are finite where everybody has won and lost; not so beside other effects.
    return found or [STRENGTH] * bool(is_endless.any())
