"""The response table in which data sets are items: 77 classifiers, six measures, ten splits.

    python -m itemcurve_studies.dataset_table.collection collect SHARDS
    python -m itemcurve_studies.dataset_table.collection pack SHARDS TABLE.npz
    python -m itemcurve_studies.dataset_table.collection larger SHARDS

The last measures the twenty largest data sets with 10,000 rows instead of 2,000, and says what that
changes (`larger_tables`). Collecting stops and resumes at any time. The data come from the folder
that the environment variable ITEMCURVE_DATA names. Each data set and split is one file in a folder
named after the settings, so that results of other settings never mix; the first split of all data
sets comes before the second, so that an unfinished table is balanced.
"""

import os
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.metrics.bounded_measures import MEASURES, measure_performance
from itemcurve.errors import ItemcurveError
from itemcurve.storage.safe_npz import read_npz, write_npz
from itemcurve_studies.dataset_table import source_tables as tables
from itemcurve_studies.dataset_table.classifier_settings import Setting, list_settings
from itemcurve_studies.dataset_table.source_tables import ClassificationTable, Halves

SPLITS = 10
# Processor seconds, so that a busy machine loses no classifier.
LONGEST_FIT = 60.0


def collect(
    shards: Path,
    data: Path,
    *,
    rows: int = tables.MOST_ROWS,
    largest: int | None = None,
    splits: int | None = None,
) -> None:
    """Fit every classifier on every data set and split that has no file yet.

    Parameters
    ----------
    shards
        Where the files go; what is there is kept.
    data
        The folder of the data sets, see `read_tables`.
    rows, largest
        Of each data set at most, and how many data sets; those of the table when left out.
    splits
        How many; ten when left out.
    """
    settings = list_settings()
    folder = shards / fingerprint(settings, rows)
    all_tables = tables.read_tables(data, rows, largest)
    for split in range(SPLITS if splits is None else splits):
        (folder / f"{split:02d}").mkdir(parents=True, exist_ok=True)
        for table in all_tables:
            path = folder / f"{split:02d}" / f"{table.name}.npz"
            if not path.exists():
                start = time.process_time()
                write_npz(path, measure_table(table, split, settings))
                spent = time.process_time() - start
                print(f"{split} {table.name} {table.features.shape} {spent:.1f}", flush=True)


def measure_table(
    table: ClassificationTable, split: int, settings: list[Setting]
) -> dict[str, NDArray[np.generic]]:
    """Measure each classifier on one split: values, processor seconds, reasons where missing."""
    halves = tables.split_table(table, split)
    values = np.full((len(settings), len(MEASURES)), np.nan)
    seconds = np.zeros(len(settings))
    reasons = [""] * len(settings)
    for place, setting in enumerate(settings):
        start = time.process_time()
        try:
            with limit_processor_time(LONGEST_FIT):
                values[place] = _measure_classifier(setting, split, halves)
        # Any failure of a classifier is a missing cell whose reason is kept, not a lost night.
        except Exception as error:
            reasons[place] = f"{type(error).__name__}: {error}"[:200]
        seconds[place] = time.process_time() - start
    shape = (*table.features.shape, int(table.classes.max()) + 1)
    return {
        "values": values,
        "seconds": seconds,
        "reasons": np.array(reasons, dtype=np.str_),
        "shape": np.array(shape),
    }


def pack(shards: Path, target: Path) -> None:
    """Put all finished files of the present settings into one table, and say how far it is.

    Parameters
    ----------
    shards
        The folder that `collect` fills.
    target
        The npz file to write, which `load_dataset_table` reads.
    """
    settings = list_settings()
    paths = sorted((shards / fingerprint(settings)).glob("*/*.npz"))
    if not paths:
        raise ItemcurveError(
            "There must be finished files of the present settings;",
            f"{str(shards)!r} holds none.",
            "Run `collect` first.",
        )
    names = sorted({path.stem for path in paths})
    shape = (len(settings), len(names), SPLITS)
    values, seconds = np.full((len(MEASURES), *shape), np.nan, np.float32), np.full(shape, np.nan)
    shapes, missing = np.zeros((len(names), 3), np.int32), []
    for path in paths:
        shard, item, split = read_npz(path), names.index(path.stem), int(path.parent.name)
        values[:, :, item, split] = shard["values"].T
        seconds[:, item, split] = shard["seconds"]
        shapes[item] = shard["shape"]
        missing += [
            f"{settings[place].name}\t{names[item]}\t{split}\t{shard['reasons'][place]}"
            for place in np.flatnonzero(shard["reasons"] != "")
        ]
    write_npz(
        target,
        {
            "classifiers": np.array([setting.name for setting in settings]),
            "algorithms": np.array([setting.algorithm for setting in settings]),
            "groups": np.array([setting.group for setting in settings]),
            "datasets": np.array(names),
            "shapes": shapes,
            "measures": np.array(MEASURES),
            "values": values,
            "seconds": np.nanmean(seconds, axis=2).astype(np.float32),
            "missing": np.array(missing, dtype=np.str_),
            "settings": np.array([fingerprint(settings)]),
        },
    )
    done = np.isfinite(values[0]).any(axis=0)
    print(f"{len(names)} data sets; data sets per split: {done.sum(axis=0).tolist()}")
    print(f"{len(missing)} of {done.sum() * len(settings)} cells are missing for a reason")


def fingerprint(settings: list[Setting], rows: int = tables.MOST_ROWS) -> str:
    """Name the settings: another classifier, cap or split rule gives another name."""
    protocol = [
        rows,
        tables.MOST_CATEGORIES,
        tables.FEWEST_PER_CLASS,
        LONGEST_FIT,
        MEASURES,
        [(setting.name, repr(setting.build(0))) for setting in settings],
    ]
    return sha256(repr(protocol).encode()).hexdigest()[:12]


def _measure_classifier(setting: Setting, split: int, halves: Halves) -> NDArray[np.float64]:
    """Fit one classifier on one half and measure it on the other."""
    with warnings.catch_warnings():
        # Unfinished optimisation is part of what a cheap setting is; its measures say so.
        warnings.simplefilter("ignore")
        classifier = setting.build(split)
        classifier.fit(halves.train, halves.train_classes)
        proba = np.asarray(classifier.predict_proba(halves.test), dtype=np.float64)
        values = measure_performance(halves.test_classes, proba)
    if not np.isfinite(values).all():
        raise ItemcurveError("The probabilities are not finite.")
    return values


@contextmanager
def limit_processor_time(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside the block when it uses more processor time than this.

    Compiled code is interrupted only when it returns to Python. Without POSIX timers there is no
    limit.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {seconds:g} processor seconds")

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def main(arguments: list[str]) -> None:
    """Run `collect SHARDS`, `pack SHARDS TABLE.npz` or `larger SHARDS`."""
    match arguments:
        case ["collect", shards]:
            collect(Path(shards), Path(os.environ["ITEMCURVE_DATA"]) / "data")
        case ["pack", shards, target]:
            pack(Path(shards), Path(target))
        case ["larger", shards]:
            from itemcurve_studies.dataset_table.larger_tables import measure_larger

            print(measure_larger(Path(shards), Path(os.environ["ITEMCURVE_DATA"]) / "data"))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
