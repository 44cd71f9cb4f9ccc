"""Which rows noise reaches."""

import numpy as np

from itemcurve.analysis.robustness.system_curves import perturbed


def test_larger_shares_hold_the_smaller_ones():
    order = np.random.default_rng(0).permutation(50)
    former = perturbed(order, 0.0)
    assert not former.any()
    for share in (0.1, 0.2, 0.3, 0.5, 1.0):
        found = perturbed(order, share)
        assert found.sum() == round(share * 50)
        assert found[former].all()
        former = found
