"""Only what changed is read again."""

import os

import numpy as np
import pytest
from tests.logs.examples import all_examples, lm_eval_results, lm_eval_run, lm_eval_sample, write

import itemcurve.logs.log_folder as log_folder
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_folder import read_logs


@pytest.fixture
def logs_folder(tmp_path):
    folder = tmp_path / "logs"
    all_examples(folder)
    age(folder)
    return folder


@pytest.fixture
def opened(monkeypatch):
    """The files that were really read, in order."""
    found = []
    original = log_folder.read_file

    def read_file(root, path, columns):
        found.append(path)
        return original(root, path, columns)

    monkeypatch.setattr(log_folder, "read_file", read_file)
    return found


def age(folder, seconds=60.0):
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def test_the_second_time_nothing_is_opened_and_all_is_the_same(logs_folder, tmp_path, opened):
    first = read_logs(logs_folder, cache=tmp_path / "cache")
    assert opened
    opened.clear()
    second = read_logs(logs_folder, cache=tmp_path / "cache")
    assert opened == []
    assert second.respondents == first.respondents
    assert second.items == first.items
    assert second.measures == first.measures
    assert second.files == first.files
    assert second.collisions == first.collisions
    for one, other in zip(first.rows, second.rows, strict=True):
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def test_only_the_file_that_changed_is_opened(logs_folder, tmp_path, opened):
    read_logs(logs_folder, cache=tmp_path / "cache")
    opened.clear()
    write(logs_folder / "own" / "long.csv", "respondent,item,value\na,q1,1\na,q2,0\na,q3,1\n")
    age(logs_folder / "own", 30)
    logs = read_logs(logs_folder, cache=tmp_path / "cache")
    assert opened == ["own/long.csv"]
    assert len([item for item in logs.items if item.task == "long"]) == 3


def test_a_companion_that_changed_or_appeared_makes_its_log_read_again(tmp_path, opened):
    folder = tmp_path / "logs"
    path = lm_eval_run(folder / "m", [lm_eval_sample(0, acc=1.0)], None)
    age(folder)
    assert read_logs(folder, cache=tmp_path / "cache").respondents == ("m",)
    lm_eval_run(folder / "m", [lm_eval_sample(0, acc=1.0)], lm_eval_results("org/named"))
    age(folder)
    assert read_logs(folder, cache=tmp_path / "cache").respondents == ("org/named",)
    opened.clear()
    results = path.parent / path.name.replace("samples_toy", "results").replace("jsonl", "json")
    write(results, lm_eval_results("org/renamed"))
    age(folder)
    assert read_logs(folder, cache=tmp_path / "cache").respondents == ("org/renamed",)


def test_a_file_that_changed_just_now_is_not_trusted_next_time(tmp_path, opened):
    write(tmp_path / "logs" / "a.csv", "respondent,item,value\na,q1,1\n")
    read_logs(tmp_path / "logs", cache=tmp_path / "cache")
    read_logs(tmp_path / "logs", cache=tmp_path / "cache")
    assert opened == ["a.csv", "a.csv"]


def test_other_columns_are_another_reading(logs_folder, tmp_path):
    table = {"columns": ["id", "good"], "data": [["q0", 1]]}
    write(logs_folder / "w" / "t.json", table)
    age(logs_folder)
    cache = tmp_path / "cache"
    assert "t" not in read_logs(logs_folder, cache=cache).tasks
    columns = LogColumns(item="id", value="good")
    assert "t" in read_logs(logs_folder, columns=columns, cache=cache).tasks


def test_a_damaged_cache_is_read_over(logs_folder, tmp_path, opened):
    first = read_logs(logs_folder, cache=tmp_path / "cache")
    entries = sorted((tmp_path / "cache").iterdir())
    for number, entry in enumerate(entries):
        content = bytearray(entry.read_bytes())
        if number % 2:
            content = content[: len(content) // 2]
        else:
            content[len(content) // 2] ^= 0xFF
        entry.write_bytes(content)
    opened.clear()
    second = read_logs(logs_folder, cache=tmp_path / "cache")
    assert second.rows.value.size == first.rows.value.size
    assert opened


def test_a_cache_that_cannot_be_written_is_gone_without(logs_folder, tmp_path):
    blocked = write(tmp_path / "blocked", "a file where a folder should be")
    assert read_logs(logs_folder, cache=blocked / "cache").rows.value.size


def test_the_default_cache_lies_with_the_user_and_not_with_the_logs(
    logs_folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    before = sorted(logs_folder.rglob("*"))
    read_logs(logs_folder)
    assert sorted(logs_folder.rglob("*")) == before
    assert list((tmp_path / "home" / "itemcurve" / "logs").rglob("*.npz"))


def test_several_processes_read_what_one_reads(logs_folder):
    one = read_logs(logs_folder, cache=False, n_jobs=1)
    two = read_logs(logs_folder, cache=False, n_jobs=2)
    assert one.items == two.items
    assert np.array_equal(one.rows.value, two.rows.value, equal_nan=True)
