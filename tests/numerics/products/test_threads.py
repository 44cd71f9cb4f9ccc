"""Work in threads: the results of `map`, in its order."""

import pytest

from itemcurve.numerics.products.threads import map_in_threads


def test_results_come_in_order():
    assert list(map_in_threads(divmod, range(100), [7] * 100)) == [divmod(n, 7) for n in range(100)]


def test_an_error_is_raised_where_its_result_is_taken():
    found = map_in_threads(lambda n: 1 / (3 - n), range(10))
    assert next(found) == 1 / 3
    with pytest.raises(ZeroDivisionError):
        list(found)
