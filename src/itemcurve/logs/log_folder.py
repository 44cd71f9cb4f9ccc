"""`read_logs`: a folder of evaluation logs in, one long table out."""

import os
from collections.abc import Iterator
from pathlib import Path

from itemcurve.logs.file_reading import FileReading, read_file
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_discovery import find_files
from itemcurve.logs.reading_cache import ReadingCache, default_folder
from itemcurve.logs.table.joined_logs import assemble
from itemcurve.logs.table.long_table import LogResponses
from itemcurve.workers import run_tasks

# Below this many bytes to read, starting other processes takes longer than reading.
_WORTH_PROCESSES = 50 * 2**20
_MOST_PROCESSES = 8


def read_logs(
    path: str | os.PathLike[str],
    *,
    columns: LogColumns | None = None,
    cache: bool | str | os.PathLike[str] = True,
    n_jobs: int | None = None,
) -> LogResponses:
    """Read the logs of evaluation harnesses below a folder, any mix of formats.

    lm-evaluation-harness, Inspect AI, HELM, OpenCompass, OpenML, MLflow and W&B tables, py-irt,
    Every Eval Ever; with `columns` also CSV, JSON Lines and JSON lists of your own. Formats are
    recognised by content. No harness need be installed, and nothing in a log is executed.

    Parameters
    ----------
    path
        A folder, read with all below it, or one file.
    columns
        Which column means what, for tables that no harness defined.
    cache
        Keep what was read, so that only files that changed are read next time: in the user's
        cache folder, in the folder named, or (False) not at all.
    n_jobs
        Processes to read with; chosen by the amount when left out.

    Examples
    --------
    >>> import tempfile, pathlib, itemcurve as ic
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lines = '{"subject_id": "a", "responses": {"q1": 1, "q2": 0}}'
    ...     count = pathlib.Path(folder, "toy.jsonlines").write_text(lines)
    ...     logs = ic.read_logs(folder, cache=False)
    >>> logs.select()
    Responses(1 respondents × 2 items, 2 of 2 cells observed, values 0 to 1, dense int8)
    """
    root, paths, refused = find_files(path)
    chosen = columns or LogColumns()
    stored = _find_cache(root, chosen, cache)
    readings = {
        name: FileReading(name, "foreign", "", reason, ()) for name, reason in refused.items()
    }
    readings |= {name: found for name in paths if stored and (found := stored.find(name))}
    new = [name for name in paths if name not in readings]
    readings |= {reading.path: reading for reading in _read_new(root, new, chosen, stored, n_jobs)}
    return assemble([readings[name] for name in sorted(readings)])


def _find_cache(
    root: Path, columns: LogColumns, cache: bool | str | os.PathLike[str]
) -> ReadingCache | None:
    if cache is False:
        return None
    folder = default_folder(root) if cache is True else Path(cache)
    return ReadingCache(folder, root, columns)


def _read_new(
    root: Path,
    paths: list[str],
    columns: LogColumns,
    cache: ReadingCache | None,
    n_jobs: int | None,
) -> Iterator[FileReading]:
    """Read files, in several processes where that pays."""
    sizes = {path: _size(root / path) for path in paths}
    jobs = _count_jobs(sum(sizes.values()), len(paths)) if n_jobs is None else n_jobs
    if jobs == 1:
        yield from (_read_and_keep(root, path, columns, cache) for path in paths)
        return
    from joblib import delayed

    # The largest first, so that no process is left with it at the end.
    ordered = sorted(paths, key=lambda path: -sizes[path])
    tasks = (delayed(_read_and_keep)(root, path, columns, cache) for path in ordered)
    yield from run_tasks(tasks, jobs)


def _read_and_keep(
    root: Path, path: str, columns: LogColumns, cache: ReadingCache | None
) -> FileReading:
    reading = read_file(root, path, columns)
    if cache is not None:
        cache.keep(reading)
    return reading


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _count_jobs(size: int, count: int) -> int:
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(available or 1, count, _MOST_PROCESSES) if size > _WORTH_PROCESSES else 1
