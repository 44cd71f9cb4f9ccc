"""Agreement of raters, with and without severity."""

import numpy as np
import pandas as pd
import pytest

from itemcurve.analysis.judges.rater_agreement import measure_steadiness, tabulate_agreement
from itemcurve.judges import Ratings


def test_severity_lowers_kappa_and_not_its_correction():
    from sklearn.metrics import cohen_kappa_score

    random = np.random.default_rng(1)
    first = random.integers(1, 4, size=60)
    second = np.clip(first + random.integers(0, 2, size=60), 1, 5)
    base = pd.DataFrame({"respondent": np.arange(60) % 6, "item": np.arange(60) // 6})
    table = pd.concat([base.assign(rater="a", rating=first), base.assign(rater="b", rating=second)])
    row = tabulate_agreement(Ratings.from_frame(table)).iloc[0]
    expected = cohen_kappa_score(first, second, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert row["agreement"] == pytest.approx(expected)
    assert row["agreement_corrected"] == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert row["agreement_corrected"] > row["agreement"]
    assert row["difference"] == pytest.approx((first - second).mean())


def test_steadiness_is_the_share_of_equal_repeats():
    table = pd.DataFrame(
        {"respondent": 1, "item": [1, 1, 2, 2, 3], "rater": "a", "rating": [1, 1, 2, 3, 1]}
    )
    assert measure_steadiness(Ratings.from_frame(table, repeats=True)).tolist() == [0.5]
