"""Only the trainings of the study on robustness, side by side and within a time limit.

    python -m itemcurve_studies.robustness.pieces.collection FOLDER --jobs 16 --minutes 9

FOLDER is that of `itemcurve reproduce robustness --rows 0 --seeds 20 --out FOLDER`, which puts the
pieces together. What is there is not trained again; what is being trained when the time is over is
lost, all else is kept. Quick data sets come first, so that most of them are finished; `--sets`
names those to train on. After each piece stand the seconds of processor time it took.
"""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterator
from functools import lru_cache
from multiprocessing import TimeoutError as NoMoreTime
from multiprocessing import get_context
from pathlib import Path

from itemcurve_studies.robustness.data import (
    SETS,
    LoadedSet,
    TableSet,
    is_there,
    load_set,
    training_cost,
)
from itemcurve_studies.robustness.pieces.trainings import (
    Piece,
    list_pieces,
    name_piece,
    train_piece,
)
from itemcurve_studies.robustness.size import Size, choose_size
from itemcurve_studies.study.finished_parts import FinishedParts

Task = tuple[Path, TableSet, Size, Piece, Path]
# Pieces are trained side by side; threads within them would only be in each other's way.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_MOST_SECONDS = 3e6


def train_pieces(
    data: Path,
    size: Size,
    work: Path,
    jobs: int,
    minutes: float | None,
    names: Collection[str] | None = None,
) -> int:
    """Train what is missing until all is there or the time is over; give how much still is not.

    Parameters
    ----------
    data : folder with `data/table1`.
    work : folder of the run's finished parts.
    jobs : processes.
    names : of the data sets; None for all.
    """
    until = time.monotonic() + (_MOST_SECONDS if minutes is None else 60 * minutes)
    tasks = list(list_missing(data, size, work, names))
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    done = 0
    # Leaving the block ends the processes, also those that are still training.
    with get_context("spawn").Pool(jobs) as pool:
        finished = pool.imap_unordered(_train_one, tasks, chunksize=1)
        try:
            while done < len(tasks):
                name = finished.next(timeout=max(until - time.monotonic(), 0))
                done += 1
                print(f"{done} of {len(tasks)}: {name}", flush=True)
        except NoMoreTime:
            print("the time is over", flush=True)
    return len(tasks) - done


def list_missing(
    data: Path, size: Size, work: Path, names: Collection[str] | None = None
) -> Iterator[Task]:
    """Give the pieces that are not there, those of quick data sets first."""
    parts = FinishedParts(work / "parts")
    asked = [source for source in SETS if names is None or source.name in names]
    there = [source for source in asked if is_there(data, source)]
    for source in sorted(there, key=lambda one: training_cost(load_set(data, one, size.rows))):
        if parts.has_arrays(size.name_set(source.name)):
            continue
        for piece in list_pieces(size):
            if not parts.has_arrays(name_piece(source.name, size, piece)):
                yield data, source, size, piece, work


def _train_one(task: Task) -> str:
    data, source, size, piece, work = task
    started = time.process_time()
    train_piece(_load(data, source, size.rows), size, piece, FinishedParts(work / "parts"))
    return f"{source.name}, {piece.name}, {time.process_time() - started:.1f} s"


@lru_cache(maxsize=1)
def _load(data: Path, source: TableSet, rows: int | None) -> LoadedSet:
    return load_set(data, source, rows)


def _read_arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--minutes", type=float, help="at most; no limit when left out")
    parser.add_argument("--rows", type=int, default=0, help="of a data set at most, 0 for all")
    names = [source.name for source in SETS]
    parser.add_argument("--sets", nargs="+", choices=names, metavar="NAME", help="only these")
    parser.add_argument("--seeds", type=int, default=20, help="of each algorithm in the pool")
    return parser.parse_args()


def main() -> None:
    """Train, and say how many pieces are missing."""
    asked = _read_arguments()
    size = choose_size(asked.rows, asked.seeds, quick=False)
    data = Path(os.environ["ITEMCURVE_DATA"])
    left = train_pieces(data, size, asked.folder / "work", asked.jobs, asked.minutes, asked.sets)
    print(f"{left} pieces are missing" if left else "all pieces are there")


if __name__ == "__main__":
    main()
