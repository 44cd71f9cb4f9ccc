"""Locks hold between real processes, wait their turn, and end with whoever held them."""

import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from itemcurve.cli.main import run
from itemcurve.datasets.simulation import simulate
from itemcurve.errors import StorageError
from itemcurve.estimation.fit import fit
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.storage.file_locks import claimed, locked
from itemcurve.storage.run_folder import read_run, write_run


def start(code, *arguments):
    """Start a Python process that runs this code with these arguments."""
    words = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def end(*processes):
    """Wait for processes; give their exit codes."""
    for process in processes:
        process.communicate()
    return [process.returncode for process in processes]


@pytest.fixture
def holder():
    """Start a process that holds a lock or a claim until it is killed."""
    started = []

    def hold(kind, path):
        code = f"""
            import sys, time
            from itemcurve.storage.file_locks import {kind}
            with {kind}(sys.argv[1]):
                print("held", flush=True)
                time.sleep(60)
        """
        process = start(code, path)
        started.append(process)
        assert process.stdout.readline() == "held\n"
        return process

    yield hold
    for process in started:
        process.kill()
        process.communicate()


def test_a_lock_leaves_nothing_behind(tmp_path):
    with locked(tmp_path / "run"):
        assert [file.name for file in tmp_path.iterdir()] == [".run.lock"]
    assert list(tmp_path.iterdir()) == []


def test_another_process_is_waited_for_and_then_named(tmp_path, holder):
    holder("locked", tmp_path / "run")
    began = time.monotonic()
    with (
        pytest.raises(StorageError, match=r"One process at a time.*at work on.*run'\. Wait until"),
        locked(tmp_path / "run", patience=0.3),
    ):
        pass
    assert time.monotonic() - began >= 0.3
    with locked(tmp_path / "other"):
        pass


def test_a_killed_process_blocks_nobody(tmp_path, holder):
    process = holder("locked", tmp_path / "run")
    process.kill()
    process.wait()
    assert (tmp_path / ".run.lock").exists()
    with locked(tmp_path / "run", patience=0.0):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_claim_is_refused_at_once_but_lets_others_write(tmp_path, holder):
    holder("claimed", tmp_path / "run")
    with pytest.raises(StorageError, match="at work on"), claimed(tmp_path / "run"):
        pass
    with locked(tmp_path / "run", patience=0.0):
        pass


def test_threads_wait_for_each_other_too(tmp_path):
    inside = []

    def work():
        with locked(tmp_path / "run"):
            inside.append(1)
            time.sleep(0.05)
            inside.append(-1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inside == [1, -1] * 4


def test_no_two_processes_are_ever_inside(tmp_path):
    """Holders remove the file, so that those who wait must notice that theirs is gone."""
    (tmp_path / "count").write_text("0")
    code = """
        import sys
        from pathlib import Path
        from itemcurve.storage.file_locks import locked
        count = Path(sys.argv[1])
        for _ in range(100):
            with locked(count):
                count.write_text(str(int(count.read_text()) + 1))
    """
    processes = [start(code, tmp_path / "count") for _ in range(4)]
    assert end(*processes) == [0] * 4
    assert (tmp_path / "count").read_text() == "400"
    assert [file.name for file in tmp_path.iterdir()] == ["count"]


def test_what_several_processes_add_to_a_run_is_all_there(tmp_path):
    write_run(tmp_path / "run", {"fit": {}}, {"fit": {"values": np.ones(3)}})
    code = """
        import sys
        from itemcurve.storage.run_folder import update_run
        update_run(sys.argv[1], {f"note{sys.argv[2]}": {}}, {})
    """
    processes = [start(code, tmp_path / "run", index) for index in range(8)]
    assert end(*processes) == [0] * 8
    notes = {f"note{index}.json" for index in range(8)}
    assert set(read_run(tmp_path / "run").files) == {"fit.json", "fit.npz", *notes}
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


def test_a_run_that_is_replaced_all_the_time_can_be_read(tmp_path):
    known = fit(simulate("rasch", respondents=20, items=4, seed=1).responses)
    known.save(tmp_path / "run")
    code = """
        import os, sys, itemcurve as ic
        os.fsync = lambda descriptor: None
        run = ic.load(sys.argv[1])
        print("ready", flush=True)
        for _ in range(100):
            run.save(sys.argv[1])
    """
    process = start(code, tmp_path / "run")
    assert process.stdout.readline() == "ready\n"
    found = set()
    try:
        while process.poll() is None:
            found.add(load(tmp_path / "run").log_likelihood)
    finally:
        assert end(process) == [0]
    assert found == {known.log_likelihood}


def test_what_a_dead_writer_left_is_removed_by_the_next(tmp_path):
    (tmp_path / ".run.new-0123").mkdir()
    (tmp_path / ".run.new-0123" / "half.json").write_text("{")
    (tmp_path / ".runs.new-0123").mkdir()
    write_run(tmp_path / "run", {"fit": {}}, {})
    assert {file.name for file in tmp_path.iterdir()} == {"run", ".runs.new-0123"}


def test_a_missing_folder_and_a_planted_link_are_refused(tmp_path):
    with (
        pytest.raises(StorageError, match=r"must exist.*absent' is not"),
        locked(tmp_path / "absent" / "run"),
    ):
        pass
    (tmp_path / ".run.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="is not"), locked(tmp_path / "run"):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    "words", [("fit", "responses.csv"), ("evaluate", "iris"), ("robustness", "iris")]
)
def test_commands_do_not_work_for_a_folder_that_another_works_for(
    tmp_path, holder, words, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    drawn = simulate("rasch", respondents=20, items=4, seed=1)
    drawn.responses.save("responses.csv")
    process = holder("claimed", "run")
    began = time.monotonic()
    assert run([*words, "--out", "run"]) == 2
    assert time.monotonic() - began < 10
    assert "another is at work on 'run'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    process.kill()
    process.wait()
    assert run(["fit", "responses.csv", "--out", "run"]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"run", "responses.csv"}
