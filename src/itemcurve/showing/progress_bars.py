"""A bar while one waits, where somebody watches: a terminal or a notebook, never a pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

Told = Callable[[int, int, str], None]
"""Called with how many are done, how many there are, and what was done last."""

_WIDTH = 24
# Seconds before a bar appears, and between two of its states: short work leaves no trace.
_FIRST = 0.5
_PAUSE = 0.1
_LONGEST_NAME = 28


@contextmanager
def progress_bar(wanted: "bool | Told | None", what: str) -> Iterator[Told | None]:
    """Give what is told of progress.

    Parameters
    ----------
    wanted : True and False; None shows a bar where stderr is a terminal or a notebook; a function
        is told itself.
    what : is being done, as `Training`.
    """
    if callable(wanted):
        yield wanted
        return
    if wanted is False or (wanted is None and not is_watched()):
        yield None
        return
    bar = Bar(what, sys.stderr)
    try:
        yield bar
    finally:
        bar.close()


def is_watched() -> bool:
    """Whether somebody sees what is written to stderr as it comes."""
    return sys.stderr.isatty() or _is_notebook()


def _is_notebook() -> bool:
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Bar:
    """One line that is written over, as tqdm does it."""

    def __init__(
        self, what: str, stream: TextIO, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.what, self.stream, self.clock = what, stream, clock
        self.started = clock()
        self.told = self.started + _FIRST - _PAUSE
        self.width = 0

    def __call__(self, done: int, total: int, name: str) -> None:
        """Write the bar, unless it was written a moment ago."""
        now = self.clock()
        if now - self.told < _PAUSE:
            return
        self.told = now
        self._write(self._line(done, total, name, now - self.started))

    def close(self) -> None:
        """Wipe the line: what was found is told elsewhere."""
        if self.width:
            self._write("")
            self.stream.write("\r")
            self.stream.flush()

    def _line(self, done: int, total: int, name: str, seconds: float) -> str:
        full = round(_WIDTH * done / total) if total else 0
        left = seconds / done * (total - done) if done else 0.0
        short = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
        bar = "█" * full + "░" * (_WIDTH - full)
        return f"{self.what} {done:,}/{total:,} {bar} {seconds:.0f} s, {left:.0f} s left: {short}"

    def _write(self, line: str) -> None:
        encoding = getattr(self.stream, "encoding", None) or "utf-8"
        shown = line.encode(encoding, "replace").decode(encoding)
        self.stream.write(f"\r{shown.ljust(self.width)}")
        self.stream.flush()
        self.width = len(shown)
