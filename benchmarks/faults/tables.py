"""Damaged tables and run folders: refused, read to the same values, or said to be in doubt.

Every input is a sound file that was then cut, overwritten, flipped or changed in form. It is read
in the process itself; what no reader can notice (text cut between two rows) is counted apart.
"""

import gzip
import shutil
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.faults.file_damage import damage_bytes, damage_text, is_cut_at_a_row
from benchmarks.faults.odd_tables import ENDINGS, draw_responses, same_responses
from benchmarks.faults.processor_time import TooLongError, at_most
from benchmarks.faults.tally import Outcome, Tally
from itemcurve.errors import ItemcurveError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.responses.matrix import Responses

FULL, _RUNS = 22_000, 40
# Each file is damaged in so many ways before the next is made.
_WAYS = 25
_SECONDS = 20.0
_LONGEST_ERROR = 1_500
_SEPARATORS = {"csv": ",", "tsv": "\t", "jsonl": ""}


def units(amount: float, seed: int) -> dict[str, Callable[[], list[Tally]]]:
    """Damage files of every format, and run folders.

    Parameters
    ----------
    amount : 1 for the full number of inputs.
    seed : decides all of them.
    """
    found: dict[str, Callable[[], list[Tally]]] = {
        ending: partial(_all_tables, ending, amount, seed) for ending in ENDINGS
    }
    return found | {"run folders": partial(_all_runs, amount, seed)}


def _all_tables(ending: str, amount: float, seed: int) -> list[Tally]:
    tally, random = Tally(f"tables, {ending}"), Random(f"{seed} {ending}")
    with tempfile.TemporaryDirectory() as name:
        for _ in range(max(1, round(amount * FULL / len(ENDINGS) / _WAYS))):
            try_table(random, ending, Path(name), tally, _WAYS)
    return [tally]


def _all_runs(amount: float, seed: int) -> list[Tally]:
    tally, random = Tally("run folders"), Random(f"{seed} runs")
    with tempfile.TemporaryDirectory() as name:
        for _ in range(max(1, round(amount * _RUNS))):
            try_run(random, Path(name), tally, _WAYS)
    return [tally]


def try_table(random: Random, ending: str, folder: Path, tally: Tally, ways: int) -> None:
    """Save some responses, and read them back whole and damaged.

    Parameters
    ----------
    random : decides everything.
    ending : of the file, and so its format.
    folder : where to write.
    tally : counts what became of them.
    ways : how often the file is damaged.
    """
    original = draw_responses(random)
    path = folder / f"table.{ending}"
    original.save(path)
    content = path.read_bytes()

    def is_same() -> bool:
        return same_responses(original, Responses.read(path))

    _count(tally, is_same, "whole", is_unnoticeable=False)
    for _ in range(ways):
        kind, damaged, is_unnoticeable = _damage(random, ending, content)
        path.write_bytes(damaged)
        _count(tally, is_same, f"{kind} {damaged[-60:]!r}", is_unnoticeable=is_unnoticeable)


def _damage(random: Random, ending: str, content: bytes) -> tuple[str, bytes, bool]:
    """Damage a file; say also whether nobody could notice."""
    format_, _, packing = ending.partition(".")
    if format_ not in _SEPARATORS or (packing and random.random() < 0.7):
        return *damage_bytes(random, content), False
    separator = _SEPARATORS[format_]
    text = gzip.decompress(content) if packing else content
    kind, damaged = damage_text(random, text, separator)
    is_row = kind == "cut" and is_cut_at_a_row(damaged, text, separator)
    return kind, gzip.compress(damaged, 1) if packing else damaged, is_row


def try_run(random: Random, folder: Path, tally: Tally, ways: int) -> None:
    """Save a fit as a run folder, and load it with one of its files damaged."""
    shape = random.randint(4, 12), random.randint(3, 6)
    drawn = np.random.default_rng(random.randrange(2**32)).integers(0, 2, shape)
    original = fit(Responses.from_array(drawn), "2pl", on_failure="ignore")
    path, damaged = folder / "run", folder / "damaged"
    original.save(path)

    def is_same() -> bool:
        found = load(damaged)
        pairs = ((original.items, found.items), (original.respondents, found.respondents))
        return (
            same_responses(original.responses, found.responses)
            and all(one.equals(other) for one, other in pairs)
            and found.log_likelihood == original.log_likelihood
            and found.status is original.status
        )

    shutil.copytree(path, damaged)
    _count(tally, is_same, "whole", is_unnoticeable=False)
    shutil.rmtree(damaged)
    files = sorted(file.name for file in path.iterdir())
    for _ in range(ways):
        shutil.copytree(path, damaged)
        name = random.choice(files)
        kind, content = damage_bytes(random, (path / name).read_bytes())
        if random.random() < 0.1:
            kind = "gone"
            (damaged / name).unlink()
        else:
            (damaged / name).write_bytes(content)
        _count(tally, is_same, f"{name}: {kind}", is_unnoticeable=False)
        shutil.rmtree(damaged)


def _count(tally: Tally, is_same: Callable[[], bool], what: str, *, is_unnoticeable: bool) -> None:
    """Read, judge and count."""
    outcome, said = judge(is_same)
    if outcome == "silent" and is_unnoticeable:
        outcome = "unnoticeable"
    tally.add(outcome, f"{what}: {said}")


def judge(is_same: Callable[[], bool]) -> tuple[Outcome, str]:
    """Say what became of one reading.

    Parameters
    ----------
    is_same : reads, and says whether it found what was written.
    """
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            with at_most(_SECONDS):
                is_right = is_same()
        except TooLongError:
            return "hang", ""
        except ItemcurveError as error:
            message = str(error)
            return ("clean error" if len(message) <= _LONGEST_ERROR else "traceback"), message[:200]
        except Exception as error:
            return "traceback", f"{type(error).__name__}: {str(error)[:200]}"
    said = [str(each.message) for each in noted]
    others = [text for text in said if "does not end with a line break" not in text]
    if is_right or len(others) < len(said):
        return "fine", ""
    return "silent", "; ".join(others)[:200]
