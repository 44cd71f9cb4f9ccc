"""Where the respondents of a fit lie, and in blocks of which size."""

from itemcurve.estimation.marginal.units import Units, UnitsInMemory
from itemcurve.models.likelihood import Likelihood
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.row_blocks import split_rows
from itemcurve.responses.matrix import Responses

# Cells per block of respondents: what stays in cache on a processor, what fills an accelerator.
_BLOCK_CELLS = {"numpy": 2**22, "jax": 2**28}
# Respondents per block where few cells are observed: it is then the nodes that fill the cache.
_SPARSE_ROWS = 2**13


def respondent_units(likelihood: Likelihood, responses: Responses, engine: Engine) -> Units:
    """The respondents in blocks."""
    n_respondents, n_items = responses.shape
    rows = max(256, _BLOCK_CELLS[engine.name] // n_items)
    if responses.is_sparse:
        rows = max(rows, _SPARSE_ROWS)
    channels = likelihood.channels(responses)
    blocks = split_rows(engine, channels, n_respondents, n_items, rows)
    return UnitsInMemory(engine, blocks, n_respondents)
