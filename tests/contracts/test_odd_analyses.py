"""Odd data under odd names through what is built on fits: honest, and the same in any order.

`make faults` does this for 720 trials.
"""

import pytest
from benchmarks.faults.analyses import try_analysis
from benchmarks.faults.odd_trials import KINDS
from benchmarks.faults.tally import Tally


def faults_of(kind: str, number: int) -> list[str]:
    rows = [Tally("as it is"), Tally("in another order"), Tally("with a stranger")]
    try_analysis(kind, 1, number, *rows)
    assert rows[0].tried == 1
    return [example for row in rows for example in row.examples]


@pytest.mark.parametrize("kind", KINDS)
def test_an_analysis_of_odd_data_is_refused_or_as_good_as_it_says(kind):
    assert faults_of(kind, 1) == []


# A grid finer than any that had a name; a test by a covariance that is none, whose answer hung on
# the order of items; ratings whose squares are beyond all numbers. Then searches along ridges too
# narrow for them, over 20 processor seconds.
@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("anchors", 26),
        ("links", 33),
        ("raters", 18),
        pytest.param("anchors", 54, marks=pytest.mark.slow),
        pytest.param("items free in groups", 46, marks=pytest.mark.slow),
    ],
)
def test_what_once_broke_is_honest_and_ends(kind, number):
    assert faults_of(kind, number) == []
