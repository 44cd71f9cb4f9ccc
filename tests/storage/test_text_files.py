"""Tables of text: within limits, row by row."""

import gzip

import pytest

from itemcurve.storage import text_files
from itemcurve.storage.text_files import UnsoundTextError, check_rows, open_text


@pytest.fixture
def look(tmp_path):
    """Check the rows of a text."""

    def check(text, separator=","):
        (tmp_path / "t.csv").write_bytes(text.encode())
        with open_text(tmp_path / "t.csv", False) as stream:
            found = check_rows(stream, separator)
            assert stream.read() == text.removeprefix("\ufeff")
        return found.uneven, found.is_ended

    return check


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoted", [False, True])
def test_short_and_long_rows_are_named_by_line_whatever_ends_lines(look, end, quoted):
    first = 'a,"b, c",d' if quoted else "a,b,d"
    lines = [first, "1,2,3", "", " ", "4,5,6"]
    assert look(end.join(lines) + end) == ("", True)
    assert look(end.join(lines)) == ("", False)
    for wrong, count in (("1,2", 2), ("1,2,3,", 4), ("1", 1)):
        uneven, _ = look(end.join([*lines[:2], wrong, *lines[2:]]) + end)
        assert uneven == f"line 3 has {count} cells, the row of names 3"


def test_line_breaks_and_separators_inside_quotation_marks_are_text(look):
    assert look('a,b\n"x\ny,z",1\n') == ("", True)
    unfinished = 'a,b\n"say ""no"", please",1\n"x\n'
    assert look(unfinished) == (
        "line 3 has 1 cells, the row of names 2",
        True,
    )


def test_lines_longer_than_what_is_read_at_once_are_whole(look, monkeypatch):
    monkeypatch.setattr(text_files, "_CHUNK", 7)
    assert look("\n\naaaaaaaaaaaaaaaa,b\r\n1,2\r\n\r\n3,444444444444444444\r\n") == ("", True)
    uneven, _ = look("a,b\n1,2\n3,4,5\n")
    assert uneven == "line 3 has 3 cells, the row of names 2"


def test_one_column_has_no_separators(look):
    assert look("q\n1\n\n0\n") == ("", True)


def test_what_unpacks_too_far_has_zero_bytes_or_endless_lines_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(text_files, "LARGEST_UNPACKED", 10_000_000)
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"r,1,0\n" * 2_000_000))
    with pytest.raises(UnsoundTextError, match="unpacks to more than 10,000,000 bytes"):
        open_text(tmp_path / "bomb.csv.gz", True)
    (tmp_path / "hole.csv").write_bytes(b"a,b\n1,2\n" + bytes(512))
    with (
        open_text(tmp_path / "hole.csv", False) as stream,
        pytest.raises(UnsoundTextError, match="zero bytes"),
    ):
        stream.read()
    monkeypatch.setattr(text_files, "LONGEST_LINE", 3_000_000)
    (tmp_path / "line.csv").write_bytes(b"a,b\n" + b"1" * 6_000_000)
    with (
        open_text(tmp_path / "line.csv", False) as stream,
        pytest.raises(UnsoundTextError, match="more than 3,000,000 bytes"),
    ):
        for _ in stream:
            pass
