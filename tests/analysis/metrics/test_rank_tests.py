import numpy as np
import pandas as pd
import pytest
from scipy.stats import friedmanchisquare

import itemcurve as ic
from itemcurve.errors import EvaluationError


def test_p_values_agree_with_scikit_posthocs_on_fifty_tables():
    from scikit_posthocs import posthoc_nemenyi_friedman

    rng = np.random.default_rng(0)
    for _ in range(50):
        shape = rng.integers(3, 15), rng.integers(3, 10)
        # Few decimals make ties.
        values = rng.random(shape).round(int(rng.integers(1, 4)))
        found = ic.metrics.compare_metrics(pd.DataFrame(values))
        expected = friedmanchisquare(*values.T)
        np.testing.assert_allclose(found.pairs, posthoc_nemenyi_friedman(values), atol=1e-6)
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.p_value == pytest.approx(expected.pvalue)


def test_the_published_table_gives_the_published_verdicts(shared_data):
    folder = shared_data / "data" / "reference" / "irt_confusion_matrix"
    table = pd.read_csv(folder / "heart_statlog_metrics.csv").drop(columns="mcc_score")
    found = ic.metrics.compare_metrics(table)
    # The paper has 54.459, from values with more than the three decimals it prints.
    assert found.statistic == pytest.approx(54.459, abs=0.1)
    apart = {"acc_score", "precision_score", "auc_score", "specf_score", "TrueScore"}
    assert set(found.separated("TotalScore")) == apart
    assert found.separated("TrueScore") == ("TotalScore",)


def test_confidence_is_one_minus_p():
    table = ic.metrics.compare_metrics(
        pd.DataFrame(np.random.default_rng(1).random((6, 3)))
    ).frame()
    assert len(table) == 3
    np.testing.assert_allclose(table["confidence"], 1 - table["p_value"])


def test_equal_metrics_do_not_differ():
    found = ic.metrics.compare_metrics(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]}))
    assert (found.statistic, found.p_value) == (0.0, 1.0)


def test_missing_values_are_refused_with_their_number():
    with pytest.raises(EvaluationError, match="1 missing"):
        ic.metrics.compare_metrics(pd.DataFrame({"a": [1.0, np.nan], "b": [0.0, 1.0]}))
