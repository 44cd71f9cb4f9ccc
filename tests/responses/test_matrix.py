"""What `Responses` promises to the methods that fit models."""

import subprocess
import sys
import time

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix

from itemcurve.errors import ResponsesError
from itemcurve.responses.layouts.dense_cells import DenseCells
from itemcurve.responses.layouts.long_cells import LongCells
from itemcurve.responses.matrix import Responses

NAN = float("nan")


def identity(values):
    return values


@pytest.fixture
def repeated():
    """Cell (0, 0) measured three times, (1, 2) once with value 0, the rest missing."""
    entries = ([1, 0, 1, 0], ([0, 0, 0, 1], [0, 0, 0, 2]))
    return Responses.from_array(coo_array(entries, shape=(2, 3)))


@pytest.fixture
def weighted():
    return Responses.from_array([[0.5, 2.0], [NAN, 4.0]], weights=[[2.0, 1.0], [1.0, 3.0]])


def test_importing_the_matrix_loads_no_heavy_package():
    code = (
        "import sys, itemcurve, itemcurve.responses.matrix as m; m.Responses.from_array([[1, 0]]);"
        "heavy = {'pandas', 'sklearn', 'pyarrow', 'scipy.stats', 'scipy.sparse', 'narwhals'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int64, np.float32, np.float64])
def test_small_integers_of_any_type_take_one_byte(kind):
    responses = Responses.from_array(np.array([[0, 1], [1, 1]], dtype=kind))
    assert responses.cells.values.dtype == np.int8
    assert responses.weight() is None
    np.testing.assert_array_equal(responses.array(), [[0, 1], [1, 1]])


@pytest.mark.parametrize("matrix", [[[0.5, 1.0]], [[-1, 3]], [[128, 0]], [[-1.0, NAN]]])
def test_other_numbers_take_eight_bytes(matrix):
    responses = Responses.from_array(matrix)
    assert responses.cells.values.dtype == np.float64
    np.testing.assert_array_equal(responses.array(), np.array(matrix, dtype=float))


def test_complete_responses_are_accumulated_without_a_copy():
    responses = Responses.from_array(np.eye(3, dtype=np.int8))
    assert responses.accumulate(identity) is responses.cells.values


def test_the_users_array_may_change_afterwards():
    matrix = np.zeros((2, 2), dtype=np.int8)
    responses = Responses.from_array(matrix)
    matrix[:] = 1
    assert responses.array().sum() == 0
    with pytest.raises(ValueError, match="read-only"):
        responses.cells.values[0, 0] = 1


def test_missing_cells_are_zero_weights_and_are_never_transformed():
    responses = Responses.from_array([[1, NAN], [1, 2]])
    assert responses.weight().dtype == np.bool_
    np.testing.assert_array_equal(responses.weight(), [[1, 0], [1, 1]])
    assert responses.accumulate(identity).dtype == np.int8
    # log(0) of the unobserved cell would be a warning, and so an error here.
    logs = responses.accumulate(lambda values: np.log(values.astype(float)))
    np.testing.assert_allclose(logs, [[0, 0], [0, np.log(2)]])
    assert not np.isnan(responses.cells.values).any()


def test_weights_multiply_what_is_accumulated(weighted):
    np.testing.assert_array_equal(weighted.weight(), [[2, 1], [0, 3]])
    np.testing.assert_array_equal(weighted.accumulate(np.square), [[0.5, 4], [0, 48]])
    np.testing.assert_allclose(weighted.means(axis=1), [1.0, 4.0])
    np.testing.assert_allclose(weighted.means(axis=0), [0.5, 14 / 4])


def test_weights_of_one_are_no_weights():
    assert Responses.from_array([[1, 0]], weights=[[1.0, 1.0]]).weight() is None
    assert Responses.from_array([[1, 0]], weights=[[1.0, 0.0]]).weight().dtype == np.bool_


def test_repeats_add_up_and_observed_zeros_stay_stored(repeated):
    assert repeated.is_sparse
    assert isinstance(repeated.cells, LongCells)
    sums, weight = repeated.accumulate(identity), repeated.weight()
    assert isinstance(sums, csr_array)
    np.testing.assert_array_equal(sums.toarray(), [[2, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(weight.toarray(), [[3, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(sums.indptr, weight.indptr)
    np.testing.assert_array_equal(sums.indices, weight.indices)


def test_counts_means_and_array_take_a_repeated_cell_once(repeated):
    assert repeated.n_observed == 2
    np.testing.assert_array_equal(repeated.counts(axis=1), [1, 1])
    np.testing.assert_array_equal(repeated.counts(axis=0), [1, 0, 1])
    np.testing.assert_allclose(repeated.means(axis=1), [2 / 3, 0])
    np.testing.assert_allclose(repeated.array(), [[2 / 3, NAN, NAN], [NAN, NAN, 0]])
    assert repeated.observed_values().size == 4


@pytest.mark.parametrize("make", [csr_array, csr_matrix, coo_array])
def test_every_sparse_kind_is_read_with_stored_entries_as_observations(make):
    responses = Responses.from_array(make(np.array([[0, 1], [1, 1]])))
    assert responses.n_observed == 3
    np.testing.assert_array_equal(responses.array(), [[NAN, 1], [1, 1]])


def test_a_complete_sparse_matrix_has_no_weights():
    entries = coo_array(([1, 0], ([0, 0], [0, 1])), shape=(1, 2))
    assert Responses.from_array(entries).weight() is None


def test_dense_and_long_storage_agree():
    rng = np.random.default_rng(3)
    matrix = np.where(rng.random((7, 5)) < 0.3, NAN, rng.random((7, 5)))
    rows, columns = np.nonzero(~np.isnan(matrix))
    entries = coo_array((matrix[rows, columns], (rows, columns)), shape=matrix.shape)
    dense, long = Responses.from_array(matrix), Responses.from_array(entries)
    assert (dense.is_sparse, long.is_sparse) == (False, True)
    np.testing.assert_allclose(dense.accumulate(np.log1p), long.accumulate(np.log1p).toarray())
    np.testing.assert_array_equal(dense.weight(), long.weight().toarray())
    np.testing.assert_array_equal(dense.array(), long.array())
    for axis in (0, 1):
        np.testing.assert_allclose(dense.means(axis), long.means(axis))
        np.testing.assert_array_equal(dense.counts(axis), long.counts(axis))
    np.testing.assert_array_equal(np.sort(dense.observed_values()), np.sort(long.observed_values()))


def test_numbered_ids_sort_in_their_order():
    responses = Responses.from_array(np.zeros((2, 12)))
    assert responses.respondents == ("respondent_1", "respondent_2")
    assert responses.items[0] == "item_01"
    assert list(responses.items) == sorted(responses.items)


@pytest.mark.parametrize("fixture", ["repeated", "weighted"])
def test_selection_follows_the_order_of_the_ids(fixture, request):
    responses = request.getfixturevalue(fixture)
    items = list(responses.items[::-1])
    selected = responses.select(respondents=["respondent_2"], items=items)
    assert selected.respondents == ("respondent_2",)
    assert selected.items == tuple(items)
    np.testing.assert_array_equal(selected.array(), responses.array()[1:, ::-1])


def test_a_selection_is_stored_as_compactly_as_fresh_data():
    responses = Responses.from_array([[1, 0.5], [0, NAN]])
    selected = responses.select(items=["item_1"])
    assert selected.cells.values.dtype == np.int8
    assert selected.weight() is None


def test_empty_respondents_and_items_can_be_dropped(repeated):
    matrix = [[1, NAN, 0], [NAN, NAN, NAN]]
    left = Responses.from_array(matrix).drop_empty()
    assert (left.respondents, left.items) == (("respondent_1",), ("item_1", "item_3"))
    assert repeated.drop_empty().items == ("item_1", "item_3")


def test_the_mean_of_nothing_is_nan():
    responses = Responses.from_array([[1, 0], [NAN, NAN]])
    np.testing.assert_array_equal(responses.means(axis=1), [0.5, NAN])


@pytest.mark.parametrize("sparse", [False, True])
def test_a_split_parts_the_cells_without_loss_or_overlap(sparse):
    rng = np.random.default_rng(5)
    matrix = np.where(rng.random((20, 10)) < 0.2, NAN, rng.integers(0, 2, (20, 10)))
    responses = Responses.from_array(matrix)
    if sparse:
        responses = Responses.from_frame(responses.frame().iloc[np.arange(400) % 150])
    kept, held = responses.split(0.25, seed=1)
    assert held.n_observed == round(0.25 * responses.n_observed)
    assert kept.n_observed + held.n_observed == responses.n_observed
    assert not np.any(~np.isnan(kept.array()) & ~np.isnan(held.array()))
    together = np.where(np.isnan(kept.array()), held.array(), kept.array())
    np.testing.assert_array_equal(together, responses.array())
    again = responses.split(0.25, seed=1)[1]
    np.testing.assert_array_equal(again.array(), held.array())
    assert not np.array_equal(responses.split(0.25, seed=2)[1].array(), held.array(), True)


def test_the_representation_is_one_informative_line(repeated):
    assert repr(repeated) == (
        "Responses(2 respondents × 3 items, 2 of 6 cells observed, values 0 to 1, long int8)"
    )
    assert "0 of 1 cells" in repr(Responses.from_array([[NAN]]))


def test_a_large_matrix_is_taken_quickly_and_in_bytes():
    matrix = np.ones((5000, 5000), dtype=np.int8)
    start = time.perf_counter()
    responses = Responses.from_array(matrix)
    assert time.perf_counter() - start < 1
    assert isinstance(responses.cells, DenseCells)
    assert responses.cells.values.nbytes == matrix.nbytes


def test_masked_arrays_and_single_cells_are_accepted():
    masked = np.ma.masked_array([[1, 0]], mask=[[False, True]])
    np.testing.assert_array_equal(Responses.from_array(masked).array(), [[1, NAN]])
    assert Responses.from_array([[1]]).shape == (1, 1)


def test_refused_requests_say_what_to_do(repeated):
    with pytest.raises(ResponsesError, match=r"unknown, the first is 'nobody'.*begin with"):
        repeated.select(respondents=["nobody"])
    with pytest.raises(ResponsesError, match="Name each id once"):
        repeated.select(items=["item_1", "item_1"])
    with pytest.raises(ResponsesError, match="strictly between 0 and 1"):
        repeated.split(1.0, seed=0)
    with pytest.raises(ResponsesError, match=r"0 .per item. or 1"):
        repeated.counts(axis=2)
    with pytest.raises(ResponsesError, match="all 1 × 2 are missing"):
        Responses.from_array([[NAN, NAN]]).drop_empty()
