"""Scores from 0 to 1 under log-loss: the Bernoulli likelihood as a quasi-likelihood."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from itemcurve.families.bernoulli import Bernoulli
from itemcurve.families.unit_interval import check_unit_interval
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import SameShape

_TRIES = 10


@dataclass(frozen=True)
class Fractional(Bernoulli):
    """y ∈ [0, 1], the ends included; T, η and A are those of the Bernoulli family.

    log f = y log p + (1−y) log(1−p) is minus the log-loss of the expected response p. It is
    highest at the right p whatever the distribution around it (Papke and Wooldridge 1996), but
    its curvature is not the inverse of a variance: standard errors are those of the sandwich.
    """

    name: str = "fractional"
    is_quasi: ClassVar[bool] = True

    def check(self, values: Array) -> None:
        """Refuse anything outside [0, 1]."""
        check_unit_interval(values)

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw the share of right answers in ten tries: one of the distributions with mean p."""
        from scipy.special import expit

        return rng.binomial(_TRIES, expit(eta[0])) / _TRIES
