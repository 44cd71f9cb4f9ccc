"""Progress of long work: one moving line on stderr, and nothing where nobody watches."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

Report = Callable[[int, float], None]
TrainingReport = Callable[[int, int, str], None]


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show that something is being done, where somebody watches."""
    if not sys.stderr.isatty():
        yield
        return
    from itemcurve.cli.terminal import messages

    with messages().status(text):
        yield


@contextmanager
def fit_progress(is_wanted: bool) -> Iterator[Report | None]:
    """Give what `fit(report=...)` takes, None when stderr is not a terminal."""
    if not is_wanted or not sys.stderr.isatty():
        yield None
        return
    from itemcurve.cli.terminal import messages

    with messages().status("Fitting …") as status:
        # A method may climb several times, counting anew each time; people want one count.
        passes = count(1)

        def report(iteration: int, objective: float) -> None:
            status.update(f"Fitting: iteration {next(passes)}, objective {objective:,.3f}")

        yield report


@contextmanager
def training_progress(is_wanted: bool) -> Iterator[TrainingReport | None]:
    """Give what `evaluate_table(report=...)` takes, None when stderr is not a terminal."""
    if not is_wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from itemcurve.cli.terminal import clean, messages, shorten

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
            said = "Fitting abilities" if done == total else f"Trained {shorten(clean(name), 24)}"
            progress.update(task, completed=done, total=total, description=said)

        yield report
