"""Where the respondents of a fit lie, and in blocks of which size."""

from itertools import pairwise

import numpy as np

from itemcurve.estimation.marginal.over_respondents.distributed_units import DistributedUnits
from itemcurve.estimation.marginal.over_respondents.streamed_units import StreamedUnits
from itemcurve.estimation.marginal.units import Units, UnitsInMemory
from itemcurve.estimation.marginal.units_on_devices import place_units
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.products.sparse_blocks import Bands, split_sparse, suits
from itemcurve.responses.matrix import Responses

# Cells per block of respondents, where blocks are taken one by one: what stays in cache.
_BLOCK_CELLS = 2**22
# Of so few cells, which are 64-bit floats, smaller blocks stay in a cache closer by, with what is
# found of their respondents at the nodes.
_SMALL_BLOCK_CELLS, _FEW_ROWS = 2**19, 512
# Respondents per block where few cells are observed: it is then the nodes that fill the cache.
_SPARSE_ROWS = 2**13
# From so many respondents on, those with few answers and those with many are integrated apart.
_MANY_RESPONDENTS = 20_000
_BAND_RATIO = 1.5

Weights = tuple[tuple[float, float], ...]
"""Smallest and largest weight per item of each band of respondents."""


def respondent_units(
    likelihood: Likelihood, responses: Responses, engine: Engine
) -> tuple[Units, Weights]:
    """The respondents in blocks, and the weights of their bands, if they come in bands."""
    n_respondents, n_items = responses.shape
    client = getattr(responses.cells, "client", None)
    if client is not None:
        return DistributedUnits(engine, likelihood, responses, client), ()
    if responses.is_streamed:
        return StreamedUnits(engine, likelihood, responses), ()
    channels = likelihood.channels(responses)
    if not suits(engine, channels):
        rows = max(256, _BLOCK_CELLS // n_items)
        if not engine.compiles and n_respondents * n_items <= _BLOCK_CELLS:
            rows = max(_FEW_ROWS, _SMALL_BLOCK_CELLS // n_items)
        return place_units(engine, channels, n_respondents, n_items, rows), ()
    rows = max(_SPARSE_ROWS, 2**22 // n_items)
    if engine.name != "numpy" or n_respondents < _MANY_RESPONDENTS:
        # Compiled code would be compiled anew for each band.
        blocks = split_sparse(engine, channels, n_respondents, rows)
        return UnitsInMemory(engine, blocks, n_respondents), ()
    bands, weights = _bands(responses)
    blocks = split_sparse(engine, channels, n_respondents, rows, bands)
    ends = np.cumsum(
        [next(part.shape[0] for part in block if part is not None) for block in blocks]
    )
    own = np.searchsorted(bands.edges, ends, side="left") - 1
    units = UnitsInMemory(
        engine, blocks, n_respondents, order=bands.order, bands=tuple(own.tolist())
    )
    return units, weights


def _bands(responses: Responses) -> tuple[Bands, Weights]:
    """Respondents by the total weight of their answers, in bands of a fixed ratio."""
    totals = responses.cells.totals(1)[1]
    order = np.argsort(totals, kind="stable")
    heights = np.floor(np.log(totals[order]) / np.log(_BAND_RATIO))
    edges = [0, *(np.flatnonzero(np.diff(heights)) + 1).tolist(), totals.size]
    share = totals[order] / responses.shape[1]
    limits = tuple((float(share[a]), float(share[b - 1])) for a, b in pairwise(edges))
    return Bands(order, tuple(edges)), limits
