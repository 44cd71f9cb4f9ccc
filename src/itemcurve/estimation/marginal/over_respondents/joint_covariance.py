"""How the errors of items go together: items of one calibration share a population."""

from typing import Annotated

import numpy as np

from itemcurve.estimation.identification.latent_population import has_priors
from itemcurve.estimation.marginal.em_newton import evaluate
from itemcurve.estimation.marginal.observed_information import full_information
from itemcurve.estimation.marginal.over_respondents.reported_problem import reported_problem
from itemcurve.estimation.marginal.units import UnitsInMemory
from itemcurve.estimation.result import FitResult
from itemcurve.models.free_coordinates import free_columns
from itemcurve.models.mixed import MixedModel
from itemcurve.numerics.engine import NUMPY, Array
from itemcurve.numerics.shapes import axes

# Beyond, the information of all parameters together costs more than the fit.
_MOST_PARAMETERS = 2000

Joint = Annotated[Array, axes("parameters parameters")]


def joint_covariance(fit: FitResult) -> Joint | None:
    """Covariance of all items' free parameters together, in reported units, item by item.

    The inverse of the observed information where the items are reported, abilities N(0, 1); where
    priors or an estimated population of items had a say in the errors of single items, these are as
    reported, and correlations between items are those of the information.

    Returns
    -------
    (items · free) × (items · free), or None where a fit does not tell: respondents not integrated
    out, several models, groups or abilities,
    parameters that items share or too many of them, responses not in memory.
    """
    estimates, model = fit.estimates, fit.estimates.model
    free = list(free_columns(model))
    size = len(estimates.values) * len(free)
    if (
        estimates.over != "respondents"
        or isinstance(model, MixedModel)
        or estimates.ability_points.shape[1] != 1
        or "populations" in fit.settings
        or any(spec.is_common for spec in model.parameters)
        or not 0 < size <= _MOST_PARAMETERS
    ):
        return None
    marginal, x, state = reported_problem(fit)
    if not isinstance(marginal.units, UnitsInMemory):
        return None
    is_spread_free = model.latent.is_sd_free and len(state) > 0
    point = evaluate(marginal, x, state)
    information = full_information(marginal, x, state, point.expectation)
    # Where the spread of abilities is no parameter, it is the unit: known, whatever the items.
    kept = slice(None) if is_spread_free else slice(0, size)
    cells = np.concatenate([marginal.free_cells.ravel(), np.ones(len(state), dtype=bool)])[kept]
    found = np.zeros((len(cells), len(cells)))
    inner = information[kept, kept][np.ix_(cells, cells)]
    found[np.ix_(cells, cells)] = np.linalg.pinv(inner, hermitian=True)
    stretch = np.stack(
        [model.parameters[k].transform.slope(NUMPY, estimates.values[:, k]) for k in free], axis=1
    ).ravel()
    found = found[:size, :size] * stretch * stretch[:, None]
    return _with_blocks(found, estimates.covariance) if has_priors(model) else found


def _with_blocks(joint: Joint, blocks: Array) -> Joint:
    """The same correlations between items, with the covariance of each item as reported."""
    items, width = blocks.shape[:2]
    view = joint.reshape(items, width, items, width)
    change = np.stack(
        [
            _root(np.nan_to_num(blocks[k])) @ np.linalg.pinv(_root(view[k, :, k]))
            for k in range(items)
        ]
    )
    moved = np.einsum("iab,ibjc,jdc->iajd", change, view, change, optimize=True)
    return np.asarray(moved.reshape(joint.shape))


def _root(matrix: Array) -> Array:
    size, turn = np.linalg.eigh((matrix + matrix.T) / 2)
    return (turn * np.sqrt(np.maximum(size, 0.0))) @ turn.T
