"""Damaged logs: no traceback, no hang, and no wrong value that goes unsaid.

A flipped bit can turn a 1 into a 0 and leave a file that is sound in every other way. Such a value
is wrong only against the log as it was; what can be asked is that it is either said (the means that
the harness reports disagree, samples are missing, the checksum fails) or really stands in the file.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from tests.logs.examples import all_examples
from tests.logs.mutations import MUTATIONS

from itemcurve.logs.file_reading import FileReading, read_file
from itemcurve.logs.formats.catalogue import READERS
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.reading.log_errors import LARGEST_VALUE
from itemcurve.logs.reading.log_rows import SCORED
from itemcurve.logs.table.joined_logs import assemble

SECONDS = 20.0
# Computed from several numbers of a row.
DERIVED = ("brier",)
STATUSES = {"read", "partial", "damaged", "empty", "unmapped", "companion", "foreign"}


@dataclass(frozen=True)
class Log:
    """A log as it is before it is damaged; `victim` is the file that will be."""

    path: str
    victim: str
    original: dict
    has_reports: bool


def values_of(reading: FileReading) -> dict:
    """Scores by what they are scores of: content (or id), metric, filter, group and repeat."""
    log = reading.log
    if log is None:
        return {}
    found = {}
    for run, sample, measure, repeat, status, _, value in zip(
        *log.codes.tolist(), log.value.tolist(), strict=True
    ):
        if status == SCORED:
            taken = log.measures[measure]
            who = log.runs[run]
            asked = log.contents[sample] or log.samples[sample]
            key = (who.respondent, who.task, asked, taken.metric, taken.filter, taken.group, repeat)
            found.setdefault(key, []).append(value)
    return found


def find_logs(folder: Path) -> list[Log]:
    """List the logs of a folder, each with itself and each companion as the file to damage."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        reading = read_file(folder, name, LogColumns())
        if reading.status != "read":
            continue
        reports = {(r.metric, r.filter, r.group) for r in reading.log.reports}
        measures = {(m.metric, m.filter, m.group) for m in reading.log.measures if m.metric}
        is_checked = measures <= reports and not reading.reason
        victims = [stamp.path for stamp in reading.stamps if stamp.size > 0]
        found += [Log(name, victim, values_of(reading), is_checked) for victim in victims]
    return found


def damage_and_check(folder: Path, logs: list[Log], count: int, seed: int) -> dict[str, int]:
    rng = np.random.default_rng(seed)
    statuses: dict[str, int] = {}
    for number in range(count):
        log = logs[int(rng.integers(len(logs)))]
        mutation = MUTATIONS[number % len(MUTATIONS)]
        victim = folder / log.victim
        before = victim.read_bytes()
        after = mutation(before, rng)
        victim.write_bytes(after)
        try:
            started = perf_counter()
            reading = read_file(folder, log.path, LogColumns())
            seconds = perf_counter() - started
        finally:
            victim.write_bytes(before)
        where = f"mutation {number} ({mutation.__name__}) of {log.victim}, seed {seed}"
        assert seconds < SECONDS, where
        check_reading(log, reading, after, where)
        statuses[reading.status] = statuses.get(reading.status, 0) + 1
    return statuses


def check_reading(log: Log, reading: FileReading, content: bytes, where: str) -> None:
    assert reading.status in STATUSES, where
    assert reading.log is not None or reading.reason or reading.status == "companion", where
    found = values_of(reading)
    numbers = [value for values in found.values() for value in values]
    assert all(np.isfinite(value) and abs(value) <= LARGEST_VALUE for value in numbers), where
    for key, values in found.items():
        expected = log.original.get(key)
        if values == expected:
            continue
        if log.victim != log.path:
            # A companion says who and what, never how much.
            assert expected is None or set(values) == set(expected), f"{where}: {key} {values}"
        elif expected is not None and log.has_reports:
            assert reading.reason, (
                f"{where}: {key} is {values}, was {expected}, and nothing is said"
            )
        elif expected is not None and not reading.reason and key[3] not in DERIVED:
            assert all(stands_in(value, content) for value in values), f"{where}: {key} {values}"
    assemble([reading]).summary()


def stands_in(value: float, content: bytes) -> bool:
    """Say whether a number, or what a harness writes for it, stands in the file."""
    words = {1.0: [b"true", b'"C"'], 0.0: [b"false", b'"I"', b'"N"'], 0.5: [b'"P"']}
    written = [repr(value).encode(), f"{value:g}".encode(), str(value).rstrip("0").encode()]
    return any(text in content for text in written + words.get(value, []))


def test_damaged_examples_of_every_format_do_no_harm(tmp_path):
    all_examples(tmp_path)
    logs = find_logs(tmp_path)
    names = {reader.name for reader in READERS}
    assert {read_file(tmp_path, log.path, LogColumns()).harness for log in logs} == names
    statuses = damage_and_check(tmp_path, logs, 420, seed=1)
    assert {"damaged", "partial", "read"} <= set(statuses)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_five_hundred_damaged_real_logs_do_no_harm(shared_data, tmp_path, seed):
    source = shared_data / "fixtures" / "logs"
    if not source.is_dir():
        pytest.skip("ITEMCURVE_DATA has no fixtures/logs")
    shutil.copytree(source, tmp_path / "logs", copy_function=shutil.copyfile)
    logs = find_logs(tmp_path / "logs")
    statuses = damage_and_check(tmp_path / "logs", logs, 500, seed)
    assert sum(statuses.values()) == 500
    assert {"damaged", "partial", "read"} <= set(statuses)
