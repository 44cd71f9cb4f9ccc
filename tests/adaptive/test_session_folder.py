"""Sessions in a folder: one bank for all of them, one line for each saving, nothing lost."""

import json
import os
import signal
import subprocess
import sys
from hashlib import sha256

import pytest

import itemcurve as ic
from itemcurve.adaptive.session_folder import SessionFolder
from itemcurve.errors import StorageError, StorageWarning
from itemcurve.storage.chained_lines import NO_SEAL, seal_lines
from itemcurve.storage.growing_files import ChangedFileError


@pytest.fixture
def known():
    return ic.simulate("2pl", respondents=30, items=60, seed=2).responses


@pytest.fixture(params=["ability", "score"])
def kind(request, bank, known):
    """A way to begin a test, a way to read it, and the name of what it is about."""
    if request.param == "ability":
        stop = ic.stopping.max_items(20)
        return lambda **more: ic.AdaptiveTest(bank, stop=stop, **more), ic.AdaptiveTest.load, "bank"
    return lambda **more: ic.ScoreTest(known, 20, **more), ic.ScoreTest.load, "calibration"


def grow(test, path, times=6):
    for number in range(times):
        item = test.next_item()
        test.save(path)
        test.record(item, float(number % 3 > 0))
        test.save(path)


def test_every_saving_after_the_first_adds_one_line(kind, tmp_path):
    begin, load, about = kind
    test, path = begin(), tmp_path / "s.json"
    sizes = []
    for _ in range(4):
        before = path.read_bytes() if path.exists() else b""
        test.record(test.next_item(), 1.0)
        test.save(path)
        after = path.read_bytes()
        assert after.startswith(before)
        assert after[len(before) :].count(b"\n") == 1
        sizes.append(len(after) - len(before))
    # Saving again what is saved changes nothing.
    test.save(path)
    assert path.read_bytes() == after
    assert max(sizes[1:]) < 400
    assert load(path).answers == test.answers
    assert sorted(file.name.partition("-")[0] for file in tmp_path.iterdir()) == [about, "s.json"]


def test_going_on_from_the_file_is_the_same_as_never_stopping(kind, tmp_path):
    begin, load, _ = kind
    whole, parts, path = begin(), begin(), tmp_path / "s.json"
    for number in range(20):
        item = whole.next_item()
        parts.save(path)
        parts = load(path)
        assert parts.next_item() == item
        parts.save(path)
        for test in (whole, parts):
            test.record(item, float(number % 3 > 0))
    parts.save(path)
    back = load(path)
    assert back.answers == whole.answers
    assert (back.pending, back.stop_reason) == (whole.pending, whole.stop_reason)
    assert back.score.value == pytest.approx(whole.score.value, abs=1e-9)
    assert path.read_bytes().count(b"\n") > 30


def test_sessions_of_a_folder_share_what_they_are_about(kind, tmp_path, monkeypatch):
    begin, load, about = kind
    first, second = begin(respondent="a"), begin(respondent="b")
    grow(first, tmp_path / "a.json")
    shared = [file for file in tmp_path.iterdir() if file.name.startswith(about)]
    assert len(shared) == 1
    before = shared[0].stat()
    grow(second, tmp_path / "b.json", 3)
    assert len(list(tmp_path.iterdir())) == 3
    assert (shared[0].stat().st_ino, shared[0].stat().st_mtime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
    )
    assert load(tmp_path / "a.json").answers == first.answers
    assert load(tmp_path / "b.json").respondent == "b"


def test_a_line_cut_off_by_a_crash_is_left_out_said_and_written_again(kind, tmp_path):
    begin, load, _ = kind
    test, path = begin(), tmp_path / "s.json"
    grow(test, path)
    content = path.read_bytes()
    start = content.rstrip(b"\n").rfind(b"\n") + 1
    for end in (start + 1, start + 60, len(content) - 1):
        path.write_bytes(content[:end])
        with pytest.warns(StorageWarning, match=r"cut off .* left out"):
            back = load(path)
        assert back.answers == test.answers[:-1]
        assert [handed.item for handed in back.pending] == [test.answers[-1].item]
        back.record(test.answers[-1].item, test.answers[-1].response)
        back.save(path)
        assert load(path).answers == test.answers
    assert path.read_bytes() == content


def test_damage_before_the_last_line_is_refused_whatever_it_is(kind, tmp_path):
    begin, load, _ = kind
    path = tmp_path / "s.json"
    grow(begin(), path, 3)
    content = path.read_bytes()
    rows = content.splitlines(keepends=True)
    damaged = [
        b"".join([*rows[:2], *rows[3:]]),
        b"".join([*rows[:2], rows[2][:-30] + b"\n", *rows[3:]]),
        b"".join([rows[0], rows[2], rows[1], *rows[3:]]),
        content.replace(b'"response": 0.0', b'"response": 1.0', 1),
        content.replace(b'"seed": 0', b'"seed": 1', 1),
        rows[0][:-1],
        b"",
    ]
    for given in damaged:
        assert given != content
        path.write_bytes(given)
        with pytest.raises(StorageError, match=r"must be as itemcurve wrote it.*Restore it"):
            load(path)


