"""Runs as pages ask for them: nobody waits for the analyses of somebody else."""

import threading

import pytest

from itemcurve.service.run_views import RunEntry, RunViews

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_analyses_of_one_tenant_do_not_keep_another_waiting(store, fitted_run):
    views = RunViews(store, [])
    mine, theirs = (RunEntry(name, "0" * 16, name, fitted_run, 0.0) for name in ("a", "b"))
    is_begun, may_end = threading.Event(), threading.Event()

    def work(documents):
        is_begun.set()
        assert may_end.wait(60)

    slow = threading.Thread(target=views.made, args=(mine, work))
    slow.start()
    try:
        assert is_begun.wait(60)
        found: list[str] = []
        other = threading.Thread(
            target=lambda: found.append(views.made(theirs, lambda each: each.brief()["title"]))
        )
        other.start()
        other.join(60)
        assert found
        # One's own wait: analyses are made for whole machines.
        again = threading.Thread(target=views.made, args=(mine, lambda documents: None))
        again.start()
        again.join(0.2)
        assert again.is_alive()
    finally:
        may_end.set()
        slow.join()
    again.join(60)
    assert not again.is_alive()
