"""The evidence lower bound of one normal posterior of everything, with its derivatives.

q = N(m, Λ⁻¹) over abilities t and item coordinates x together. At the maximum of the bound
E_q[∇ log joint] = 0 and Λ = −E_q[∇² log joint]. A cell touches one ability and one item, so this Λ
has the shape of the information matrix, an arrow: of the parameters' many correlations it takes
those between each item and each ability to describe all.

Expectations over a cell are a cubature over its item's coordinates and its ability:

    x = m_x + L z,   t = m_t + l·z + s ε,

with L the root of the item's covariance, l and s of the ability given the item. Second derivatives
come from first ones, E[∇²f] = E[∇f (u − m)ᵀ] Σ⁻¹ (Stein's lemma).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log, pi

import numpy as np

from itemcurve.estimation.posterior_mode.arrowhead_information import Arrow, as_arrow
from itemcurve.estimation.posterior_mode.log_posterior import BlockSums, CellBlock, Slopes, joined
from itemcurve.estimation.variational.mean_field_elbo import MeanFieldELBO, expected_prior
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.cubature import normal_cubature
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemCouplings,
    ItemMatrices,
    ItemsByRespondents,
    PerItem,
    PerRespondent,
)


@dataclass(frozen=True, eq=False)
class FullRankPosterior:
    """Means of items' coordinates (items × free) and abilities, and the precision of all.

    Attributes
    ----------
    precision : its parts in the fields of an information matrix.
    """

    x: ItemCoordinates
    t: PerRespondent
    precision: Slopes

    @cached_property
    def x_covariance(self) -> ItemMatrices:
        """Of each item (items × free × free)."""
        return self._covariances[0]

    @cached_property
    def x_sd(self) -> ItemCoordinates:
        """Standard deviations of the items' coordinates."""
        return np.sqrt(np.diagonal(self.x_covariance, axis1=1, axis2=2))

    @cached_property
    def t_sd(self) -> PerRespondent:
        """Standard deviations of abilities."""
        return np.sqrt(self._covariances[1])

    @cached_property
    def x_with_t(self) -> ItemCouplings:
        """Covariances of items and abilities (items × free × respondents)."""
        return self.arrow.cross_covariance()

    @cached_property
    def arrow(self) -> Arrow:
        """The precision as a system of equations."""
        return as_arrow(self.precision, damping=0.0)

    @cached_property
    def entropy(self) -> float:
        """Entropy of the posterior; raises where the precision is not positive definite."""
        size = int(self.x.size + self.t.size)
        return 0.5 * (size * (log(2 * pi) + 1) - self.arrow.log_determinant())

    @cached_property
    def _covariances(self) -> tuple[ItemMatrices, PerRespondent]:
        # Of what is no distribution there are none.
        _ = self.entropy
        return self.arrow.covariance()


