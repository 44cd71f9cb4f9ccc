"""What a study reads, whether it is there, and where it comes from."""

import gzip
import re
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

from itemcurve.errors import StorageError
from itemcurve_studies.study.data_sources import (
    DataSource,
    check_data,
    find_missing,
    refuse_missing,
    say_missing,
)

CONTENT = b"x,target\n1,a\n"
STUDIES = ("beta3", "confusion", "gamma", "llm", "robustness")


@pytest.fixture
def sources():
    checksum = sha256(CONTENT).hexdigest()
    return tuple(
        DataSource(f"data/{name}.csv.gz", name, f"No. {n}", "https://x.org", checksum, "part one")
        for n, name in enumerate(("first", "second", "third"))
    )


def write(folder, name, content=CONTENT):
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / f"{name}.csv.gz").write_bytes(gzip.compress(content))


def test_files_are_there_or_other_ones_or_missing(tmp_path, sources):
    write(tmp_path, "first")
    write(tmp_path, "second", b"x,target\n2,a\n")
    assert check_data(tmp_path, sources)["state"].tolist() == [
        "there",
        "there, other bytes",
        "missing",
    ]


def test_what_is_missing_is_said_in_a_line_for_each_part(tmp_path, sources):
    write(tmp_path, "first")
    missing = find_missing(tmp_path, sources)
    (line,) = say_missing(missing, sources)
    assert "2 of 3 files are missing" in line
    assert "data/second.csv.gz (second, No. 1: https://x.org)" in line
    with pytest.raises(StorageError, match=r"and 1 more.*--data-check"):
        refuse_missing(tmp_path, missing)


@pytest.mark.parametrize("study", STUDIES)
def test_every_source_has_an_address_and_a_checksum(study):
    sources = import_module(f"itemcurve_studies.{study}.data_sources").SOURCES
    assert len({source.file for source in sources}) == len(sources)
    for source in sources:
        assert re.fullmatch(r"[0-9a-f]{64}", source.checksum)
        assert source.address.startswith("https://")
        assert source.identifier


@pytest.mark.parametrize("study", STUDIES)
def test_the_files_at_hand_are_those_listed(shared_data, study):
    sources = import_module(f"itemcurve_studies.{study}.data_sources").SOURCES
    found = check_data(shared_data, sources)
    assert set(found["state"]) == {"there"}, found[found["state"] != "there"]


@pytest.mark.parametrize("study", STUDIES)
def test_the_page_on_data_has_a_row_for_every_file(study):
    page = Path(__file__).parents[4] / "docs" / "study_data.md"
    text = page.read_text("utf-8")
    for source in import_module(f"itemcurve_studies.{study}.data_sources").SOURCES:
        row = f"| `{source.file}` | {source.name} | [{source.identifier}]({source.address}) |"
        assert f"{row} `{source.checksum}` | {source.note} |" in text
