"""Tasks in several processes, which leave Ctrl-C to their caller and end when it does."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from itemcurve.errors import WorkerError

# How often a worker looks whether it is still wanted, in seconds.
_PAUSE = 1.0
_is_watching = False


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
    if not has_children:
        found: Iterable[Any] = parallel(tasks)
        return found
    if type(backend).__name__ == "LokyBackend":
        tasks = ((_attended, (os.getpid(), call, *given), named) for call, given, named in tasks)
    with _deaf_children():
        found = parallel(tasks)
    return _named_ends(found)


def _named_ends(found: Iterable[Any]) -> Iterator[Any]:
    """Hand results on; say so where the system ended a worker."""
    from joblib.externals.loky.process_executor import BrokenProcessPool

    try:
        yield from found
    except BrokenProcessPool:
        raise WorkerError(
            "Worker processes must live until their tasks are done;",
            "one was ended from outside, as systems do that run out of memory.",
            "Run again with fewer processes at a time (`--jobs 1`, `n_jobs=1`), or with less data; "
            "what was finished and kept in a folder is not done again.",
        ) from None


def _attended(parent: int, call: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Do a task in a process that ends when its parent does."""
    global _is_watching
    if not _is_watching and os.getppid() == parent:
        _is_watching = True
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    return call(*given, **named)


def _end_with(parent: int) -> None:
    """End this process as soon as its parent is gone: nobody is left to take the result."""
    if sys.platform == "win32":
        import ctypes

        kernel, may_wait, for_ever = ctypes.windll.kernel32, 0x00100000, 0xFFFFFFFF
        kernel.WaitForSingleObject(kernel.OpenProcess(may_wait, False, parent), for_ever)
    else:
        while os.getppid() == parent:
            time.sleep(_PAUSE)
    os._exit(1)


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
