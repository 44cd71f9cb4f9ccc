"""Files that mean harm are refused with a reason, quickly, and never opened up."""

import gzip
import json
import os
import zipfile

import pytest
from tests.logs.examples import (
    all_examples,
    inspect_archive,
    inspect_log,
    inspect_sample,
    lm_eval_results,
    lm_eval_run,
    lm_eval_sample,
    write,
    write_lines,
)

from itemcurve.logs.log_folder import read_logs
from itemcurve.logs.reading import log_errors, source_file, zip_entries


def read(folder):
    return read_logs(folder, cache=False)


def reason(folder):
    logs = read(folder)
    assert logs.respondents == ()
    return logs.files[0].reason


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93])
def test_an_archive_that_unpacks_beyond_the_limit_is_refused(tmp_path, monkeypatch, method):
    monkeypatch.setattr(zip_entries, "LARGEST_UNPACKED", 10_000)
    log = inspect_log([inspect_sample("a", {"m": {"value": "C"}}, padding=" " * 20_000)])
    inspect_archive(tmp_path / "bomb.eval", log, method)
    assert "more than the limit" in reason(tmp_path)


def test_an_archive_that_lies_about_its_size_is_refused(tmp_path):
    log = inspect_log([inspect_sample("a", {"m": {"value": "C"}}, padding=" " * 20_000)])
    path = inspect_archive(tmp_path / "bomb.eval", log)
    raw = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("summaries.json").file_size
    path.write_bytes(raw.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little")))
    assert "checksum" in reason(tmp_path)


@pytest.mark.parametrize("name", ["../../evil.json", "/etc/evil.json", "C:\\evil.json", "a/../b"])
def test_an_archive_with_names_that_point_outside_is_refused(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr(name, "{}")
    assert "points outside" in reason(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.eval"]


def test_a_changed_byte_in_an_archive_is_noticed(tmp_path):
    log = inspect_log([inspect_sample("a", {"m": {"value": "C"}})])
    path = inspect_archive(tmp_path / "a.eval", log, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b'"value": "C"', b'"value": "I"'))
    assert "checksum" in reason(tmp_path)


def test_deep_nesting_is_refused(tmp_path):
    write(tmp_path / "a.json", "[" * 200_000)
    write(tmp_path / "b.json", '{"eval": ' + '{"a":' * 100_000 + "1" + "}" * 100_001)
    assert {note.reason for note in read(tmp_path).files} == {"nested too deeply"}


def test_deep_nesting_in_one_line_loses_that_line_alone(tmp_path):
    path = lm_eval_run(tmp_path, [lm_eval_sample(k, acc=1.0) for k in range(3)], lm_eval_results())
    lines = path.read_text().splitlines()
    lines[1] = '{"doc_id": 1, "doc": ' + "[" * 50_000 + "]" * 50_000 + ', "acc": 1.0}'
    path.write_text("\n".join(lines))
    logs = read(tmp_path)
    assert logs.select().shape == (1, 2)
    assert any(note.status == "partial" for note in logs.files)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1e300", "9" * 400, "9" * 5000, "NaN"])
def test_numbers_beyond_reason_are_never_scores(tmp_path, number):
    path = lm_eval_run(tmp_path, [lm_eval_sample(k, acc=1.0) for k in range(2)], lm_eval_results())
    lines = path.read_text().splitlines()
    path.write_text(lines[0] + "\n" + lines[1].replace('"acc": 1.0', f'"acc": {number}'))
    logs = read(tmp_path)
    assert logs.select().shape == (1, 1)
    missing = (logs.frame()["status"] == "unscored").any()
    assert missing or any("left out" in note.reason for note in logs.files)


def test_huge_epochs_and_ids_do_no_harm(tmp_path):
    samples = [
        inspect_sample(10**400, {"m": {"value": "C"}}),
        inspect_sample("b", {"m": {"value": "C"}}, epoch=10**400),
        inspect_sample("c" * 10_000, {"m": {"value": "C"}}, epoch=-5),
    ]
    write(tmp_path / "a.json", inspect_log(samples))
    assert max(len(item.sample) for item in read(tmp_path).items) <= log_errors.LONGEST_NAME


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source_file, "LARGEST_LINE", 10_000)
    lines = [lm_eval_sample(0, acc=1.0), lm_eval_sample(1, question="x" * 20_000, acc=1.0)]
    write_lines(tmp_path / "a.jsonl", lines)
    assert "too long" in reason(tmp_path)


def test_a_compressed_file_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source_file, "LARGEST_UNPACKED", 100_000)
    line = json.dumps(lm_eval_sample(0, acc=1.0)).encode() + b"\n"
    write(tmp_path / "a.jsonl.gz", gzip.compress(line * 1000))
    assert "too long" in reason(tmp_path)


def test_a_large_document_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source_file, "LARGEST_DOCUMENT", 1_000)
    write(tmp_path / "a.json", inspect_log([inspect_sample("a", {}, padding="x" * 2_000)]))
    assert "larger than" in reason(tmp_path)


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    secret = write(tmp_path / "secret.jsonlines", '{"subject_id": "a", "responses": {"q1": 1}}')
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "link.jsonlines").symlink_to(secret)
    (logs / "folder").symlink_to(tmp_path)
    assert reason(logs) == "a link that leads out of the folder"


def test_a_companion_that_links_out_of_the_folder_names_nobody(tmp_path):
    secret = write(tmp_path / "secret", "password")
    run = tmp_path / "logs" / "run"
    table = {"columns": ["inputs", "a/score"], "data": [["q0", 1]]}
    write(run / "table.json", table)
    (run / "params").mkdir()
    (run / "params" / "model").symlink_to(secret)
    logs = read(tmp_path / "logs")
    assert "password" not in logs.respondents


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "samples_toy.jsonl")
    assert reason(tmp_path) == "not a regular file"


def test_names_that_would_move_the_cursor_are_cleaned(tmp_path):
    results = lm_eval_results("evil\x1b[2J\nname")
    lm_eval_run(tmp_path, [lm_eval_sample(0, acc=1.0)], results)
    assert read(tmp_path).respondents == ("evil�[2J�name",)


def test_entities_in_a_description_are_not_expanded(tmp_path):
    path = all_examples(tmp_path)["OpenML"]
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    write(path.parent / "description.xml", f"{bomb}<oml:run><oml:flow_name>&b;</oml:flow_name>")
    assert "&b;" in read(path.parent).respondents


def test_nothing_in_a_log_is_executed(tmp_path):
    trap = "__import__('pathlib').Path('owned').touch()"
    sample = lm_eval_sample(0, acc=1.0) | {"target": trap, "filter": trap}
    lm_eval_run(tmp_path, [sample], lm_eval_results(trap))
    read(tmp_path)
    assert not list(tmp_path.rglob("owned"))
