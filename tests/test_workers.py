"""Worker processes: results as they come, and Ctrl-C left to the caller."""

import os
import signal

import joblib
import pytest

from itemcurve.workers import run_tasks

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
