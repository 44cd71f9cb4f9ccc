"""The numbers behind the pictures of the same subject; each has `.frame()` or is a table."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.adaptive.ability.ability_trace import adaptive_trace as adaptive_trace
    from itemcurve.adaptive.score.score_trace import score_trace as score_trace
    from itemcurve.analysis.curves.category_curves import category_curves as category_curves
    from itemcurve.analysis.curves.information_curves import (
        information_curves as information_curves,
    )
    from itemcurve.analysis.curves.item_curves import item_curves as item_curves
    from itemcurve.analysis.curves.wright_map import wright_map as wright_map
    from itemcurve.analysis.model_fit.grouped_residuals import (
        grouped_residuals as grouped_residuals,
    )
    from itemcurve.analysis.respondents.leading_respondents import (
        leading_respondents as leading_respondents,
    )
else:
    __getattr__, __dir__ = attach(__name__)
