"""Pictures, one per file: `<thing>(result, *, ax=None)` draws on axes and gives them back.

Nothing is computed here: every picture shows a table that the result gives as `.frame()`.
"""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.plots.confusion.confusion_curves import confusion_curves as confusion_curves
    from itemcurve.plots.confusion.metric_tests import metric_tests as metric_tests
    from itemcurve.plots.dimensions.ability_paths import ability_paths as ability_paths
    from itemcurve.plots.dimensions.loadings import loadings as loadings
    from itemcurve.plots.items.category_curves import category_curves as category_curves
    from itemcurve.plots.items.data_map import data_map as data_map
    from itemcurve.plots.items.group_curves import group_curves as group_curves
    from itemcurve.plots.items.information import information as information
    from itemcurve.plots.items.item_curves import item_curves as item_curves
    from itemcurve.plots.items.item_fit import item_fit as item_fit
    from itemcurve.plots.items.item_map import item_map as item_map
    from itemcurve.plots.items.item_parameters import item_parameters as item_parameters
    from itemcurve.plots.items.linked_items import linked_items as linked_items
    from itemcurve.plots.items.local_dependence import local_dependence as local_dependence
    from itemcurve.plots.items.parameter_histograms import item_histograms as item_histograms
    from itemcurve.plots.items.parameter_histograms import parameters as parameters
    from itemcurve.plots.items.residuals import residuals as residuals
    from itemcurve.plots.items.wright_map import wright_map as wright_map
    from itemcurve.plots.respondents.abilities import abilities as abilities
    from itemcurve.plots.respondents.ability_metric import ability_metric as ability_metric
    from itemcurve.plots.respondents.adaptive_trace import adaptive_trace as adaptive_trace
    from itemcurve.plots.respondents.fair_ratings import fair_ratings as fair_ratings
    from itemcurve.plots.respondents.judges import judges as judges
    from itemcurve.plots.respondents.leaderboard import leaderboard as leaderboard
    from itemcurve.plots.respondents.score_trace import score_trace as score_trace
    from itemcurve.plots.respondents.strengths import strengths as strengths
    from itemcurve.plots.robustness.changed_predictions import (
        changed_predictions as changed_predictions,
    )
    from itemcurve.plots.robustness.class_makeup import bin_makeup as bin_makeup
    from itemcurve.plots.robustness.class_makeup import class_makeup as class_makeup
    from itemcurve.plots.robustness.difficulty_spread import difficulty_spread as difficulty_spread
    from itemcurve.plots.robustness.kappa_losses import kappa_losses as kappa_losses
    from itemcurve.plots.robustness.noise_sweep import noise_sweep as noise_sweep
    from itemcurve.plots.robustness.system_curves import system_curves as system_curves
    from itemcurve.plots.robustness.taxonomy import taxonomy as taxonomy
else:
    __getattr__, __dir__ = attach(__name__)
