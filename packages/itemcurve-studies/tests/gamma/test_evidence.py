"""What counts as evidence for a claim."""

import numpy as np

from itemcurve_studies.gamma.evidence import is_above, judge_both, slopes


def test_a_claim_holds_when_it_does_by_both_methods():
    assert judge_both([True, True]) == "holds"
    assert judge_both([True, False]) == "holds in part"
    assert judge_both([False, False]) == "does not hold"


def test_slopes_are_those_of_lines():
    levels = np.linspace(0, 1, 5)
    found = slopes(np.stack([2 * levels, 1 - levels]), levels)
    np.testing.assert_allclose(found, [2.0, -1.0])
    assert is_above([1.0, 1.1, 0.9])
    assert not is_above([1.0, -1.1, 0.9])
