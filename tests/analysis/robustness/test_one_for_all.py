"""One model for all tables."""

import pandas
import pytest

from itemcurve.analysis.robustness.one_for_all import compare_under_noise, say_one_for_all


def _verdicts(**accuracies):
    return pandas.DataFrame(
        {"respondent": list(accuracies), "accuracy_noisy": list(accuracies.values())}
    )


def test_the_best_on_average_and_the_one_that_never_falls_far_are_named():
    verdicts = {
        "first": _verdicts(bold=0.95, even=0.85, weak=0.5),
        "second": _verdicts(bold=0.60, even=0.68, weak=0.5),
    }
    table = compare_under_noise(verdicts)
    assert table["respondent"].tolist() == ["bold", "even", "weak"]
    assert table["accuracy_noisy"].tolist() == pytest.approx([0.775, 0.765, 0.5])
    assert table["shortfall"].tolist() == pytest.approx([0.08, 0.1, 0.45])
    told = say_one_for_all(verdicts)
    assert "One model for all 2 tables: bold is most accurate" in told
    assert "which is the smallest worst shortfall too" in told
    verdicts["first"] = _verdicts(bold=0.95, even=0.90, weak=0.5)
    verdicts["third"] = _verdicts(bold=0.99, even=0.95, weak=0.5)
    told = say_one_for_all(verdicts)
    assert "next even, 0.843, as good as equal" in told
    assert "at worst 0.080 below the best of a table (second)" in told
    assert "the smallest worst shortfall has even: 0.050 (first), on average 0.843" in told


def test_models_that_a_table_has_not_are_left_out():
    verdicts = {"a": _verdicts(x=0.9, y=0.8, z=0.99), "b": _verdicts(x=0.7, y=0.6)}
    assert compare_under_noise(verdicts)["respondent"].tolist() == ["x", "y"]
    # Runs of an earlier version do not tell accuracy under noise.
    assert say_one_for_all({"a": pandas.DataFrame({"respondent": ["x", "y"]})}) == ""
