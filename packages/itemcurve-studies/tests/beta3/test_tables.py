"""Tables of the study."""

import numpy as np
import pytest

from itemcurve_studies.beta3.tables import SHORT, correlate, list_tables, rank_area

WAYS = ("published", "log-loss", "log-loss joint")


def test_losses_are_negated_before_ranks_are_correlated(raw):
    table = correlate(raw["respondents"], "mnist")
    row = table[(table["first"] == "accuracy") & (table["second"] == "brier")]
    assert row["mean"].tolist() == pytest.approx([1.0] * len(WAYS))


def test_tables_hold_nine_classifiers_and_every_figure(raw):
    tables = list_tables(raw)
    assert set(tables["table_2_metrics"]["respondent"]) == set(SHORT)
    assert {"figure_5_detection", "figure_8_abilities", "table_3_correlations"} < set(tables)


def test_the_area_under_the_curve_counts_pairs_in_order():
    marked = np.array([True, True, False, False])
    assert rank_area(np.array([4.0, 2.0, 3.0, 1.0]), marked) == 0.75
    assert np.isnan(rank_area(np.ones(2), np.zeros(2, dtype=bool)))
