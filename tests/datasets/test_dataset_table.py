import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ResponsesError


def test_the_shipped_table_holds_measures_between_zero_and_one():
    table = ic.load_dataset_table()
    known = table.values[np.isfinite(table.values)]
    assert known.min() >= 0
    assert known.max() <= 1
    assert len(table.classifiers) == 77
    assert 0 in table.complete_splits


def test_repeats_of_a_cell_stay_apart_as_observations():
    table = ic.load_dataset_table()
    responses = table.responses("auc")
    assert responses.observed_values().size == np.isfinite(table.values[4]).sum()
    np.testing.assert_allclose(
        responses.array(), np.nanmean(table.values[4].astype(float), axis=2), atol=1e-6
    )


def test_an_unknown_measure_is_refused_with_the_known_ones():
    with pytest.raises(ResponsesError, match="accuracy, brier"):
        ic.load_dataset_table().responses("kappa")
