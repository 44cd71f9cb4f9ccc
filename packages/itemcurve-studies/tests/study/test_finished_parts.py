import numpy as np
import pandas as pd
import pytest

from itemcurve_studies.study.finished_parts import FinishedParts, join_parts


def test_a_finished_part_is_read_back_and_not_made_again(tmp_path):
    made = []

    def make():
        made.append(1)
        return {
            "rows": pd.DataFrame({"x": [0.1, np.nan], "gap": [np.nan, np.nan], "w": ["a", "b"]})
        }

    first = FinishedParts(tmp_path).tables("part", make)["rows"]
    again = FinishedParts(tmp_path).tables("part", make)["rows"]
    pd.testing.assert_frame_equal(first, again)
    assert (len(made), first["gap"].dtype.kind) == (1, "f")


def test_an_interrupted_part_leaves_nothing_behind(tmp_path):
    def fail():
        raise KeyboardInterrupt

    parts = FinishedParts(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        parts.tables("part", fail)
    found = parts.tables("part", lambda: {"rows": pd.DataFrame({"x": [1]})})
    assert found["rows"]["x"].tolist() == [1]


def test_parts_are_put_below_one_another():
    parts = [
        {"rows": pd.DataFrame({"x": [1]})},
        {"rows": pd.DataFrame({"x": [2]}), "more": pd.DataFrame({"y": [3]})},
    ]
    joined = join_parts(parts)
    assert joined["rows"]["x"].tolist() == [1, 2]
    assert joined["more"]["y"].tolist() == [3]
