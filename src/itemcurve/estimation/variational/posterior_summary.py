"""Normal posteriors of coordinates, in the metric people read."""

from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np

from itemcurve.estimation.identification.reported_scale import ReportedScale
from itemcurve.estimation.identification.starting_values import reflection
from itemcurve.estimation.posterior_mode.log_posterior import JointProblem
from itemcurve.models.contract import ItemModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import (
    ItemCoordinates,
    ItemMatrices,
    ItemValues,
    PerItem,
    PerRespondent,
    axes,
)
from itemcurve.responses.matrix import Responses

_HERMITE_POINTS = 21
_STEP = 1e-6
_Z90 = 1.6448536269514722


class NormalPosterior(Protocol):
    """Means and spreads of items' coordinates (items × free) and abilities."""

    @property
    def x(self) -> ItemCoordinates:
        """Means of coordinates."""

    @property
    def x_sd(self) -> ItemCoordinates:
        """Their standard deviations."""

    @property
    def x_covariance(self) -> ItemMatrices:
        """Covariance of each item's (items × free × free)."""

    @property
    def t(self) -> PerRespondent:
        """Means of abilities."""

    @property
    def t_sd(self) -> PerRespondent:
        """Their standard deviations."""


@dataclass(frozen=True, eq=False)
class ReportedPosterior:
    """Posterior means with standard deviations, quantiles and probabilities.

    Attributes
    ----------
    values, covariance : item parameters, and the covariance of the free ones.
    columns, errors : what tables show, with standard deviations.
    extras : 5 % and 95 % quantiles, and the probability that a discrimination is negative.
    """

    values: ItemValues
    covariance: ItemMatrices
    columns: dict[str, PerItem]
    errors: dict[str, PerItem]
    abilities: PerRespondent
    ability_errors: PerRespondent
    extras: dict[str, PerItem]

    @classmethod
    def of(
        cls,
        problem: JointProblem,
        q: NormalPosterior,
        responses: Responses,
        *,
        ability_sd: float,
        at_location: bool,
    ) -> "ReportedPosterior":
        """Describe a posterior.

        Parameters
        ----------
        ability_sd : spread of abilities that is reported as 1 where items can absorb their unit.
        at_location : report transformed locations instead of posterior means.
        """
        model, free = problem.likelihood.model, problem.likelihood.free
        unit = ability_sd if model.latent.stretches else 1.0
        scale = ReportedScale(model, 0.0, unit * reflection(q.t, responses, model))
        means, sds = _moments(problem, q)
        raw = problem.values(q.x) if at_location else means
        values = scale.values(raw)
        share = sds / q.x_sd
        between = q.x_covariance * share[:, :, None] * share[:, None, :]
        columns = dict(model.report(values))
        derivatives = _jacobian(scale, raw)[:, :, free]
        jacobian, own = np.split(derivatives, [len(columns)])
        own = own[list(free)]
        covariance = np.einsum("cia,iab,dib->icd", own, between, own)
        spread = np.sqrt(np.maximum(np.einsum("cia,iab,cib->ci", jacobian, between, jacobian), 0.0))
        return cls(
            values=values,
            covariance=covariance,
            columns=columns,
            errors=dict(zip(columns, spread, strict=True)),
            abilities=scale.abilities(q.t),
            ability_errors=q.t_sd / abs(scale.unit),
            extras=_extras(model, free, q, values, covariance, scale),
        )


def _moments(problem: JointProblem, q: NormalPosterior) -> tuple[ItemValues, ItemCoordinates]:
    """Posterior means of all parameters (items × parameters), sds of the free ones."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_HERMITE_POINTS)
    weights = weights / weights.sum()
    stack = np.stack([problem.values(q.x + q.x_sd * node) for node in nodes])
    means = np.tensordot(weights, stack, axes=1)
    squares = np.tensordot(weights, (stack - means) ** 2, axes=1)
    free = list(problem.likelihood.free)
    held = [i for i in range(means.shape[1]) if i not in free]
    means[:, held] = problem.held[:, held]
    return means, np.sqrt(squares[:, free])


def _jacobian(
    scale: ReportedScale, values: ItemValues
) -> Annotated[Array, axes("columns items parameters")]:
    """Derivatives of reported columns, then parameters, in parameters (… × items × parameters)."""
    found = []
    for index in range(values.shape[1]):
        step = np.zeros(values.shape[1])
        step[index] = _STEP
        above, below = (_reported(scale, values + sign * step) for sign in (1.0, -1.0))
        with np.errstate(invalid="ignore"):
            found.append((above - below) / (2 * _STEP))
    return np.nan_to_num(np.stack(found, axis=2))


def _reported(scale: ReportedScale, values: ItemValues) -> Annotated[Array, axes("columns items")]:
    """Reported columns, then parameters (… × items)."""
    moved = scale.values(values)
    return np.stack([*scale.model.report(moved).values(), *moved.T])


def _extras(
    model: ItemModel,
    free: tuple[int, ...],
    q: NormalPosterior,
    values: ItemValues,
    covariance: ItemMatrices,
    scale: ReportedScale,
) -> dict[str, PerItem]:
    """Quantiles of single parameters and P(discrimination < 0).

    What standardising mixes (slope and intercept) is taken as normal; the rest is transformed
    from its normal coordinate.
    """
    from scipy.special import ndtr

    extras: dict[str, Array] = {}
    for column, index in enumerate(free):
        spec = model.parameters[index]
        if spec.transform.name == "free":
            centre, sd = values[:, index], np.sqrt(covariance[:, column, column])
            ends = centre - _Z90 * sd, centre + _Z90 * sd
        else:
            reach = (
                q.x[:, column] - _Z90 * q.x_sd[:, column],
                q.x[:, column] + (_Z90 * q.x_sd[:, column]),
            )
            unit = abs(scale.unit) if spec.role is Role.SLOPE else 1.0
            low, high = (unit * spec.transform.value(NUMPY, end) for end in reach)
            ends = low, high
        extras[f"{spec.name}_lower"], extras[f"{spec.name}_upper"] = ends
        if spec.role is Role.SLOPE:
            is_free = spec.transform.name == "free"
            sd = np.sqrt(np.maximum(covariance[:, column, column], 1e-300))
            extras["probability_negative"] = (
                ndtr(-values[:, index] / sd) if is_free else np.zeros(len(values))
            )
    return extras
