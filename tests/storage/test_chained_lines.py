"""Lines that are sealed one after the other: damage shows, and a crash is told apart from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from itemcurve.errors import StorageError
from itemcurve.storage.chained_lines import (
    NO_SEAL,
    BrokenLineError,
    last_seal,
    seal_lines,
    unseal_lines,
)

TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=8) | st.just("\ud800 \n\0\u2028")
DOCUMENTS = st.lists(
    st.dictionaries(st.sampled_from(["a", "b"]), TEXT | st.floats(-9, 9), min_size=1),
    min_size=1,
    max_size=5,
)


@pytest.fixture
def lines() -> bytes:
    return seal_lines([{"number": number} for number in range(5)], NO_SEAL, "x")[0]


@given(DOCUMENTS)
def test_what_is_sealed_is_read_back(documents):
    content, seal = seal_lines(documents, NO_SEAL, "x")
    found = unseal_lines(content, "x")
    assert list(found.documents) == documents
    assert (found.seal, found.size, found.cut_off) == (seal, len(content), 0)
    assert last_seal(content) == seal


def test_lines_added_later_continue_the_chain(lines):
    more, seal = seal_lines([{"number": 5}], last_seal(lines), "x")
    found = unseal_lines(lines + more, "x")
    assert [document["number"] for document in found.documents] == list(range(6))
    assert found.seal == seal


def test_wherever_a_last_line_is_cut_off_the_others_are_whole(lines):
    start = lines.rstrip(b"\n").rfind(b"\n") + 1
    for end in range(start, len(lines)):
        found = unseal_lines(lines[:end], "x")
        assert (len(found.documents), found.size, found.cut_off) == (4, start, end - start)


@pytest.mark.parametrize("rest", [b"\0" * 100, b"\0" * 40 + b'm": 5}\n', b'{"nu\0\0\0\n'])
def test_blocks_that_never_reached_the_disk_are_a_line_cut_off(lines, rest):
    found = unseal_lines(lines + rest, "x")
    assert (found.size, found.cut_off) == (len(lines), len(rest))


def test_any_changed_byte_is_noticed(lines):
    # Of the last line, its end is left: without it the line counts as cut off.
    for place in range(len(lines) - 1):
        changed = bytearray(lines)
        changed[place] ^= 1
        with pytest.raises((BrokenLineError, StorageError)):
            unseal_lines(bytes(changed), "x")


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[1:],
        lambda rows: [rows[0], *rows[2:]],
        lambda rows: [rows[0], rows[2], rows[1], *rows[3:]],
        lambda rows: [*rows, rows[-1]],
        lambda rows: [],
    ],
)
def test_lines_left_out_repeated_or_in_another_order_are_refused(lines, change):
    rows = lines.splitlines(keepends=True)
    with pytest.raises(BrokenLineError):
        unseal_lines(b"".join(change(rows)), "x")
