"""Work in threads: the results of `map`, in its order."""

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from itemcurve.numerics.products.threads import map_in_threads


def test_results_come_in_order():
    assert list(map_in_threads(divmod, range(100), [7] * 100)) == [divmod(n, 7) for n in range(100)]


def test_an_error_is_raised_where_its_result_is_taken():
    found = map_in_threads(lambda n: 1 / (3 - n), range(10))
    assert next(found) == 1 / 3
    with pytest.raises(ZeroDivisionError):
        list(found)


def test_linear_algebra_keeps_to_one_thread_meanwhile():
    def algebra_threads(_=None):
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    with threadpool_limits(2, user_api="blas"):
        before = algebra_threads()
        assert set().union(*map_in_threads(algebra_threads, range(3))) == {1}
        assert algebra_threads() == before
