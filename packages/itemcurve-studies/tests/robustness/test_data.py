"""Data sets of the paper's table 1."""

import pytest

from itemcurve_studies.robustness.data import QUICK_SETS, SETS, load_set


def test_data_sets_are_marked_and_sampled(shared_data):
    assert sum(one.status == "complete" for one in SETS) == 18
    assert set(QUICK_SETS) <= {one.name for one in SETS if one.status == "complete"}
    nursery = load_set(shared_data, SETS[0], 1_000)
    assert len(nursery.y) == 1_000
    assert nursery.rows == 12_960
    assert nursery.complexity == pytest.approx(9 * 5 / 12_960)
    wide = load_set(shared_data, SETS[-1], 1_000)
    assert (len(wide.y), wide.rows) == (500, 1_080)
