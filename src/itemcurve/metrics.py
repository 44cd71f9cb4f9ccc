"""Metrics of classifiers beside ability: scores by item, filtered, compared, by data set."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.analysis.confusion.item_scores import item_scores as item_scores
    from itemcurve.analysis.metrics.filtered_metrics import filter_metrics as filter_metrics
    from itemcurve.analysis.metrics.kappa import cohen_kappa as cohen_kappa
    from itemcurve.analysis.metrics.rank_tests import compare_metrics as compare_metrics
    from itemcurve.analysis.predictions import Forecasts as Forecasts
    from itemcurve.analysis.predictions import Predictions as Predictions
    from itemcurve.evaluation.tables.measured_tables import measure_datasets as measure_datasets
else:
    __getattr__, __dir__ = attach(__name__)
