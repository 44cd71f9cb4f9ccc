"""Ctrl-C, and being asked to end: one line that says what was kept and how to go on."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

AGAIN = "the same command goes on from there."


class Interrupted(KeyboardInterrupt):
    """An interruption that knows how to go on."""


class Terminated(KeyboardInterrupt):
    """The system asked this process to end, as `kill`, `timeout` and containers do."""


@contextmanager
def heeding_termination() -> Iterator[None]:
    """End by SIGTERM as by Ctrl-C: workers are ended, and what was reached is kept."""
    is_ours = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    )
    if not is_ours:
        yield
        return

    def end(number: int, frame: object) -> None:
        # Once is enough: what has to be kept must not be ended, too.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def was_terminated(interruption: BaseException | None) -> bool:
    """Say whether an interruption began with SIGTERM."""
    while interruption is not None:
        if isinstance(interruption, Terminated):
            return True
        interruption = interruption.__cause__ or interruption.__context__
    return False


@contextmanager
def interruptible(describe: Callable[[], str]) -> Iterator[None]:
    """Turn Ctrl-C inside the block into a line that says how to go on.

    Parameters
    ----------
    describe : gives that line, when it happens.
    """
    try:
        yield
    except KeyboardInterrupt as interruption:
        raise Interrupted(f"Interrupted; {describe()}") from interruption


def kept_in(folder: Path | None, what: str, option: str) -> str:
    """Say where finished work lies, or which option would have kept it."""
    if folder is None:
        return f"nothing was kept. With {option} the same command could go on."
    return f"{what} are kept in {folder}: {AGAIN}"
