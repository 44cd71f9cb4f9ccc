"""Prior distributions of item parameters, in the metric in which people state them."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.models.priors import Beta as Beta
    from itemcurve.models.priors import LogitBeta as LogitBeta
    from itemcurve.models.priors import LogitNormal as LogitNormal
    from itemcurve.models.priors import LogNormal as LogNormal
    from itemcurve.models.priors import Normal as Normal
else:
    __getattr__, __dir__ = attach(__name__)
