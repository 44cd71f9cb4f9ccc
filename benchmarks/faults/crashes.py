"""Every command that writes, broken at every step: killed, without power, on a disk that refuses.

After each the folder must hold what was there or what was to come, never anything else, and the
same command must then give the same result.
"""

import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter, process_time, sleep

import numpy as np

from benchmarks.faults.faulty_disk import ERRORS, FaultyDisk, Step
from benchmarks.faults.folder_units import Units, find_leftovers, read_units
from benchmarks.faults.power_cuts import PaperDisk, State, write_state
from benchmarks.faults.tally import Tally
from benchmarks.faults.writing_commands import COMMANDS, WritingCommand, make_base, run_command
from itemcurve.storage.disk import standing_in

# At an amount of 1: processor seconds for each command, spent on steps spread evenly where all of
# them would take longer; and how often it is run again.
KILLING_SECONDS, REFUSING_SECONDS, MOST_RERUNS = 8.0, 3.0, 8
# The same for kills at any moment, and how many of these there are at most.
MOMENT_SECONDS, MOMENTS = 8.0, 24
_CUTS = 2
_REFUSED, _BROKEN = 2, 99
ENDED = "ended after a step"


@dataclass
class Trial:
    """One command with what it finds, what it is to leave, and the folder it is tried in."""

    command: WritingCommand
    base: Path
    folder: Path
    old: Units = field(default_factory=dict)
    new: Units = field(default_factory=dict)
    code: int = 0
    seconds: float = 0.0
    lasts: float = 0.0
    steps: list[Step] = field(default_factory=list)

    @property
    def start(self) -> Path:
        """The folder as the command finds it."""
        return self.folder.with_name("start")

    def begin(self) -> None:
        """Run it twice undisturbed, to know its steps and what comes the same every time."""
        self.command.prepare(self.base, self.start)
        self.old = read_units(self.start)
        self.reset()
        disk = FaultyDisk(self.folder)
        with standing_in(disk):
            self.code, said = run_command(self.command.line, self.folder)
        assert self.code in (0, 10, 11), f"{self.command.name}: {said}"
        self.steps, self.new = disk.steps, read_units(self.folder)
        self.reset()
        began, at = process_time(), perf_counter()
        run_command(self.command.line, self.folder)
        self.seconds, self.lasts = process_time() - began, perf_counter() - at
        again = read_units(self.folder)
        varying = {name for name in again if again[name] != self.new[name]}
        assert not varying, f"{self.command.name}: {varying} differ from run to run"

    @property
    def places(self) -> list[int]:
        """The steps that can fail: all but openings, which change nothing."""
        return [place for place, step in enumerate(self.steps) if step.kind != "open"]

    def reset(self) -> None:
        """Give the folder back as the command finds it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.start, self.folder)

    def neither(self) -> str:
        """Name what is neither as it was nor as it was to be."""
        found = read_units(self.folder)
        for name in {*self.old, *self.new, *found}:
            if found.get(name) not in (self.old.get(name), self.new.get(name)):
                return f"{name}: {found.get(name)}"
        return ""

    def rerun(self) -> str:
        """Say what is wrong with the same command run again."""
        is_done = read_units(self.folder) == self.new
        code, said = run_command(self.command.line, self.folder)
        # What makes a new file may refuse to make it twice, and says so.
        if code != self.code and not (is_done and code == _REFUSED):
            return f"run again, it ends with {code}: {said[-200:]}"
        found = read_units(self.folder)
        other = [name for name in {*self.new, *found} if found.get(name) != self.new.get(name)]
        if other:
            return f"run again, it gives another {other[0]}"
        left = find_leftovers(self.folder)
        return f"left behind for ever: {left[:3]}" if left else ""


def units(amount: float, seed: int) -> dict[str, Callable[[], list[Tally]]]:
    """Break commands; at small amounts some steps of each."""
    return {command.name: partial(_break, command, amount, seed) for command in COMMANDS}


def _break(command: WritingCommand, amount: float, seed: int) -> list[Tally]:
    """Break one command in every way."""
    names = ("killed at a step", "killed at any moment", ENDED, "power cut", *ERRORS)
    rows = {name: Tally(f"commands: {name}") for name in names}
    rows["run again"] = Tally("commands: run again after that")
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as place, _quiet(Path(place)):
        root = Path(place).resolve()
        make_base(root / "base")
        trial = Trial(command, root / "base", root / "work")
        trial.begin()
        print(f"{command.name}: {len(trial.places)} steps", file=sys.stderr, flush=True)
        kill_everywhere(trial, rows, amount, _kill)
        kill_at_moments(trial, rows, amount, rng)
        cut_power_everywhere(trial, rows, amount, rng)
        refuse_everywhere(trial, rows, amount)
    return list(rows.values())


def kill_everywhere(
    trial: Trial, rows: dict[str, Tally], amount: float, kill: Callable[[Trial, int], None]
) -> None:
    """End the process at its steps, and look at what is left."""
    steps = _spread(trial.places, amount * KILLING_SECONDS / trial.seconds)
    again = set(_spread(list(range(len(steps))), amount * MOST_RERUNS))
    for count, step in enumerate(steps):
        trial.reset()
        kill(trial, step)
        where = f"killed at step {step}"
        _judge(trial, rows, "killed at a step", where, is_rerun=count in again)


def kill_at_moments(
    trial: Trial, rows: dict[str, Tally], amount: float, rng: np.random.Generator
) -> None:
    """Send SIGKILL from outside, while it computes as well as while it writes."""
    most = min(MOMENTS * amount, MOMENT_SECONDS * amount / trial.seconds)
    for count in range(max(1, round(most))):
        trial.reset()
        wait = float(rng.uniform(0.0, 1.2)) * trial.lasts
        child = os.fork()
        if not child:
            run_command(trial.command.line, trial.folder)
            os._exit(0)
        sleep(wait)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        # It may have ended before: then nothing was killed.
        if os.WIFSIGNALED(status):
            where = f"killed after {wait:.3f} s"
            _judge(trial, rows, "killed at any moment", where, is_rerun=count % 4 == 0)


def cut_power_everywhere(
    trial: Trial, rows: dict[str, Tally], amount: float, rng: np.random.Generator
) -> None:
    """Lose what was not synced, all of it, any part, or nothing, after every step.

    Where nothing is lost, the process ended there: steps that were recorded are done anew, which
    takes no time, and serves commands that are too slow to be killed at every one.
    """
    shutil.rmtree(trial.folder, ignore_errors=True)
    shutil.copytree(trial.start, trial.folder)
    paper, seen = PaperDisk(trial.folder), set[int]()
    places = set(_spread(trial.places, amount * len(trial.places)))
    left = round(amount * MOST_RERUNS)
    for place, step in enumerate(trial.steps):
        paper.apply(step)
        if place not in places:
            continue
        cuts = [("power cut", paper.state(rng)) for _ in range(_CUTS)]
        lost = ("power cut", paper.state(None, is_all_lost=True))
        for name, state in ((ENDED, paper.state(None)), lost, *cuts):
            if (mark := _mark(state)) in seen:
                rows[name].add("fine")
                continue
            seen.add(mark)
            shutil.rmtree(trial.folder, ignore_errors=True)
            write_state(state, trial.folder)
            is_rerun = left > 0 and rng.random() < 0.2
            left -= is_rerun
            _judge(trial, rows, name, f"{name}: step {place}", is_rerun=is_rerun)


def refuse_everywhere(trial: Trial, rows: dict[str, Tally], amount: float) -> None:
    """Let the disk be full, or fail, at its steps."""
    for name, number in ERRORS.items():
        most = amount * REFUSING_SECONDS / trial.seconds
        for count, step in enumerate(_spread(trial.places, most)):
            trial.reset()
            disk = FaultyDisk(trial.folder, step, number)
            try:
                with standing_in(disk):
                    code, said = run_command(trial.command.line, trial.folder)
            except Exception as error:
                code, said = 1, repr(error)
            where = f"{trial.command.name}, {name} at step {step}"
            if code not in (trial.code, 2):
                rows[name].add("traceback", f"{where}: exit {code}: {said[-200:]}")
                continue
            if problem := trial.neither():
                rows[name].add("silent", f"{where}: {problem}")
                continue
            rows[name].add("fine" if code == trial.code else "clean error")
            if count % 20 == 0:
                _run_again(trial, rows, where)


def stop(trial: Trial, step: int) -> None:
    """Stop the command at a step, in this process: nothing is done to disk from there on."""
    with standing_in(FaultyDisk(trial.folder, step)):
        run_command(trial.command.line, trial.folder)


def _kill(trial: Trial, step: int) -> None:
    """Send SIGKILL to a process that runs the command, from inside its step."""
    child = os.fork()
    if not child:
        with standing_in(FaultyDisk(trial.folder, step, "kill")):
            run_command(trial.command.line, trial.folder)
        os._exit(_BROKEN)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"{trial.command.name} was not killed at step {step}"


def _judge(trial: Trial, rows: dict[str, Tally], name: str, where: str, *, is_rerun: bool) -> None:
    problem = trial.neither()
    where = f"{trial.command.name}, {where}"
    rows[name].add("silent" if problem else "fine", f"{where}: {problem}")
    if is_rerun:
        _run_again(trial, rows, where)


def _run_again(trial: Trial, rows: dict[str, Tally], where: str) -> None:
    problem = trial.rerun()
    rows["run again"].add("silent" if problem else "fine", f"{where}: {problem}")


def _spread(places: list[int], most: float) -> list[int]:
    """Choose so many of all, evenly, the first and the last among them."""
    count = int(min(len(places), max(2.0, most)))
    return [places[round(at)] for at in np.linspace(0, len(places) - 1, count)]


def _mark(state: State) -> int:
    return hash(tuple(sorted((name, hash(content)) for name, content in state.items())))


@contextmanager
def _quiet(place: Path) -> Iterator[None]:
    """Keep nothing of what is read in the user's own folder, and warnings to oneself."""
    former = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(place / "cache")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    if former is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = former
