"""Why claims on robustness do not hold."""

from types import SimpleNamespace

import numpy as np

from itemcurve_studies.robustness.causes import count_alike, describe_outside


def _found(difficulty, mean_responses):
    means = np.array(mean_responses)
    varied = (means > 0) & (means < 1)
    return SimpleNamespace(difficulty=np.array(difficulty), mean_responses=means, is_varied=varied)


def test_instances_far_out_are_told_with_their_right_answers():
    # The first is answered right by all: it is no instance that both ways are given of.
    one = _found([-9.0, -6.5, -6.1, 0.0], [1.0, 0.995, 0.98, 0.5])
    assert describe_outside([one]) == ": on 1 data set, 2 easy, right by at least 98.0% of the pool"
    both = describe_outside([one, _found([7.0, 6.5], [0.01, 0.02])])
    assert both.endswith(
        "on 2 data sets, 2 easy, right by at least 98.0% of the pool, "
        "2 hard, right by at most 2.0% of the pool"
    )
    assert describe_outside([_found([1.0], [0.3])]) == ""


def test_of_instances_far_out_those_answered_alike_are_counted():
    one = _found([-9.0, -6.5, -6.1, 0.0], [1.0, 1.0, 0.98, 0.5])
    found = count_alike([one, _found([2.0], [0.3])])
    assert found.startswith("2 of the 3 are answered alike by all of the pool")
    assert found.endswith("the furthest lies at ±6.10")
    assert count_alike([_found([2.0], [0.3])]) == ""
