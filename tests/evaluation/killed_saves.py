"""Run as a script: save a study over and over, killed at one file event after the other.

    python killed_saves.py FOLDER NEW [FORMER]

prints, for each kill, what then lies in FOLDER: nothing, the FORMER study or the NEW one, both of
them whole; anything else ends the script with an error. Each save is a process of its own, forked
here so that the imports are paid once.
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

from itemcurve.evaluation.saved_evaluation import load_evaluation, save_evaluation
from itemcurve.storage.folder_swap import locate_folder
from itemcurve.storage.run_folder import read_run

# Between these nothing changes that another process could see.
EVENTS = {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"}


def save_and_die(evaluation, path, moment):
    """Save in another process that is killed at the given event; say whether it was."""
    child = os.fork()
    if child == 0:
        count = 0

        def watch(event, arguments):
            nonlocal count
            if event in EVENTS and str(path.parent) in str(arguments[0]):
                count += 1
                if count == moment:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        save_evaluation(evaluation, path)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    return status != 0


def look(path, known):
    """Name the study that lies here whole; None where there is nothing."""
    if not locate_folder(path).exists():
        return None
    files, task = set(read_run(path).files), load_evaluation(path).task
    return next(name for name, expected in known.items() if expected == (files, task))


def main(folder, new, former=None):
    """Kill at every event until a save survives."""
    # As it is saved today: another version may have kept fewer tables.
    evaluation, whole = load_evaluation(new), folder.with_name("whole")
    save_evaluation(evaluation, whole)
    sources = {"new": whole} if former is None else {"new": whole, "former": former}
    known = {
        name: (set(read_run(source).files), load_evaluation(source).task)
        for name, source in sources.items()
    }
    # Killed is not unplugged: what was written stays written.
    os.fsync = lambda descriptor: None
    path = folder / "run"
    found, is_killed, moment = [], True, 0
    while is_killed:
        moment += 1
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if former is not None:
            shutil.copytree(former, path)
        is_killed = save_and_die(evaluation, path, moment)
        found.append(look(path, known))
        # What the dead left must not stand in the way.
        save_evaluation(evaluation, path)
        assert [file.name for file in folder.iterdir()] == ["run"], list(folder.iterdir())
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
