"""Text for terminals: consoles, ids that stay readable, numbers with their errors."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite, isnan
from typing import Any, cast

from rich.cells import cell_len
from rich.console import Console

from itemcurve.cli.failures import close_quietly
from itemcurve.errors import StorageWarning

# Line and paragraph separators; marks that reverse what follows.
_TURNING = "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


class _Terminal(Console):
    """A console whose reader may leave: `| head` ends the printing, never the work.

    What would move the cursor or change colours is shown as a sign: names are strangers' text.
    """

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print as rich does, texts without control characters."""
        shown = (still(each) if isinstance(each, str) else each for each in objects)
        super().print(*shown, **settings)

    def on_broken_pipe(self) -> None:
        """Print nothing more; rich itself would end the process here, with what it had to save."""
        self.quiet = True
        close_quietly(self.file)


def output() -> Console:
    """Give the console of results; plain text when piped or when NO_COLOR is set."""
    # Ids are data: nothing in them may be read as markup, emoji or a number to colour.
    return _Terminal(highlight=False, markup=False, emoji=False)


def messages() -> Console:
    """Give the console of progress and warnings, on stderr."""
    return _Terminal(stderr=True, highlight=False, markup=False, emoji=False)


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Print what the library says about stored files as plain lines on stderr."""
    with warnings.catch_warnings():
        others: Callable[..., None] = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if issubclass(category, StorageWarning):
                messages().print(clean(str(message)), soft_wrap=True)
            else:
                others(message, category, *where)

        warnings.simplefilter("always", StorageWarning)
        warnings.showwarning = cast(Any, show)
        yield


def clean(text: str) -> str:
    """Replace what would move the cursor or change colours by a visible sign."""
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def still(text: str) -> str:
    """Replace control characters but line breaks, as `clean` does; text of many lines stays so."""
    return text if text.isprintable() else "\n".join(map(_hold, text.split("\n")))


def is_disturbing(text: str) -> bool:
    """Say whether a text holds what moves the cursor, ends a line or turns the reading round."""
    return any(sign < " " or "\x7f" <= sign <= "\x9f" or sign in _TURNING for sign in text)


def _hold(line: str) -> str:
    return "".join("�" if is_disturbing(sign) else sign for sign in line)


def truncate(text: str, width: int) -> str:
    """Cut the end of a text that is wider than `width` cells.

    Examples
    --------
    >>> truncate("toy 12: What is 5 + 19?", 16)
    'toy 12: What is…'
    """
    if cell_len(text) <= width:
        return text
    kept = text[:width]
    while cell_len(kept) > width - 1:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def number(value: float, digits: int = 2) -> str:
    """Write a number for people: few digits, no nan."""
    if isnan(value):
        return "–"
    if not isfinite(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.{digits}f}" if abs(value) < 10_000 else f"{value:.2e}"


def estimate(value: float, error: float) -> str:
    """Write an estimate with its standard error; a held value has none."""
    if error == 0 or isnan(error):
        return number(value)
    return f"{number(value)} ± {number(error)}"


def percent(share: float) -> str:
    """Write a share so that only nothing is 0 % and only all is 100 %.

    Examples
    --------
    >>> percent(1.0), percent(0.998), percent(0.9999), percent(0.5)
    ('100%', '99.8%', '99.9%', '50%')
    """
    written = f"{share:.0%}"
    if 0 < share < 1 and written in ("0%", "100%"):
        return f"{min(max(share, 0.001), 0.999):.1%}"
    return written
