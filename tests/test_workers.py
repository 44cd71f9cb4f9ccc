"""Worker processes: results as they come, and Ctrl-C left to the caller."""

import os
import signal
import subprocess
import sys
import time
from typing import ClassVar

import joblib
import numpy as np
import pandas
import pytest
from joblib.parallel import ThreadingBackend

from itemcurve.errors import WorkerError
from itemcurve.workers import own_memory, run_tasks, undivided

needs_masks = pytest.mark.skipif(
    not hasattr(signal, "pthread_sigmask"), reason="Windows holds back no signals"
)


def held_back():
    """Say who asks, and whether Ctrl-C is held back from it."""
    return os.getpid(), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@needs_masks
def test_workers_do_not_hear_ctrl_c_and_the_caller_does():
    # A pool of workers left by another test was started by nobody we know.
    joblib.externals.loky.get_reusable_executor().shutdown(wait=True)
    answers = list(run_tasks((joblib.delayed(held_back)() for _ in range(8)), 2))
    assert len(answers) == 8
    assert all(is_held for _, is_held in answers)
    assert os.getpid() not in dict(answers)
    assert held_back() == (os.getpid(), False)


@needs_masks
def test_alone_the_caller_still_hears_it_and_starts_no_process(monkeypatch):
    monkeypatch.setattr("multiprocessing.resource_tracker.ensure_running", pytest.fail)
    tasks = (joblib.delayed(held_back)() for _ in range(2))
    assert list(run_tasks(tasks, 1)) == [(os.getpid(), False)] * 2


def test_a_backend_that_cannot_stream_gives_everything_at_the_end(monkeypatch):
    from joblib.parallel import SequentialBackend

    monkeypatch.setattr(SequentialBackend, "supports_return_generator", False)
    with joblib.parallel_config("sequential"):
        assert run_tasks((joblib.delayed(abs)(-k) for k in range(3)), None) == [0, 1, 2]


class ClusterBackend(ThreadingBackend):
    """A backend of another package that, like Ray's, counts as one process unless told."""

    asked: ClassVar[list] = []

    def configure(self, n_jobs=1, *given, **more):
        self.asked.append(n_jobs)
        return super().configure(n_jobs, *given, **more)


class DaskDistributedBackend(ThreadingBackend):
    """As that of Dask, it takes as many as there are unless told."""

    def effective_n_jobs(self, n_jobs):
        return 2


@pytest.fixture
def backends():
    ClusterBackend.asked.clear()
    joblib.register_parallel_backend("cluster", ClusterBackend)
    joblib.register_parallel_backend("spread", DaskDistributedBackend)
    yield
    for name in ("cluster", "spread"):
        joblib.parallel.BACKENDS.pop(name)


@pytest.mark.parametrize(
    ("configured", "n_jobs", "asked"), [(None, None, -1), (3, None, 3), (None, 2, 2)]
)
def test_a_cluster_that_is_named_is_used_as_a_whole_unless_told(
    backends, configured, n_jobs, asked
):
    with joblib.parallel_config("cluster", n_jobs=configured):
        assert sorted(run_tasks((joblib.delayed(abs)(-k) for k in range(5)), n_jobs)) == [*range(5)]
    assert ClusterBackend.asked == [asked]


def test_on_dask_a_task_stays_in_its_process_and_elsewhere_nothing_changes(backends):
    with joblib.parallel_config("spread"):
        assert joblib.effective_n_jobs(None) == 2
        with undivided():
            assert joblib.effective_n_jobs(None) == 1
            # What an estimator asks for itself it is given.
            assert joblib.effective_n_jobs(2) == 2
    with joblib.parallel_config("threading", n_jobs=2), undivided():
        assert joblib.effective_n_jobs(None) == 2


def test_on_dask_tables_move_to_memory_of_their_own(backends):
    odd = np.zeros(81, dtype=np.uint8)[1:].view(np.float64)
    assert not odd.flags.aligned
    table = pandas.DataFrame({"x": [1.0]})
    assert own_memory(odd) is odd
    with joblib.parallel_config("spread"):
        assert own_memory(odd).flags.aligned
        assert own_memory(table) is not table
        assert own_memory(table).equals(table)
        assert own_memory((1, 2)) == (1, 2)


def end_this_process(which):
    """As the system does that needs the memory."""
    if which == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return which


def test_a_worker_that_the_system_ended_is_named_as_such():
    with pytest.raises(WorkerError, match=r"ended from outside.*--jobs 1"):
        list(run_tasks((joblib.delayed(end_this_process)(k) for k in range(4)), 2))
    # The next ones are new.
    assert sorted(run_tasks((joblib.delayed(abs)(-k) for k in range(4)), 2)) == [0, 1, 2, 3]


ORPHAN = """
import os, time, joblib, threading
from itemcurve.workers import run_tasks

def live(seconds):
    print(os.getpid(), flush=True)
    time.sleep(seconds)

if __name__ == "__main__":
    threading.Timer(SECONDS, os._exit, (7,)).start()
    list(run_tasks((joblib.delayed(live)(60) for _ in range(2)), 2))
"""


@pytest.mark.slow
def test_workers_end_when_their_parent_is_gone(tmp_path):
    (tmp_path / "orphan.py").write_text(ORPHAN.replace("SECONDS", "8"))
    begun = time.monotonic()
    # The pipe stays open as long as somebody lives who could write to it.
    done = subprocess.run(
        [sys.executable, "orphan.py"], cwd=tmp_path, capture_output=True, timeout=50
    )
    assert done.returncode == 7
    assert len(done.stdout.split()) == 2, done.stderr
    assert time.monotonic() - begun < 40
