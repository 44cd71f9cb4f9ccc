"""A bar where somebody watches, and nothing in a pipe."""

import io
import sys

import pytest

import itemcurve as ic
from itemcurve.showing.progress_bars import Bar, progress_bar


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_nothing_is_written_into_a_pipe(moons, few, capfd):
    ic.evaluate_classifiers(few, *moons)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("wanted", "is_shown"), [(None, True), (True, True), (False, False)])
def test_a_terminal_shows_a_bar_unless_told_otherwise(monkeypatch, wanted, is_shown):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_bar(wanted, "Training") as told:
        assert (told is not None) == is_shown


def test_a_pipe_shows_one_where_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar(None, "Training") as told:
        assert told is None
    with progress_bar(True, "Training") as told:
        assert told is not None


def test_a_function_is_told_itself():
    heard = []
    with progress_bar(lambda *said: heard.append(said), "Training") as told:
        told(1, 2, "tree")
    assert heard == [(1, 2, "tree")]


def test_a_bar_says_how_far_it_is_and_how_long_it_takes_and_goes():
    clock = iter([0.0, 0.1, 10.0, 10.01, 20.0])
    stream = Terminal()
    bar = Bar("Training", stream, lambda: next(clock))
    bar(1, 40, "too early")
    bar(10, 40, "Random forest")
    bar(11, 40, "too soon after")
    bar(20, 40, "a name that is so long that it would fill the line")
    bar.close()
    lines = stream.getvalue().split("\r")
    assert lines[1] == "Training 10/40 ██████░░░░░░░░░░░░░░░░░░ 10 s, 30 s left: Random forest"
    assert "20/40" in lines[2]
    assert "a name that is so long that…" in lines[2]
    # The last thing written wipes the line.
    assert lines[3].strip() == ""
    assert "too" not in stream.getvalue()


def test_short_work_leaves_no_trace():
    stream = Terminal()
    bar = Bar("Training", stream, lambda: 0.0)
    bar(1, 1, "tree")
    bar.close()
    assert stream.getvalue() == ""


def test_a_notebook_is_watched(monkeypatch):
    from types import SimpleNamespace

    ZMQInteractiveShell = type("ZMQInteractiveShell", (), {})
    notebook = SimpleNamespace(get_ipython=lambda: ZMQInteractiveShell())
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar(None, "Training") as told:
        assert told is not None
