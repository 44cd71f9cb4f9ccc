"""Groups of respondents: what may differ between them, and the fits that tell."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.analysis.groups.invariance import InvarianceLadder as InvarianceLadder
    from itemcurve.analysis.groups.invariance import invariance as invariance
    from itemcurve.analysis.groups.item_differences import ItemDifferences as ItemDifferences
    from itemcurve.estimation.groups.population_fit import PopulationFit as PopulationFit
    from itemcurve.estimation.groups.settings import Groups as Groups
else:
    __getattr__, __dir__ = attach(__name__)
