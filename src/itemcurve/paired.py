"""Respondents compared on the same items: many at once, ranks, power, tests and sequences."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.analysis.comparison.baseline_comparisons import (
        compare_to_baseline as compare_to_baseline,
    )
    from itemcurve.analysis.comparison.comparison_power import (
        detectable_difference as detectable_difference,
    )
    from itemcurve.analysis.comparison.comparison_power import items_needed as items_needed
    from itemcurve.analysis.comparison.comparison_power import power as power
    from itemcurve.analysis.comparison.mcnemar_test import mcnemar as mcnemar
    from itemcurve.analysis.comparison.score_board import score_board as score_board
    from itemcurve.analysis.comparison.score_statistic import score_interval as score_interval
else:
    __getattr__, __dir__ = attach(__name__)
