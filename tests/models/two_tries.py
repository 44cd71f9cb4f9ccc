"""A model from outside the catalogue, as a user might write one: right never, once or twice.

y ~ Binomial(2, σ(aθ + e)), so that T = y, A = 2 log(1 + e^η) and h(y) = log C(2, y).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from itemcurve.errors import ResponsesError
from itemcurve.families.bernoulli import Bernoulli
from itemcurve.families.support import Support
from itemcurve.models.formulas.logistic import TWO_PARAMETER, Logistic


@dataclass(frozen=True)
class Twice(Bernoulli):
    """0, 1 or 2 of two tries."""

    name: str = "twice"

    @property
    def support(self):
        return Support(0.0, 2.0)

    def log_base(self, values):
        return np.where(np.asarray(values) == 1, np.log(2.0), 0.0)

    def check(self, values):
        if not np.isin(values, (0, 1, 2)).all():
            raise ResponsesError("Two tries are right 0, 1 or 2 times.")

    def log_partition(self, engine, eta):
        return 2 * super().log_partition(engine, eta)

    def mean_statistics(self, engine, eta):
        return (self.mean(engine, eta),)

    def covariance(self, engine, eta):
        return ((2 * super().covariance(engine, eta)[0][0],),)

    def mean(self, engine, eta):
        return 2 * super().mean(engine, eta)

    def sample(self, rng, eta):
        return rng.binomial(2, expit(eta[0]))


@dataclass(frozen=True)
class TwoTries(Logistic):
    """The 2PL of two tries, with an option of its own."""

    tries: int = 2

    @property
    def family(self):
        return Twice()


TWO_TRIES = TwoTries("two-tries", TWO_PARAMETER.parameters)
