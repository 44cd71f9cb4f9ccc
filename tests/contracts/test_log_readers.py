"""Every format is recognised by exactly one reader, by content."""

import shutil

import pytest
from tests.logs.examples import all_examples, write

from itemcurve.logs.file_reading import read_file
from itemcurve.logs.formats.catalogue import READERS
from itemcurve.logs.formats.columns import LogColumns
from itemcurve.logs.log_folder import read_logs
from itemcurve.logs.reading.source_file import SourceFile

HARNESSES = sorted({reader.name for reader in READERS})


def test_each_example_is_recognised_by_its_reader_alone(tmp_path):
    examples = all_examples(tmp_path)
    assert sorted(examples) == HARNESSES
    for name, path in examples.items():
        source = SourceFile(path, tmp_path)
        found = {reader.name for reader in READERS if reader.recognises(source, LogColumns())}
        assert found == {name}
        assert not any(reader.is_companion(source) for reader in READERS)


@pytest.mark.parametrize("name", HARNESSES)
def test_a_log_by_another_name_is_the_same_log(tmp_path, name):
    path = all_examples(tmp_path)[name]
    copy = path.with_name("renamed.bin")
    shutil.move(path, copy)
    reading = read_file(tmp_path, copy.relative_to(tmp_path).as_posix(), LogColumns())
    assert (reading.status, reading.harness) == ("read", name)


def test_a_mix_of_all_formats_is_read_together(tmp_path):
    examples = all_examples(tmp_path)
    logs = read_logs(tmp_path, cache=False)
    assert len(logs.sources) == len(examples)
    assert len(logs.choose()) == len(examples)
    # Three of them call their task "toy"; each counts by its own main metric.
    assert len({choice.harness for choice in logs.choose("toy")}) == 3
    scored = logs.frame().query("status == 'scored'")
    assert logs.select(announce=False).n_observed == len(scored)


def test_files_of_others_are_listed_and_do_not_disturb(tmp_path):
    all_examples(tmp_path)
    before = read_logs(tmp_path, cache=False).rows.value.size
    write(tmp_path / "README.md", "# Notes")
    write(tmp_path / "model.bin", b"\x00\x01\x02" * 1000)
    write(tmp_path / "settings.json", {"some": "settings"})
    write(tmp_path / "empty.json", "")
    logs = read_logs(tmp_path, cache=False)
    foreign = {note.path for note in logs.files if note.status == "foreign"}
    assert {"README.md", "model.bin", "settings.json", "empty.json"} <= foreign
    assert logs.rows.value.size == before


def test_a_compressed_file_of_lines_is_read(tmp_path):
    import gzip

    path = all_examples(tmp_path)["py-irt"]
    write(tmp_path / "alone" / "toy.jsonlines.gz", gzip.compress(path.read_bytes()))
    assert read_logs(tmp_path / "alone", cache=False).select().shape == (2, 2)


def test_an_empty_folder_gives_an_empty_table(tmp_path):
    logs = read_logs(tmp_path, cache=False)
    assert repr(logs) == "LogResponses(0 respondents, 0 tasks, 0 items, 0 rows from 0 logs)"
    assert logs.frame().empty
    assert "0 respondents" in str(logs.summary())
