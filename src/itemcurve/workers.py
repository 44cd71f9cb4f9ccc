"""Tasks in several processes, which leave Ctrl-C to the process that started them."""

import signal
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any


def run_tasks(tasks: Iterable[Any], n_jobs: int | None) -> Iterable[Any]:
    """Give what the tasks return, as each is done.

    Parameters
    ----------
    tasks : as `joblib.delayed` makes them.
    n_jobs : as joblib takes it; None leaves it to `joblib.parallel_config`, which also chooses
        the backend (processes, threads, Dask, Ray).
    """
    from joblib import Parallel, effective_n_jobs
    from joblib.parallel import get_active_backend

    backend, configured = get_active_backend()
    if n_jobs is None and configured is None and not _is_of_joblib(backend):
        # Whoever names a cluster wants it used; Ray's backend would do with this process alone.
        n_jobs = -1
    # Ray's backend cannot hand results over one by one; then they come together at the end.
    can_stream = getattr(backend, "supports_return_generator", False)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered" if can_stream else "list")
    has_children = can_stream and effective_n_jobs(n_jobs) > 1
    with _deaf_children() if has_children else nullcontext():
        found: Iterable[Any] = parallel(tasks)
    return found


def undivided() -> AbstractContextManager[Any]:
    """Keep what a task does in itself in the process that was given the task.

    Dask would spread it over the whole cluster again, wherever an estimator leaves its `n_jobs`
    open: sums over trees then come in another order, and last digits differ from run to run.
    """
    from joblib import parallel_config

    return parallel_config(backend="threading", n_jobs=1) if _is_dask() else nullcontext()


def own_memory(table: Any) -> Any:
    """Give a table that a task was sent as one that this process might have made itself.

    Dask leaves arrays at the odd addresses where they arrived; there, NumPy multiplies in another
    order, and last digits differ. All tasks of a worker are given the same array, too.
    """
    return table.copy() if _is_dask() and hasattr(table, "copy") else table


def _is_dask() -> bool:
    from joblib.parallel import get_active_backend

    return type(get_active_backend()[0]).__name__ == "DaskDistributedBackend"


def _is_of_joblib(backend: object) -> bool:
    return type(backend).__module__.partition(".")[0] == "joblib"


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Let processes and threads that start meanwhile never hear of Ctrl-C.

    A terminal sends it to all processes. Workers would die of it with tracebacks of their own,
    while it is for the caller to end them; they inherit which signals are held back. One that
    arrives meanwhile reaches the caller at the end of the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        # Windows.
        yield
        return
    from multiprocessing import resource_tracker

    # Many versions of Python let all signals through again when they start this helper.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
