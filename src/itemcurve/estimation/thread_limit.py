"""How many threads linear algebra takes: for few responses one, more would wait for each other."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from itemcurve.responses.matrix import Responses

# Below this many cells the products are so small that a second BLAS thread only waits.
_FEW_CELLS = 200_000


def few_threads(responses: Responses) -> AbstractContextManager[Any]:
    """Keep to one thread for as long as it is entered, where responses are few."""
    if responses.shape[0] * responses.shape[1] > _FEW_CELLS:
        return nullcontext()
    context: AbstractContextManager[Any] = _thread_pools().limit(limits=1, user_api="blas")
    return context


@cache
def _thread_pools() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
