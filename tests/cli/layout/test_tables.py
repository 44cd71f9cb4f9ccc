"""Names in tables: cut at the end, and never so that two look the same."""

from io import StringIO

import pytest
from rich.console import Console

from itemcurve.cli.layout.tables import Column, print_table


def printed(width, *names):
    console = Console(width=width, file=StringIO())
    cells = ["0.123 (0.12 to 0.13)" for _ in names]
    print_table(console, "title", [Column("respondent", names), Column("skill", cells)])
    return console.file.getvalue()


def test_names_are_cut_at_their_end():
    text = printed(42, "Nearest neighbours of all", "Quadratic discriminant")
    assert "Nearest neighbours…" in text
    assert "Quadratic discrimin…" in text


@pytest.mark.parametrize("width", [36, 42, 50])
def test_names_that_would_look_the_same_go_on_below(width):
    text = printed(width, "Support vectors, kernel 1", "Support vectors, kernel 2")
    joined = " ".join(text.split())
    assert "…" not in text
    assert "kernel 1" in joined
    assert "kernel 2" in joined
    assert all(len(line) <= width for line in text.splitlines())
