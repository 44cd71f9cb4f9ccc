"""Run folders: whole, versioned, checked, and safe to read from strangers."""

import contextlib
import errno
import hashlib
import json
import os
from importlib import metadata

import numpy as np
import pytest
from benchmarks.faults.faulty_disk import FaultyDisk, StoppedError
from benchmarks.faults.power_cuts import PaperDisk, write_state

from itemcurve.errors import StorageError
from itemcurve.responses.matrix import Responses
from itemcurve.storage import run_folder, run_manifest
from itemcurve.storage.disk import Disk, standing_in
from itemcurve.storage.run_folder import read_run, update_run, write_run

DOCUMENTS = {"config": {"model": "2pl", "loss": float("nan")}, "fit": {"status": "converged"}}
ARRAYS = {"fit": {"ability": np.arange(3.0)}, "bank": {"items": np.array(["é", "b"])}}


@pytest.fixture
def run(tmp_path):
    write_run(tmp_path / "run", DOCUMENTS, ARRAYS)
    return tmp_path / "run"


def forge(folder, **changes):
    manifest = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(manifest | changes))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_first(folder):
    return read_run(folder).document("fit") == DOCUMENTS["fit"]


def test_a_run_comes_back_as_it_went(run):
    read = read_run(run)
    assert read.document("config") == {"model": "2pl", "loss": None}
    np.testing.assert_array_equal(read.arrays("fit")["ability"], [0, 1, 2])
    assert list(read.arrays("bank")["items"]) == ["é", "b"]
    assert [file.name for file in run.parent.iterdir()] == ["run"]


def test_the_manifest_says_who_wrote_what(run):
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["format"] == "itemcurve-run"
    assert manifest["version"] == 1
    assert manifest["itemcurve"] == metadata.version("itemcurve")
    assert set(manifest["files"]) == {"config.json", "fit.json", "fit.npz", "bank.npz"}
    assert manifest["files"]["fit.npz"] == digest(run / "fit.npz")


def test_equal_runs_have_equal_bytes(run, tmp_path):
    write_run(tmp_path / "again", DOCUMENTS, ARRAYS)
    assert digest(run / "run.json") == digest(tmp_path / "again" / "run.json")


def test_responses_can_lie_in_a_run(tmp_path):
    responses = Responses.from_array([[1, np.nan]], items=["a", "日"])
    write_run(tmp_path / "run", {}, {"responses": responses.pack()})
    again = Responses.unpack(read_run(tmp_path / "run").arrays("responses"))
    assert again.items == ("a", "日")
    np.testing.assert_array_equal(again.array(), [[1, np.nan]])
    assert Responses.read(tmp_path / "run" / "responses.npz").items == ("a", "日")


def test_a_former_run_or_an_empty_folder_is_replaced(run, tmp_path):
    write_run(run, {"new": {}}, {})
    assert set(read_run(run).files) == {"new.json"}
    (tmp_path / "empty").mkdir()
    write_run(tmp_path / "empty", {"new": {}}, {})
    write_run(tmp_path / "deep" / "er", {"new": {}}, {})
    assert set(read_run(tmp_path / "deep" / "er").files) == {"new.json"}


def test_a_damaged_run_can_be_written_anew(run):
    (run / "fit.json").unlink()
    write_run(run, DOCUMENTS, ARRAYS)
    assert is_first(run)


