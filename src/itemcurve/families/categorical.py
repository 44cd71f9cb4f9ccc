"""One of several categories: ratings, grades, chosen options."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from itemcurve.errors import ResponsesError
from itemcurve.families.contract import Tail
from itemcurve.families.support import Ranged, Support
from itemcurve.numerics.engine import NUMPY, Array, Engine, add_up
from itemcurve.numerics.shapes import SameShape, axes


def _is_code(code: float, values: SameShape) -> SameShape:
    return (values == code).astype(float)


@dataclass(frozen=True)
class Categorical(Ranged):
    """y ∈ codes; T_k = [y = code_k], k = 1 … K−1, A = log(1 + Σ exp η_k).

    η_k = log P_k/P_0. A category that an item does not have is one with η_k = −∞, written as a
    number low enough: its probability is then 0 to all digits.

    Attributes
    ----------
    codes : how the categories are written in the responses, from the lowest up.
    """

    codes: tuple[float, ...]
    name: str = "categorical"
    is_continuous: ClassVar[bool] = False
    is_quasi: ClassVar[bool] = False

    @property
    def support(self) -> Support:
        """From the lowest category to the highest."""
        return Support(float(self.codes[0]), float(self.codes[-1]))

    @property
    def statistics(self) -> Sequence[Callable[[Array], Array]]:
        """Whether a response is in each category but the lowest."""
        return tuple(partial(_is_code, code) for code in self.codes[1:])

    def log_base(self, values: SameShape) -> SameShape:
        """Zero."""
        return np.zeros(values.shape)

    def check(self, values: Array) -> None:
        """Refuse anything but the codes."""
        wrong = values[~np.isin(values, self.codes)]
        if wrong.size:
            known = ", ".join(f"{code:g}" for code in self.codes)
            raise ResponsesError(
                f"Responses must be one of the categories {known}.",
                f"Found {wrong.size:,} others, the first is {wrong[0]:g}.",
                "Write them as these, or fit the model anew: by its name, it takes the categories "
                "from the responses.",
            )

    def log_partition(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """A = log(1 + Σ exp η_k), about the largest of them."""
        xp = engine.xp
        top = xp.zeros_like(eta[0])
        for part in eta:
            top = xp.maximum(top, part)
        return top + xp.log(xp.exp(-top) + add_up(xp.exp(part - top) for part in eta))

    def mean_statistics(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[SameShape]:
        """E[T_k] = P_k."""
        total = self.log_partition(engine, eta)
        return [engine.xp.exp(part - total) for part in eta]

    def covariance(self, engine: Engine, eta: Sequence[SameShape]) -> Sequence[Sequence[SameShape]]:
        """Cov[T] = diag(P) − PPᵀ."""
        p = self.mean_statistics(engine, eta)
        size = range(len(p))
        return [[p[i] - p[i] * p[i] if i == j else -p[i] * p[j] for j in size] for i in size]

    def covariance_image(
        self, engine: Engine, eta: Sequence[SameShape], vector: Sequence[Array]
    ) -> Sequence[Array]:
        """P ∘ (v − P·v), with no matrix between."""
        pairs = list(zip(self.mean_statistics(engine, eta), vector, strict=True))
        typical = add_up(chance * part for chance, part in pairs)
        return [chance * (part - typical) for chance, part in pairs]

    def mean(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """E[y] = Σ code_k P_k."""
        return self.codes[0] + self._raised(engine, eta, 1)

    def variance(self, engine: Engine, eta: Sequence[SameShape]) -> SameShape:
        """Var[y], of codes counted from the lowest."""
        return self._raised(engine, eta, 2) - self._raised(engine, eta, 1) ** 2

    def cumulative(self, eta: Sequence[SameShape], values: Array) -> Array:
        """P(response ≤ values)."""
        parts = zip(self.codes, self.probabilities(eta), strict=True)
        return add_up(p * (np.asarray(values) >= code) for code, p in parts)

    def quantile(self, eta: Sequence[SameShape], share: float) -> SameShape:
        """The first category by which this share of responses is reached."""
        below = np.cumsum(self.probabilities(eta), axis=0)
        # Of probabilities that add up to a rounding less than one, the last is still the last.
        place = np.minimum((below < share - 1e-12).sum(axis=0), len(self.codes) - 1)
        return np.asarray(self.codes)[place]

    def tails(
        self, engine: Engine, eta: Sequence[SameShape], bounds: tuple[float, float], order: int
    ) -> Sequence[Tail]:
        """None: the ends are ordinary responses."""
        return ()

    def sample(self, rng: np.random.Generator, eta: Sequence[SameShape]) -> SameShape:
        """Draw categories, as integers where all codes are."""
        below = np.cumsum(self.probabilities(eta)[:-1], axis=0)
        place = (rng.random(np.shape(eta[0])) > below).sum(axis=0)
        codes = np.asarray(self.codes)
        small = (codes == codes.astype(np.int8)).all()
        return codes[place].astype(np.int8) if small else codes[place]

    def probabilities(
        self, eta: Sequence[SameShape]
    ) -> Annotated[Array, axes("categories *shape")]:
        """Of every category, the lowest first."""
        total = self.log_partition(NUMPY, eta)
        return np.exp(np.stack([-total, *(part - total for part in eta)]))

    def _raised(self, engine: Engine, eta: Sequence[SameShape], power: int) -> SameShape:
        """E[(y − lowest)^power]."""
        chances = self.mean_statistics(engine, eta)
        heights = [(code - self.codes[0]) ** power for code in self.codes[1:]]
        return add_up(h * p for h, p in zip(heights, chances, strict=True))
