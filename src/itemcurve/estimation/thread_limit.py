"""How many threads linear algebra takes: for small products one, more would wait for each other."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from itemcurve.numerics.products.threads import one_thread_of_algebra
from itemcurve.responses.matrix import Responses

# Below this many cells the products are so small that a second BLAS thread only waits.
_FEW_CELLS = 200_000


def few_threads(responses: Responses) -> AbstractContextManager[Any]:
    """Keep to one thread for as long as it is entered, where responses are few or far between."""
    if responses.shape[0] * responses.shape[1] > _FEW_CELLS and not responses.is_sparse:
        return nullcontext()
    return one_thread_of_algebra()
