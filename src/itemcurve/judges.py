"""Ratings by judges: reading them, what may differ between judges, and which can be trusted."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.analysis.judges.judge_report import judge_report as judge_report
    from itemcurve.datasets.simulated_ratings import simulate_ratings as simulate_ratings
    from itemcurve.estimation.raters.rater_fit import RaterFit as RaterFit
    from itemcurve.estimation.raters.saved_rater_fit import load_rater_fit as load_rater_fit
    from itemcurve.estimation.raters.settings import Raters as Raters
    from itemcurve.responses.ratings.rating_table import RatingColumns as RatingColumns
    from itemcurve.responses.ratings.rating_table import Ratings as Ratings
else:
    __getattr__, __dir__ = attach(__name__)
