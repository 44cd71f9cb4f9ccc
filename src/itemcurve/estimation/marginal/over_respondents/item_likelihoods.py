"""What responses say of each item: a normal density of its coordinates, around a present point."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.estimation.marginal.em_newton import Point
from itemcurve.estimation.marginal.m_step import complete_gradient, placed_score, restrained
from itemcurve.estimation.marginal.observed_information import block_information
from itemcurve.estimation.marginal.problem import MarginalProblem, Restraints
from itemcurve.models.priors import Kind
from itemcurve.numerics.engine import NUMPY, Engine
from itemcurve.numerics.shapes import ItemCoordinates, ItemMatrices, PerCoordinate
from itemcurve.numerics.small_systems import invert_small, without_empty_rows

if TYPE_CHECKING:
    from itemcurve.estimation.marginal.over_respondents.item_population import ItemPopulation

# Evenly spaced, this many items tell mean and spread of a population to a hundredth.
ENOUGH_ITEMS = 5000
# Of items with more coordinates, the information is the expected one.
_MOST_PARAMETERS = 3
_NOTHING = 1e-300


@dataclass(frozen=True)
class ItemLikelihoods:
    """What responses say of each item: a normal density of its coordinates.

    Attributes
    ----------
    information : its precision (items × coordinates × coordinates), zero along what they leave
        open.
    push : precision times mean (items × coordinates).
    free : which coordinates are estimated (items × coordinates).
    engine : who computes with them, and where they lie.
    """

    information: ItemMatrices
    push: ItemCoordinates
    free: ItemCoordinates
    engine: Engine = NUMPY

    @classmethod
    def around(
        cls,
        problem: MarginalProblem,
        point: Point,
        population: "ItemPopulation",
        covariance: ItemMatrices | None = None,
    ) -> "ItemLikelihoods":
        """Expand the log-likelihood of each item around a point.

        Priors that are known, and what pulls at the mode, count as part of it.

        Parameters
        ----------
        covariance : of the scores of each item, where it is known from a point nearby.
        """
        x, engine, restraints = point.x, problem.engine_of_all, None
        if problem.polynomials > 1:
            blocks = block_information(
                problem,
                x,
                point.state,
                point.expectation,
                is_expected=x.shape[1] > _MOST_PARAMETERS,
                covariance=covariance,
            )
            slope = complete_gradient(problem, x, point.expectation)
        else:
            # Abilities known to a tenth take a hundredth of an item's information away, and to
            # find that out takes another pass over the data.
            slope, blocks = placed_score(problem, x, point.expectation)
            own = problem if engine is problem.engine else replace(problem, engine=engine)
            restraints = own.restraints
        run = engine.compile(_expanded, static=("engine", "kinds", "common"))
        given = engine.place_all((slope, blocks, x, *population.normal))
        information, push = run(engine, problem.prior_kinds, problem.common, restraints, *given)
        return cls(information, push, problem.free_cells, engine)

    def thinned(self) -> "ItemLikelihoods":
        """Some thousands of the items, as NumPy has them."""
        step = -(-len(self.push) // ENOUGH_ITEMS)
        information, push = (np.asarray(own[::step]) for own in (self.information, self.push))
        return ItemLikelihoods(information, push, self.free[::step])

    def posterior(
        self, mean: PerCoordinate, precision: PerCoordinate
    ) -> tuple[ItemCoordinates, ItemMatrices]:
        """Means and covariances of the items' coordinates in a population."""
        return posteriors(self.engine, self.information, self.push, mean, precision)


def posteriors(
    engine: Engine,
    information: ItemMatrices,
    push: ItemCoordinates,
    mean: PerCoordinate,
    precision: PerCoordinate,
) -> tuple[ItemCoordinates, ItemMatrices]:
    """Means and covariances of items of such likelihoods in a normal population."""
    own = information + engine.xp.eye(len(mean)) * precision
    covariance = invert_small(without_empty_rows(own, engine), engine)
    return engine.inner(covariance, (push + mean * precision)[:, None, :]), covariance


def _expanded(
    engine: Engine,
    kinds: tuple[Kind, ...],
    common: tuple[int, ...],
    restraints: Restraints | None,
    slope: ItemCoordinates,
    blocks: ItemMatrices,
    x: ItemCoordinates,
    mean: PerCoordinate,
    precision: PerCoordinate,
) -> tuple[ItemMatrices, ItemCoordinates]:
    """Precision, and precision times mean, from slope and curvature at `x`.

    Parameters
    ----------
    restraints : what is still to be added to slope and curvature of the responses.
    mean, precision : of the population, which is taken out again; no precision where it is known.
    """
    xp = engine.xp
    if restraints is not None:
        slope, blocks = restrained(engine, kinds, restraints, x, slope, blocks)
    blocks = blocks - xp.eye(x.shape[1]) * precision
    slope = slope - (mean - x) * precision
    if common:
        # What all items have in common is known from all of them.
        is_common = np.isin(np.arange(x.shape[1]), common)
        blocks = xp.where(is_common | is_common[:, None], np.diag(is_common * 1.0), blocks)
        slope = xp.where(is_common, 0.0, slope)
    blocks = _without_negative(blocks, engine)
    return blocks, engine.inner(blocks, x[:, None, :]) + slope


def _without_negative(matrices: ItemMatrices, engine: Engine = NUMPY) -> ItemMatrices:
    """The nearest matrices without negative eigenvalues.

    Those of two coordinates have them in closed form: of a million items few need it, and a call
    of LAPACK for each would take longer than the fit.
    """
    xp, size = engine.xp, matrices.shape[1]
    if size == 1:
        return xp.maximum(matrices, 0.0)
    if size > 2:
        values, vectors = xp.linalg.eigh(matrices)
        nearest = (vectors * xp.maximum(values, 0.0)[:, None, :]) @ vectors.swapaxes(1, 2)
        return xp.where((values.min(axis=1) < 0)[:, None, None], nearest, matrices)
    a, b, d = matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 1]
    middle, reach = (a + d) / 2, xp.hypot((a - d) / 2, b)
    lowest, highest = (middle - reach)[:, None, None], (middle + reach)[:, None, None]
    # What stands on the axis of the higher, as large as that.
    along = (matrices - lowest * xp.eye(2)) / xp.maximum(highest - lowest, _NOTHING)
    return xp.where(lowest < 0, xp.maximum(highest, 0.0) * along, matrices)