@dataclass(frozen=True, eq=False)
class FullRankELBO:
    """The problem of independent posteriors, with posteriors that depend on each other."""

    elbo: MeanFieldELBO

    def bound(self, q: FullRankPosterior) -> Slopes:
        """Value, expected gradient and expected information (minus the second derivatives).

        Raises
        ------
        numpy.linalg.LinAlgError : the precision of `q` is not positive definite.
        """
        entropy = q.entropy
        return self._with_priors(self._expected(q), q, entropy)

    def _expected(self, q: FullRankPosterior) -> Slopes:
        problem, start = self.elbo.problem, 0
        parts = []
        for channels in problem.blocks:
            stop = start + channels[0].shape[0]
            parts.append(self._block(q, slice(start, stop), channels))
            start = stop
        return joined(parts)

    def _block(
        self, q: FullRankPosterior, rows: slice, channels: Sequence[ItemsByRespondents]
    ) -> BlockSums:
        """Sums of the cells of some items: heights, slopes and minus second derivatives."""
        engine, likelihood = self.elbo.problem.engine, self.elbo.problem.likelihood
        compute = engine.compile(_cells, static=("engine", "likelihood"))
        held = engine.place(self.elbo.problem.held[rows])
        root, lean, rest = _roots(q, rows)
        points, weights = normal_cubature(1 + q.x.shape[1])
        heights, at_x, at_t, x_by_x, x_by_t, t_by_x, t_by_t = (np.zeros(()) for _ in range(7))
        for (by_t, *by_x), weight in zip(points, weights, strict=True):
            along = np.array(by_x)
            t = q.t + along @ lean + by_t * rest
            x = engine.place(q.x[rows] + root @ along)
            block = CellBlock(engine.place(t[..., None]), x, held, channels)
            found = compute(engine, likelihood, block)
            height, in_t, in_x = (weight * np.asarray(part) for part in found)
            heights = heights + height
            at_x, at_t = at_x + in_x.sum(axis=2), at_t + in_t.sum(axis=0)
            x_by_x = x_by_x + in_x.sum(axis=2)[:, :, None] * along
            x_by_t = x_by_t + in_x * by_t
            t_by_x = t_by_x + in_t[:, None, :] * along[:, None]
            t_by_t = t_by_t + in_t * by_t
        inverse = np.linalg.inv(root)
        bend_t = t_by_t / rest
        bend_xt = x_by_t / rest[:, None, :]
        bend_tx = inverse.transpose(0, 2, 1) @ (t_by_x - lean * bend_t[:, None, :])
        bend_x = (x_by_x - bend_xt @ lean.transpose(0, 2, 1)) @ inverse
        matrix = -(bend_x + bend_x.transpose(0, 2, 1)) / 2
        return heights, at_x, at_t, matrix, -bend_t.sum(axis=0), -(bend_xt + bend_tx) / 2

    def _with_priors(self, slopes: Slopes, q: FullRankPosterior, entropy: float) -> Slopes:
        prior = self.elbo.ability_prior_at(q.t, q.t_sd)
        own, pull, tilt = expected_prior(prior, q.t, q.t_sd)
        value, item_slope = slopes.value + entropy + own, slopes.item_slope.copy()
        abilities = slopes.ability_matrix - tilt / q.t_sd
        matrix, sd = slopes.item_matrix.copy(), q.x_sd
        for k, item_prior in enumerate(self.elbo.item_priors_at(q.x, q.x_sd)):
            own, bend, tilt = expected_prior(item_prior, q.x[:, k], sd[:, k])
            value += own
            item_slope[:, k] += bend
            matrix[:, k, k] -= tilt / sd[:, k]
        return replace(
            slopes,
            value=value,
            item_slope=item_slope,
            ability_slope=slopes.ability_slope + pull,
            item_matrix=matrix,
            ability_matrix=abilities,
        )


def _roots(
    q: FullRankPosterior, rows: slice
) -> tuple[ItemMatrices, ItemCouplings, ItemsByRespondents]:
    """L of each item, l of each cell (items × free × respondents) and s (items × respondents)."""
    root = np.linalg.cholesky(q.x_covariance[rows])
    lean = np.linalg.solve(root, q.x_with_t[rows])
    rest = q.t_sd**2 - np.sum(lean**2, axis=1)
    # Rounding alone can bring it to zero: what an ability keeps when its item is known.
    return root, lean, np.sqrt(np.maximum(rest, 1e-10 * q.t_sd**2))


def _cells(
    engine: Engine, likelihood: Likelihood, block: CellBlock
) -> tuple[PerItem, ItemsByRespondents, ItemCouplings]:
    """Log-likelihoods of items; scores of cells in ability, and in coordinates (items × free × …).

    Abilities differ from item to item (items × respondents).
    """
    cells = block.cells(engine, likelihood, 1)
    in_x = engine.xp.stack(cells.scores[1:], axis=1)
    return cells.log_likelihood.sum(axis=1), cells.scores[0], in_x
