"""The population that items are drawn from: normal, its means and spreads estimated with the rest.

Of slopes and intercepts the means and covariances are estimated (empirical Bayes): an ability that
the responses do not tell then has slopes near zero, which costs predictions nothing. Explored
abilities may be turned, so the covariance of their slopes is a full matrix, which turns with them;
named ones have a mean and a spread each. Own coordinates keep the model's priors.
"""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from itemcurve.estimation.dimensions.loading_pattern import LoadingPattern
from itemcurve.estimation.dimensions.normal_sides import Normals, outer
from itemcurve.models.contract import ItemModel
from itemcurve.models.priors import Normal
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes

# What is known of a spread before any item is seen weighs as much as this many items.
_PRIOR_ITEMS = 1.0
_PRIOR_VARIANCE = 0.25
# Of own coordinates whose prior is not normal, by its curvature where it is steepest.
_WEAK = 1e-6

Vector = Annotated[Array, axes("coordinates")]
Matrix = Annotated[Array, axes("coordinates coordinates")]


@dataclass(frozen=True, eq=False)
class ItemPrior:
    """Mean and precision of what is estimated of an item; precision zero is no prior.

    Attributes
    ----------
    is_estimated : whether slopes and intercepts have a population whose moments follow the items.
    """

    mean: Vector
    precision: Matrix
    is_estimated: bool

    def updated(self, items: Normals, pattern: LoadingPattern) -> "ItemPrior":
        """The population that these items describe best."""
        if not self.is_estimated:
            return self
        size = pattern.size + 1
        free = np.column_stack([pattern.free, np.ones(len(pattern.free), dtype=bool)])
        count = free.sum(axis=0)
        own = items.head(size)
        centre = (own.mean * free).sum(axis=0) / count
        gaps = (own.mean - centre) * free
        # Masked coordinates have no covariance of their own.
        spread = (own.covariance + outer(gaps)).sum(axis=0)
        if not pattern.is_exploratory:
            spread = np.diag(np.diag(spread))
        spread = spread + _PRIOR_ITEMS * _PRIOR_VARIANCE * np.eye(size)
        spread = spread / np.sqrt(np.outer(count + _PRIOR_ITEMS, count + _PRIOR_ITEMS))
        mean, precision = self.mean.copy(), self.precision.copy()
        mean[:size] = centre
        precision[:size, :size] = np.linalg.inv(spread)
        return replace(self, mean=mean, precision=precision)

    def divergence(
        self, items: Normals, free: Annotated[Array, axes("items coordinates")]
    ) -> float:
        """Σ over items of KL(posterior ‖ prior), of what is estimated and has a prior."""
        if not self.is_estimated:
            return 0.0
        has = np.diag(self.precision) > 0
        total = 0.0
        for pattern in np.unique(free, axis=0):
            rows = (free == pattern).all(axis=1)
            use = np.flatnonzero(pattern & has)
            own = items.covariance[np.ix_(rows.nonzero()[0], use, use)]
            # Only coordinates that are independent of the others are ever left out.
            prior = self.precision[np.ix_(use, use)]
            gap = items.mean[np.ix_(rows.nonzero()[0], use)] - self.mean[use]
            trace = np.einsum("kl,jlk->", prior, own)
            square = np.einsum("jk,kl,jl->", gap, prior, gap)
            logs = np.linalg.slogdet(own)[1].sum() + rows.sum() * np.linalg.slogdet(prior)[1]
            total += 0.5 * float(trace + square - rows.sum() * len(use) - logs)
        return total


def first_prior(model: ItemModel, pattern: LoadingPattern, *, has_prior: bool) -> ItemPrior:
    """The prior before any item is seen.

    Parameters
    ----------
    model : at slope one and intercept zero; its free parameters are the own coordinates.
    has_prior : whether items have priors; without, nothing is said of any coordinate.
    """
    own = [spec for spec in model.parameters if spec.is_free]
    size = pattern.size + 1 + len(own)
    mean, precision = np.zeros(size), np.zeros((size, size))
    if not has_prior:
        return ItemPrior(mean, precision, is_estimated=False)
    precision[: pattern.size + 1, : pattern.size + 1] = np.eye(pattern.size + 1)
    for place, spec in enumerate(own, start=pattern.size + 1):
        mean[place], precision[place, place] = normal_near(spec.prior)
    return ItemPrior(mean, precision, is_estimated=True)


def normal_near(prior: object) -> tuple[float, float]:
    """Mean and precision of the normal nearest to a prior of an unbounded coordinate."""
    if prior is None:
        return 0.0, 0.0
    if isinstance(prior, Normal):
        return prior.mean, prior.sd**-2
    grid = np.linspace(-8.0, 8.0, 801)
    height = prior.log_density(NUMPY, grid)  # type: ignore[attr-defined]
    share = np.exp(height - height.max())
    share = share / share.sum()
    mean = float(share @ grid)
    return mean, 1.0 / max(float(share @ (grid - mean) ** 2), _WEAK)
