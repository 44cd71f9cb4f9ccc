"""Every response as a function of its own predictor z = a·θ + e.

In a model of several abilities that add up, an item's curve depends on them through one number.
So the model of one ability serves, its slope held at one and its intercept at zero: z is then all
that ability is to it. What else an item has (thresholds, asymptotes, noise) are its own
coordinates. Where z is uncertain and normal, expectations are one-dimensional integrals, whatever
the number of abilities.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np
from scipy.special import logsumexp, roots_hermitenorm

from itemcurve.errors import ModelError
from itemcurve.estimation.identification.starting_values import start_values
from itemcurve.models.contract import ItemModel
from itemcurve.models.free_coordinates import coordinates_of, held_values, values_at
from itemcurve.models.likelihood import Likelihood
from itemcurve.models.mixed import MixedModel
from itemcurve.models.parameters import Role
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import ItemCoordinates, axes
from itemcurve.responses.matrix import Responses

_ORIGINS = (Role.INTERCEPT, Role.LOCATION)
# Nodes for predictors with a variance below and above this: a logistic curve is nearly a polynomial
# over one standard deviation, and nothing of the kind over three.
_WIDE = 1.5
_FEW_NODES, _MANY_NODES = 5, 11

Cells = Annotated[Array, axes("items respondents")]
OwnScores = Annotated[Array, axes("own items respondents")]
OwnMatrices = Annotated[Array, axes("own own items respondents")]


class CellMoments(NamedTuple):
    """What each response says of its predictor, on average over what the predictor may be.

    Attributes
    ----------
    log_likelihood : of each cell, without the base measure.
    score : its derivative in z.
    information : Fisher information about z.
    own_scores : derivatives in the item's own coordinates.
    own_coupling : information that z and an own coordinate share.
    own_information : information about own coordinates.
    """

    log_likelihood: Cells
    score: Cells
    information: Cells
    own_scores: OwnScores
    own_coupling: OwnScores
    own_information: OwnMatrices


@dataclass(frozen=True, eq=False)
class CompositeCells:
    """The likelihood of responses given their predictors.

    Attributes
    ----------
    likelihood : of the model whose slope is one and whose intercept is zero.
    held : its values (items × parameters).
    channels : of the responses (items × respondents each).
    start : where own coordinates begin (items × own).
    log_base : what the base measure adds to the log-likelihood of each cell.
    """

    likelihood: Likelihood
    held: Annotated[Array, axes("items parameters")]
    channels: Sequence[Cells]
    start: ItemCoordinates
    log_base: Array

    @classmethod
    def of(cls, responses: Responses, model: ItemModel) -> "CompositeCells":
        """Prepare responses under a model of one ability."""
        unit = unit_model(model)
        return cls.under(responses, unit, start_values(unit, responses))

    @classmethod
    def under(
        cls,
        responses: Responses,
        unit: ItemModel,
        values: Annotated[Array, axes("items parameters")],
    ) -> "CompositeCells":
        """The same with the unit model known, its own parameters being at `values`."""
        likelihood = Likelihood(unit)
        channels = []
        for channel in likelihood.channels(responses):
            dense = np.ones(responses.shape) if channel is None else channel
            dense = dense.toarray() if hasattr(dense, "toarray") else dense
            channels.append(np.ascontiguousarray(np.asarray(dense, dtype=float).T))
        start = coordinates_of(unit, values) if likelihood.free else np.zeros((len(values), 0))
        held = held_values(unit, values)
        base = likelihood.cell_log_base(responses)
        base = base.toarray() if hasattr(base, "toarray") else base
        return cls(likelihood, held, channels, start, np.asarray(base, dtype=float).T)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of items and respondents."""
        return self.channels[0].shape

    @cached_property
    def base(self) -> float:
        """What the base measure adds to the log-likelihood of all responses."""
        return float(self.log_base.sum())

    @property
    def weight(self) -> Cells:
        """How often each cell was observed."""
        return self.likelihood.total_weight(self.channels)

    def of_columns(self, columns: slice) -> "CompositeCells":
        """The same responses of some respondents."""
        channels = [own[:, columns] for own in self.channels]
        return replace(self, channels=channels, log_base=self.log_base[:, columns])

    def values(self, own: ItemCoordinates) -> Annotated[Array, axes("items parameters")]:
        """Parameters of the unit model at own coordinates."""
        if not self.likelihood.free:
            return self.held
        return values_at(NUMPY, self.likelihood.model, own, self.held)

    def at(self, predictor: Cells, own: ItemCoordinates) -> CellMoments:
        """What responses say at these predictors."""
        points = predictor[:, :, np.newaxis]
        cells = self.likelihood.cells(NUMPY, points, self.values(own), self.channels, order=2)
        size = range(1, len(cells.scores))
        shape = (len(size), *predictor.shape)
        matrix = [[cells.information[i][j] for j in size] for i in size]
        return CellMoments(
            cells.log_likelihood,
            cells.scores[0],
            cells.information[0][0],
            np.array([cells.scores[i] for i in size]).reshape(shape),
            np.array([cells.information[0][i] for i in size]).reshape(shape),
            np.array(matrix).reshape(len(size), *shape),
        )

    def expect(self, mean: Cells, variance: Cells, own: ItemCoordinates) -> CellMoments:
        """The same on average over normal predictors."""
        count = _FEW_NODES if float(variance.max(initial=0.0)) < _WIDE else _MANY_NODES
        nodes, weights = roots_hermitenorm(count)
        weights = weights / weights.sum()
        spread = np.sqrt(variance)
        total: list[Array] = []
        for node, share in zip(nodes, weights, strict=True):
            parts = self.at(mean + node * spread, own)
            if not total:
                total = [share * part for part in parts]
                continue
            for sum_, part in zip(total, parts, strict=True):
                sum_ += share * part
        return CellMoments(*total)

    def log_density(self, mean: Cells, variance: Cells) -> Cells:
        """Log density of each response, averaged over normal predictors."""
        nodes, weights = roots_hermitenorm(_MANY_NODES)
        spread = np.sqrt(variance)
        heights = [
            self.at(mean + node * spread, self.start).log_likelihood + np.log(share)
            for node, share in zip(nodes, weights / weights.sum(), strict=True)
        ]
        return logsumexp(heights, axis=0) + self.log_base


def unit_model(model: ItemModel) -> ItemModel:
    """The model at slope one and intercept zero, or a refusal where it has no such form."""
    slopes = [s for s in model.parameters if s.role is Role.SLOPE]
    origins = [s for s in model.parameters if s.role in _ORIGINS]
    is_linear = (
        not isinstance(model, MixedModel)
        and len(slopes) == len(origins) == 1
        and slopes[0].is_free_everywhere
        and origins[0].is_free_everywhere
        and not model.latent.is_logit
        and not any(spec.is_common for spec in model.parameters)
    )
    if not is_linear:
        raise ModelError(
            "Several abilities need a model in which they can add up: one slope and one "
            "intercept, both estimated.",
            f"{model.name} is none, or some of its slopes are held.",
            "Use 2pl, 3pl, grm, gpcm, sequential, fractional-2pl or logit-normal.",
        )
    held = {slopes[0].name: 1.0, origins[0].name: 0.0}
    specs = tuple(
        replace(spec, fixed=held[spec.name], prior=None) if spec.name in held else spec
        for spec in model.parameters
    )
    return replace(model, parameters=specs)  # type: ignore[type-var]
