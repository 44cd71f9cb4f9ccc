"""Ctrl-C: one line that says what was kept and how to go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

AGAIN = "the same command goes on from there."


class Interrupted(KeyboardInterrupt):
    """An interruption that knows how to go on."""


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
