"""A bound on the processor time of what is tried, and how much memory that took."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLongError(BaseException):
    """It took longer; no `except Exception` on the way may swallow this."""


def peak_memory() -> float:
    """The most memory this process ever had, in MiB; NaN where the system does not say."""
    try:
        import resource
    except ImportError:
        return float("nan")
    # macOS counts in bytes, Linux in KiB.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Break off what takes more processor time than this, where signals exist."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)
