"""Progress of long work: one moving line on stderr; in a pipe a line now and then, or nothing."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.cli.commands.adapt.sessions import AnyTest

Report = Callable[[int, float], None]
TrainingReport = Callable[[int, int, str], None]
# Seconds between lines of progress where stderr is no terminal: a log stays short.
_PAUSE = 10.0


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show that something is being done, where somebody watches."""
    if not sys.stderr.isatty():
        yield
        return
    from itemcurve.cli.layout.terminal import messages

    with messages().status(text):
        yield


@contextmanager
def fit_progress(is_wanted: bool) -> Iterator[Report | None]:
    """Give what `fit(progress=...)` takes, None when stderr is not a terminal."""
    if not is_wanted or not sys.stderr.isatty():
        yield None
        return
    from itemcurve.cli.layout.terminal import messages

    with messages().status("Fitting …") as status:
        # A method may search several times, counting anew each time; people want one count.
        passes = count(1)

        def report(iteration: int, objective: float) -> None:
            status.update(f"Fitting: iteration {next(passes)}, objective {objective:,.3f}")

        yield report


@contextmanager
def training_progress(
    is_wanted: bool,
    *,
    in_pipes: bool = False,
    at_last: str = "Fitting abilities",
    on: str = "",
) -> Iterator[TrainingReport | None]:
    """Give what `evaluate_table(progress=...)` takes.

    Parameters
    ----------
    in_pipes : print a line now and then where stderr is not a terminal; else there is no report.
    at_last : what is being done once all are trained.
    on : what is trained on, where a command takes several tables.
    """
    if not is_wanted or not (in_pipes or sys.stderr.isatty()):
        yield None
        return
    if not sys.stderr.isatty():
        yield TrainingLines(on=on)
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from itemcurve.cli.layout.terminal import clean, messages, truncate

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=messages(), transient=True) as progress:
        task = progress.add_task("Training", total=None)

        def report(done: int, total: int, name: str) -> None:
            said = at_last if done == total else f"Trained {truncate(clean(name), 24)}"
            where = f"{truncate(clean(on), 24)}: " * bool(on)
            progress.update(task, completed=done, total=total, description=where + said)

        yield report


@contextmanager
def asking_progress() -> Iterator["Callable[[AnyTest], None]"]:
    """Give what is told of a test after each batch: a bar on a terminal, else lines on stderr."""
    if not sys.stderr.isatty():
        yield lambda test: print(_say_known(test), file=sys.stderr, flush=True)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from itemcurve.cli.layout.terminal import messages

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=messages(), transient=True) as progress:
        task = progress.add_task("", total=None)

        def report(test: "AnyTest") -> None:
            # How many answers a rule will want is known where a number of items is the rule.
            total, done = getattr(test, "n_items", None), len(test.answers)
            progress.update(task, completed=done, total=total, description=_say_known(test))

        yield report


def _say_known(test: "AnyTest") -> str:
    from itemcurve.adaptive.ability.ability_test import AdaptiveTest
    from itemcurve.cli.layout.terminal import estimate, number

    if isinstance(test, AdaptiveTest):
        known = f"ability {estimate(test.ability, test.ability_se)}"
    else:
        low, high = number(test.score.lower, 3), number(test.score.upper, 3)
        known = f"score {number(test.score.value, 3)} ({low} to {high})"
    return f"{len(test.answers):,} items answered, {known}"


class TrainingLines:
    """A line on stderr every few seconds: how many are trained, and about how long it takes yet."""

    def __init__(self, pause: float = _PAUSE, on: str = "") -> None:
        self.pause = pause
        self.where = f" on {on}" if on else ""
        self.started = self.told = time.monotonic()
        self.first: tuple[float, int] | None = None

    def __call__(self, done: int, total: int, name: str) -> None:
        """Print when the pause is over; work that ends within it leaves no line."""
        now = time.monotonic()
        # What comes before the first is mostly the start of processes, which comes once.
        self.first = self.first or (now, done)
        if now - self.told < self.pause or done >= total:
            return
        self.told = now
        since, before = self.first
        left = (now - since) / max(done - before, 1) * (total - done)
        told = f"; about {left:.0f} s left" if done > before else ""
        print(
            f"Trained {done:,} of {total:,}{self.where} after {now - self.started:.0f} s{told}",
            file=sys.stderr,
            flush=True,
        )
