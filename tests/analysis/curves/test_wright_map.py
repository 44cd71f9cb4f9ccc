"""The Wright map."""

import pytest
from tests.catalogue import MODELS

from itemcurve.analysis.curves.wright_map import wright_map


@pytest.mark.parametrize("model", MODELS)
def test_the_wright_map_counts_everybody(model, fitted):
    frame = wright_map(fitted(model)).frame()
    assert frame["respondents"].sum() == 60
    assert frame["items"].sum() == 12
