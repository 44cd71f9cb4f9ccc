"""Names that a spreadsheet would compute."""

import csv
import io

import pandas
import pytest

from itemcurve.storage.spreadsheet_text import quote_formula, table_text, unquote_formula

FORMULAS = ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "=cmd|' /C calc'!A0", "\t=1", "\r=1", "＝1+1", "-"]
HARMLESS = ["gpt-4", "-0.5", "+1", "-1e-3", "'tis", "", "a=b", "1", "''"]


@pytest.mark.parametrize("name", [*FORMULAS, *HARMLESS])
def test_every_name_comes_back(name):
    for text in (name, f"'{name}", f"''{name}"):
        assert unquote_formula(quote_formula(text)) == text


def test_no_formula_stays_one_and_nothing_else_changes():
    assert [quote_formula(name)[0] for name in FORMULAS] == ["'"] * len(FORMULAS)
    assert list(map(quote_formula, HARMLESS)) == HARMLESS


def test_tables_are_quoted_in_names_and_cells_and_keep_numbers_and_gaps():
    table = pandas.DataFrame({"=a": ["@b", None], "n": [-1.5, None]})
    rows = list(csv.reader(io.StringIO(table_text(table))))
    assert rows == [["'=a", "n"], ["'@b", "-1.5"], ["", ""]]
