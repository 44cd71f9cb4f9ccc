"""Information of items and of the test."""

import numpy as np
import pytest
from tests.catalogue import MODELS

from itemcurve.analysis.curves.information_curves import information_curves


@pytest.mark.parametrize("model", MODELS)
def test_test_information_is_the_sum_of_the_items(model, fitted):
    result = fitted(model)
    curves = information_curves(result, result.responses.items, points=7)
    assert np.allclose(curves.test, curves.items.sum(axis=1))
    assert list(curves.frame())[:3] == ["ability", "test_information", "standard_error"]
    assert len(information_curves(result).names) == 5