def test_anything_else_is_never_overwritten(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(StorageError, match=r"former run; .*photos.* holds something else"):
        write_run(tmp_path / "photos", DOCUMENTS, ARRAYS)
    (tmp_path / "photos" / "run.json").write_text("{}")
    with pytest.raises(StorageError, match="something else"):
        write_run(tmp_path / "photos", DOCUMENTS, ARRAYS)
    (tmp_path / "file").write_text("text")
    with pytest.raises(StorageError, match="something else"):
        write_run(tmp_path / "file", DOCUMENTS, ARRAYS)
    assert (tmp_path / "photos" / "cat.jpg").read_bytes() == b"cat"


def test_an_update_adds_replaces_and_keeps(run):
    (run / "report.html").write_text("<p>")
    update_run(
        run, {"audit": {"found": 2}, "fit": {"status": "better"}}, {"fit": {"a": np.ones(1)}}
    )
    read = read_run(run)
    assert read.document("audit") == {"found": 2}
    assert read.document("fit") == {"status": "better"}
    assert set(read.arrays("fit")) == {"a"}
    assert read.document("config")["model"] == "2pl"
    assert (run / "report.html").read_text() == "<p>"
    assert [file.name for file in run.parent.iterdir()] == ["run"]


def test_only_a_sound_run_can_be_updated(run, tmp_path):
    with pytest.raises(StorageError, match="no folder"):
        update_run(tmp_path / "absent", {"a": {}}, {})
    (run / "fit.json").write_text("{}")
    with pytest.raises(StorageError, match="checksum"):
        update_run(run, {"a": {}}, {})


@pytest.mark.parametrize("write", [write_run, update_run])
def test_a_crash_at_any_step_leaves_the_old_run_or_the_new(tmp_path, write):
    run, seen = tmp_path / "run", []
    for step in range(100):
        write_run(run, DOCUMENTS, ARRAYS)
        disk = FaultyDisk(tmp_path, step)
        with standing_in(disk), contextlib.suppress(StoppedError):
            write(run, {"fit": {"status": "second"}}, {})
        seen.append(read_run(run).document("fit")["status"])
        if not disk.is_stopped:
            break
    assert not disk.is_stopped
    assert set(seen) == {"converged", "second"}
    assert len(seen) > 20


def test_a_copy_made_where_there_are_no_hard_links_survives_a_power_cut(run, tmp_path, monkeypatch):
    def refuse(disk, source, target):
        raise OSError(errno.EPERM, "Operation not permitted")

    paper, disk = PaperDisk(tmp_path), FaultyDisk(tmp_path)
    monkeypatch.setattr(FaultyDisk, "link", refuse)
    with standing_in(disk):
        update_run(run, {"audit": {"found": 1}}, {})
    for step in disk.steps:
        paper.apply(step)
    write_state(paper.state(None, is_all_lost=True), tmp_path / "after")
    assert read_run(tmp_path / "after" / "run").document("audit") == {"found": 1}


def test_a_failed_swap_puts_the_old_run_back(run, monkeypatch):
    rename = Disk.rename

    def fail(disk, path, target):
        if ".new-" in path.name:
            raise OSError(errno.EACCES, "Permission denied")
        return rename(disk, path, target)

    monkeypatch.setattr(Disk, "rename", fail)
    with pytest.raises(StorageError, match="Permission denied"):
        write_run(run, {"fit": {}}, {})
    assert is_first(run)
    assert [file.name for file in run.parent.iterdir()] == ["run"]


@pytest.mark.parametrize("name", ["run", "../x", "a/b", "", ".x", "a.b", "x" * 200, "é"])
def test_strange_names_are_not_written(tmp_path, name):
    with pytest.raises(StorageError, match="Names in a run"):
        write_run(tmp_path / "run", {name: {}}, {})
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_saved_is_refused_with_what_was(run):
    with pytest.raises(StorageError, match=r"has no 'audit\.json'.*bank\.npz, config\.json"):
        read_run(run).document("audit")


def test_folders_that_are_no_run_are_refused(tmp_path):
    with pytest.raises(StorageError, match="no folder"):
        read_run(tmp_path / "absent")
    with pytest.raises(StorageError, match=r"has no run\.json"):
        read_run(tmp_path)
    (tmp_path / "run.json").mkdir()
    with pytest.raises(StorageError, match="no plain file"):
        read_run(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "format in its run.json is 'other'"),
        ({"version": 2}, "reads runs up to version 1;.*has version 2.*pip install --upgrade"),
        ({"version": 0}, "version in its run.json is 0"),
        ({"version": "1"}, "version"),
        ({"version": True}, "version"),
        ({"files": []}, "lists no files"),
        ({"files": {"../secret.json": "0" * 64}}, "named '../secret.json'"),
        ({"files": {"/etc/passwd": "0" * 64}}, "named"),
        ({"files": {"run.json": "0" * 64}}, "named"),
        ({"files": {"fit.pkl": "0" * 64}}, "named"),
        ({"files": {"fit.json": "0"}}, "sound checksum"),
        ({"files": {"fit.json": None}}, "sound checksum"),
        ({"files": {"fit.json": "0" * 64}}, "fit.json' is damaged: its checksum"),
        ({"files": {"absent.json": "0" * 64}}, "absent.json' is damaged: it is missing"),
    ],
)
def test_forged_manifests_are_refused(run, changes, message):
    forge(run, **changes)
    with pytest.raises(StorageError, match=message):
        read_run(run)


def test_links_are_refused(run, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    (run / "fit.json").unlink()
    (run / "fit.json").symlink_to(secret)
    forge(run, files={"fit.json": digest(secret)})
    with pytest.raises(StorageError, match="link or no plain file"):
        read_run(run)


def test_pipes_are_refused_rather_than_waited_for(run):
    (run / "fit.json").unlink()
    os.mkfifo(run / "fit.json")
    with pytest.raises(StorageError, match="no plain file"):
        read_run(run)


def test_oversized_and_deep_documents_are_refused(run, monkeypatch):
    monkeypatch.setattr(run_folder, "LARGEST_DOCUMENT", 10)
    with pytest.raises(StorageError, match="over 10"):
        read_run(run)
    monkeypatch.undo()
    monkeypatch.setattr(run_manifest, "LARGEST_DOCUMENT", 10)
    with pytest.raises(StorageError, match=r"run\.json.*over 10"):
        read_run(run)
    monkeypatch.undo()
    (run / "fit.json").write_text('{"a":' * 100_000)
    forge(run, files={"fit.json": digest(run / "fit.json")})
    with pytest.raises(StorageError, match="nested too deeply"):
        read_run(run).document("fit")


def test_a_hostile_npz_with_the_right_checksum_is_still_refused(run):
    np.savez(run / "fit.npz", x=np.array([{}], dtype=object), allow_pickle=True)
    forge(run, files={"fit.npz": digest(run / "fit.npz")})
    with pytest.raises(StorageError, match="values of type"):
        read_run(run).arrays("fit")


def test_changes_after_opening_are_noticed(run):
    read = read_run(run)
    (run / "fit.json").write_text("{}")
    with pytest.raises(StorageError, match="checksum"):
        read.document("fit")


def test_damaged_runs_are_refused_or_read_intact(run):
    rng = np.random.default_rng(9)
    refused = 0
    for trial in range(200):
        file = sorted(run.iterdir())[trial % 5]
        whole = file.read_bytes()
        damaged = bytearray(whole)
        if trial % 2:
            damaged = damaged[: rng.integers(len(whole))]
        else:
            damaged[rng.integers(len(whole))] ^= 1 << rng.integers(8)
        file.write_bytes(damaged)
        try:
            read = read_run(run)
            assert read.document("fit") == DOCUMENTS["fit"]
            np.testing.assert_array_equal(read.arrays("fit")["ability"], [0, 1, 2])
        except StorageError:
            refused += 1
        finally:
            file.write_bytes(whole)
    assert refused > 180
    assert is_first(run)
