"""Right or wrong: the Bernoulli family, and the binomial as its repetition."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.families.contract import Tail
from itemcurve.families.support import UNIT, Ranged, Support
from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import SameShape


def _response(values: Array) -> Array:
    return values


def _chance(engine: Engine, eta: SameShape) -> SameShape:
    """P = 1 / (1 + e^−η), by vectorised exp: right to the last digits in both tails."""
    xp = engine.xp
    share = xp.exp(-xp.abs(eta))
    return xp.where(eta < 0, share, 1.0) / (1.0 + share)


@dataclass(frozen=True)
class Bernoulli(Ranged):
    """y ∈ {0, 1}; T = y, η = logit p, A = log(1 + e^η).

    Repeated answers of one respondent to one item add up: k right of n is T = k with weight n.
    """

    name: str = "bernoulli"
    support: ClassVar[Support] = UNIT
    is_continuous: ClassVar[bool] = False
    is_quasi: ClassVar[bool] = False

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """T = y."""
        return (_response,)

    def log_base(self, values: SameShape) -> SameShape:
        """Zero."""
        return np.zeros(values.shape)

    def check(self, values: Array) -> None:
        """Refuse anything but 0 and 1."""
        # Of integers the extremes tell everything: a billion of them are checked in 0.1 s.
        if values.dtype.kind in "iub" and values.size and values.min() >= 0 and values.max() <= 1:
            return
        wrong = values[(values != 0) & (values != 1)]
        if wrong.size:
            raise ResponsesError(
                "Logistic models need responses that are 0 or 1.",
                f"Found {wrong.size:,} other values, the first is {float(wrong[0])!r}.",
                "Turn scores into right (1) and wrong (0), use the model grm for ratings and "
                "fractional-2pl for scores in between, or leave cells that were not answered "
                "empty (NaN).",
            )

    def log_partition(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """A = log(1 + e^η), by vectorised exp and log: four times as fast as `logaddexp`."""
        xp = engine.xp
        return xp.maximum(eta[0], 0.0) + xp.log(1.0 + xp.exp(-xp.abs(eta[0])))

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T] = p."""
        return (_chance(engine, eta[0]),)

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = p (1 − p) = s / (1 + s)², s = e^{−|η|}: vectorised, exact in the tails."""
        xp = engine.xp
        share = xp.exp(-xp.abs(eta[0]))
        return ((share / (1.0 + share) ** 2,),)

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y] = p."""
        return _chance(engine, eta[0])

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y] = p (1 − p)."""
        return self.covariance(engine, eta)[0][0]

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """1 − p below 1, then 1."""
        from scipy.special import expit

        below = np.where(values < 0, 0.0, expit(-eta[0]))
        return np.where(values >= 1, 1.0, below)

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """0 up to the share of wrong answers, then 1."""
        from scipy.special import expit

        return (share > expit(-eta[0])).astype(float)

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """None: the ends are ordinary responses."""
        return ()

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw 0 or 1."""
        from scipy.special import expit

        return (rng.random(np.shape(eta[0])) < expit(eta[0])).astype(np.int8)
