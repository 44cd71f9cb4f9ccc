"""Work on several blocks at a time, with results in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def map_in_threads(function: Callable[..., Any], *arguments: Iterable[Any]) -> Iterator[Any]:
    """The built-in `map`, on all processors; only a few results wait to be taken.

    NumPy and SciPy let other threads run during their loops. Linear algebra keeps to one thread
    meanwhile: its own would wait for processors that are taken, and waiting takes them too.
    """
    from joblib import cpu_count

    threads = cpu_count()
    if threads < 2:
        yield from map(function, *arguments)
        return
    waiting: deque[Future[Any]] = deque()
    with one_thread_of_algebra(), ThreadPoolExecutor(threads) as pool:
        for values in zip(*arguments, strict=True):
            waiting.append(pool.submit(function, *values))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def one_thread_of_algebra() -> AbstractContextManager[Any]:
    """Keep linear algebra to one thread for as long as it is entered."""
    context: AbstractContextManager[Any] = _thread_pools().limit(limits=1, user_api="blas")
    return context


@cache
def _thread_pools() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
