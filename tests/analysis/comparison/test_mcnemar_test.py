"""McNemar's test against statsmodels and SciPy."""

import pytest
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar as reference

from itemcurve.analysis.comparison.mcnemar_test import mcnemar

COUNTS = [(12, 4), (0, 5), (5, 0), (7, 7), (1, 0), (250, 199), (3000, 3200)]


@pytest.mark.parametrize(("first", "second"), COUNTS)
def test_the_exact_p_value_is_that_of_statsmodels(first, second):
    expected = reference([[0, first], [second, 0]], exact=True).pvalue
    assert mcnemar(first, second, kind="exact") == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("first", "second"), COUNTS)
def test_mid_p_counts_half_of_what_is_as_extreme(first, second):
    total, few = first + second, min(first, second)
    more_extreme = 2 * binom.cdf(few - 1, total, 0.5)
    as_extreme = binom.pmf(few, total, 0.5) * (1 if first == second else 2)
    expected = more_extreme + as_extreme / 2
    assert mcnemar(first, second) == pytest.approx(expected, abs=1e-8)
    assert mcnemar(first, second) <= mcnemar(first, second, kind="exact")


def test_without_disagreement_nothing_speaks_for_a_difference():
    assert mcnemar(0, 0) == mcnemar(0, 0, kind="exact") == 1.0
