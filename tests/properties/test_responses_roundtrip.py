"""Whatever the responses, saving and reading gives them back, and order does not matter."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import coo_array

from itemcurve.responses.matrix import Responses

VALUES = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, 127.0, 128.0, float("nan")]),
    st.floats(-1e6, 1e6, allow_nan=False),
)
SMALL = st.sampled_from([0.0, 1.0, float("nan")])


@st.composite
def ids(draw, count):
    return draw(
        st.lists(st.text(min_size=1, max_size=8), min_size=count, max_size=count, unique=True)
    )


@st.composite
def any_responses(draw):
    """Dense or long, with missing, weighted and repeated cells, under any names."""
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    names = {"respondents": draw(ids(shape[0])), "items": draw(ids(shape[1]))}
    if draw(st.booleans()):
        count = draw(st.integers(0, 20))
        places = [
            draw(st.lists(st.integers(0, size - 1), min_size=count, max_size=count))
            for size in shape
        ]
        values = draw(arrays.arrays(float, count, elements=st.floats(0, 9)))
        return Responses.from_array(coo_array((values, places), shape=shape), **names)
    matrix = draw(arrays.arrays(float, shape, elements=draw(st.sampled_from([VALUES, SMALL]))))
    weights = draw(st.none() | arrays.arrays(float, shape, elements=st.floats(0, 4)))
    return Responses.from_array(matrix, weights=weights, **names)


def dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


def assert_same(left, right):
    assert left.respondents == right.respondents
    assert left.items == right.items
    assert left.is_sparse == right.is_sparse
    assert left.cells.values.dtype == right.cells.values.dtype
    np.testing.assert_array_equal(left.cells.values, right.cells.values)
    assert (left.cells.weights is None) == (right.cells.weights is None)
    if left.cells.weights is not None:
        assert left.cells.weights.dtype == right.cells.weights.dtype
        np.testing.assert_array_equal(left.cells.weights, right.cells.weights)
    np.testing.assert_array_equal(left.array(), right.array())


@settings(max_examples=150, deadline=None, derandomize=True)
@given(any_responses())
def test_saving_and_reading_npz_changes_nothing(responses):
    with tempfile.TemporaryDirectory() as folder:
        responses.save(Path(folder) / "r.npz")
        assert_same(Responses.read(Path(folder) / "r.npz"), responses)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(any_responses())
def test_long_tables_hold_every_observation(responses):
    frame = responses.frame("long")
    assert len(frame) == responses.observed_values().size
    if len(frame) == 0:
        return
    again = Responses.from_frame(frame)
    present = responses.drop_empty()
    assert set(again.items) == set(present.items)
    again = again.select(present.respondents, present.items)
    np.testing.assert_allclose(again.array(), present.array(), rtol=1e-12, atol=1e-300)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(any_responses(), st.randoms(use_true_random=False))
def test_permuting_rows_and_columns_permutes_everything(responses, random):
    rows = random.sample(range(responses.shape[0]), responses.shape[0])
    columns = random.sample(range(responses.shape[1]), responses.shape[1])
    turned = responses.select(
        [responses.respondents[row] for row in rows],
        [responses.items[column] for column in columns],
    )
    chosen = np.ix_(rows, columns)
    np.testing.assert_array_equal(turned.array(), responses.array()[chosen])
    np.testing.assert_array_equal(turned.counts(axis=1), responses.counts(axis=1)[rows])
    np.testing.assert_allclose(turned.means(axis=0), responses.means(axis=0)[columns])
    np.testing.assert_allclose(
        dense(turned.accumulate(np.cos)), dense(responses.accumulate(np.cos))[chosen], rtol=1e-6
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(any_responses())
def test_sums_weights_and_means_agree(responses):
    weight = responses.weight()
    weight = np.ones(responses.shape) if weight is None else dense(weight).astype(float)
    sums = dense(responses.accumulate(lambda values: values.astype(float)))
    assert responses.n_observed == np.count_nonzero(weight)
    observed = weight > 0
    np.testing.assert_array_equal(~np.isnan(responses.array()), observed)
    np.testing.assert_allclose(
        sums[observed], (responses.array() * weight)[observed], rtol=1e-9, atol=1e-290
    )
