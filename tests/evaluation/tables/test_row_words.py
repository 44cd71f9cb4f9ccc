"""What a row is, in words."""

import numpy as np
import pandas

from itemcurve.evaluation.tables.row_words import describe_rows


def table(rows, columns):
    names = [f"x{k}" for k in range(columns)]
    return pandas.DataFrame(np.ones((rows, columns), dtype=int), columns=names)


def test_all_values_of_a_row_are_told():
    (told, *_) = describe_rows(table(3, 30))
    assert told.count("=") == 30
    assert "…" not in told


def test_many_columns_or_rows_are_cut():
    assert describe_rows(table(3, 61))[0].count("=") == 60
    many = describe_rows(table(20_000, 12))[0]
    assert many.count("=") == 6
    assert many.endswith(", …")
