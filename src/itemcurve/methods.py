"""Methods of estimation that few need, beside `Marginal`, `Joint`, `Variational` and `MCMC`."""

from typing import TYPE_CHECKING

from itemcurve.lazy_names import attach

if TYPE_CHECKING:
    from itemcurve.estimation.variational.stochastic.settings import Stochastic as Stochastic
else:
    __getattr__, __dir__ = attach(__name__)