def test_a_missing_or_damaged_bank_is_named_and_may_be_given(bank, tmp_path):
    path = tmp_path / "s.json"
    test = ic.AdaptiveTest(bank)
    grow(test, path, 2)
    file = tmp_path / f"bank-{bank.mark}.json"
    content = file.read_bytes()
    file.write_bytes(content.replace(b"q1", b"q0", 1))
    with pytest.raises(StorageError, match=rf"{bank.mark}.*damaged.*give the bank"):
        ic.AdaptiveTest.load(path)
    file.unlink()
    with pytest.raises(StorageError, match="missing"):
        ic.AdaptiveTest.load(path)
    (tmp_path / "elsewhere").write_bytes(content)
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="missing"):
        ic.AdaptiveTest.load(path)
    file.unlink()
    back = ic.AdaptiveTest.load(path, bank=bank)
    assert back.answers == test.answers
    back.save(path)
    assert file.read_bytes() == content


@pytest.mark.parametrize("mark", ["../" * 21 + "x", "0" * 63, "0" * 64 + "\n", "A" * 64, ""])
def test_no_mark_leads_out_of_the_folder(tmp_path, mark):
    store = SessionFolder(tmp_path)
    with pytest.raises(StorageError, match="refused"):
        store.read_content("bank", mark)
    with pytest.raises(StorageError, match="refused"):
        store.keep_content("bank", mark, lambda: b"x")
    with pytest.raises(StorageError, match="refused"):
        store.read_content("../bank", "0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_bytes_that_are_not_those_of_the_mark_are_not_written(tmp_path):
    with pytest.raises(StorageError, match="must not change"):
        SessionFolder(tmp_path).keep_content("bank", "0" * 64, lambda: b"x")
    assert list(tmp_path.iterdir()) == []


def test_what_another_process_recorded_meanwhile_is_not_overwritten(kind, tmp_path):
    begin, load, _ = kind
    path = tmp_path / "s.json"
    begin().save(path)
    mine, theirs = load(path), load(path)
    theirs.record(theirs.next_item(), 1.0)
    theirs.save(path)
    mine.record(mine.next_item(), 0.0)
    with pytest.raises(ChangedFileError, match="Load it again"):
        mine.save(path)
    mine.respondent = "renamed"
    with pytest.raises(ChangedFileError, match="Load it again"):
        mine.save(path)
    assert load(path).answers == theirs.answers
    mine.save(tmp_path / "other.json")
    assert load(tmp_path / "other.json").answers == mine.answers


def test_a_file_that_was_removed_is_written_again(kind, tmp_path):
    begin, load, _ = kind
    test, path = begin(), tmp_path / "s.json"
    grow(test, path, 2)
    for file in tmp_path.iterdir():
        file.unlink()
    test.save(path)
    assert load(path).answers == test.answers


def test_changed_settings_and_answers_taken_back_are_written_as_a_whole(bank, tmp_path):
    test, path = ic.AdaptiveTest(bank), tmp_path / "s.json"
    grow(test, path, 3)
    test.respondent = "llama"
    test.save(path)
    assert (path.read_bytes().count(b"\n"), ic.AdaptiveTest.load(path).respondent) == (1, "llama")
    test.restore(test.answers[:2], [])
    test.save(path)
    assert ic.AdaptiveTest.load(path).answers == test.answers
    assert len(test.answers) == 2


def test_a_session_behind_a_link_keeps_its_bank_beside_the_file(bank, tmp_path):
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.json"
    test = ic.AdaptiveTest(bank)
    test.save(tmp_path / "real" / "s.json")
    link.symlink_to(tmp_path / "real" / "s.json")
    back = ic.AdaptiveTest.load(link)
    grow(back, link, 2)
    assert link.is_symlink()
    assert ic.AdaptiveTest.load(tmp_path / "real" / "s.json").answers == back.answers


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a POSIX signal")
def test_an_answer_that_was_acknowledged_survives_kill_minus_nine(kind, tmp_path):
    begin, load, about = kind
    path = tmp_path / "s.json"
    begin().save(path)
    name = "AdaptiveTest" if about == "bank" else "ScoreTest"
    program = f"""
import itemcurve as ic
test = ic.{name}.load({str(path)!r})
while (item := test.next_item()) is not None:
    test.record(item, 1.0)
    test.save({str(path)!r})
    print(item, flush=True)
"""
    acknowledged = []
    for _ in range(3):
        line = [sys.executable, "-c", program]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            acknowledged += [running.stdout.readline().strip() for _ in range(3)]
            running.send_signal(signal.SIGKILL)
            acknowledged += running.stdout.read().split()
        found = [answer.item for answer in load(path).answers]
        assert found[: len(acknowledged)] == acknowledged
        # At most one more, written and not yet said.
        assert len(found) - len(acknowledged) in (0, 1)
        acknowledged = found
    assert len(acknowledged) >= 9
    assert json.loads(path.read_text().splitlines()[0])["format"].endswith("session-2")


def test_a_bank_that_another_version_described_otherwise_is_read_and_kept_anew(bank, tmp_path):
    path = tmp_path / "s.json"
    test = ic.AdaptiveTest(bank)
    test.record("q1", 1.0)
    test.save(path)
    file = tmp_path / f"bank-{bank.mark}.json"
    packed = json.loads(file.read_bytes())
    for parameter in packed["parts"][0]["model"]["parameters"]:
        parameter.pop("is_prior_given")
    file.unlink()
    content = json.dumps(packed).encode()
    mark = sha256(content).hexdigest()
    (tmp_path / f"bank-{mark}.json").write_bytes(content)
    session = json.loads(path.read_text())
    session.pop("checksum")
    session["bank"]["mark"] = mark
    path.write_bytes(seal_lines([session], NO_SEAL, "the session")[0])
    back = ic.AdaptiveTest.load(path)
    assert back.answers == test.answers
    back.record("q2", 0.0)
    back.save(path)
    assert file.is_file()
    assert ic.AdaptiveTest.load(path).answers == back.answers
