"""Units in blocks: whoever holds them, a step gives what it gives on all of them at once."""

import numpy as np

from itemcurve.estimation.marginal.units import Step, UnitsInMemory, added
from itemcurve.numerics.engine import NUMPY
from itemcurve.numerics.row_blocks import split_rows

ROWS = np.arange(35.0).reshape(7, 5)


def totals(engine, settings, block, groups, factor):
    return (block[0] * factor).sum(axis=0), [np.array(block[0].shape[0])]


def test_the_total_of_blocks_is_that_of_all_units():
    blocks = split_rows(NUMPY, [ROWS], 7, 5, 2)
    sums, (rows,) = UnitsInMemory(NUMPY, blocks, 7).total(Step(totals), 2.0)
    assert len(blocks) == 4
    assert rows == 7
    np.testing.assert_allclose(sums, 2.0 * ROWS.sum(axis=0))


def test_each_block_is_given_in_order():
    units = UnitsInMemory(NUMPY, split_rows(NUMPY, [ROWS], 7, 5, 3), 7)
    found = [rows for _, (rows,) in units.each(Step(totals), 1.0)]
    assert sum(found) == 7
    assert len(found) == 3


def test_parts_are_added_to_their_like():
    assert added((1, [2, 3]), (10, [20, 30])) == (11, [22, 33])
