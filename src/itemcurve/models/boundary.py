"""What becomes of continuous responses at the ends of their range, where there is no density."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, isinf
from typing import Literal

import numpy as np

from itemcurve.errors import ModelError, ResponsesError
from itemcurve.families.contract import Family
from itemcurve.numerics.engine import Array
from itemcurve.numerics.shapes import SameShape

BoundaryKind = Literal["censor", "clip", "none"]
_KINDS = ("censor", "clip", "none")


@dataclass(frozen=True)
class Boundary:
    """How responses within `width` of an end of their range are treated.

    Parameters
    ----------
    kind : `"censor"`: all that is known of such a response is that it lies there, so it
        contributes the probability of that; `"clip"`: it is moved to the bound and taken
        literally, as the papers do, which shrinks abilities; `"none"`: taken as it is, and
        refused at the very end.
    width : distance from the ends of the range.
    """

    kind: BoundaryKind = "censor"
    width: float = 1e-3

    def __post_init__(self) -> None:
        """Refuse what is no boundary."""
        if self.kind not in _KINDS or not 0 < self.width < 0.5:
            raise ModelError(
                "boundary must be 'censor', 'clip' or 'none', with a width between 0 and 0.5.",
                f"Got {self.kind!r} with width {self.width}.",
                "Use Boundary('censor', 1e-3) if unsure.",
            )

    def bounds(self, family: Family) -> tuple[float, float]:
        """Where the treatment begins, at either end of the family's support."""
        lower, upper = family.support
        if self.kind == "none" or not family.is_continuous:
            return lower, upper
        return lower + self.width, upper if isinf(upper) else upper - self.width

    def is_affected(self, family: Family, values: SameShape) -> SameShape:
        """Which responses are treated."""
        lower, upper = self.bounds(family)
        if self.kind == "none" or not family.is_continuous:
            return values != values
        return (values <= lower) | (values >= upper)

    def inside(
        self, family: Family, transform: Callable[[Array], Array]
    ) -> Callable[[Array], Array]:
        """The transform of responses inside the bounds: others are moved there, or count 0."""
        if not family.is_continuous or self.kind == "none":
            return transform
        lower, upper = self.bounds(family)
        is_censored = self.kind == "censor"

        def moved(values: SameShape) -> SameShape:
            found = transform(np.clip(values, lower, upper))
            return found * ((values > lower) & (values < upper)) if is_censored else found

        return moved

    def indicators(self, family: Family) -> list[Callable[[Array], Array]]:
        """Of the finite bounds: whether a response lies there."""
        lower, upper = self.bounds(family)
        found: list[Callable[[Array], Array]] = [lambda values: (values <= lower).astype(float)]
        if isfinite(upper):
            found.append(lambda values: (values >= upper).astype(float))
        return found

    def check(self, family: Family, values: SameShape) -> None:
        """Refuse responses without a density that nothing is done about."""
        if self.kind != "none" or not family.is_continuous:
            return
        lower, upper = family.support
        count = int(((values <= lower) | (values >= upper)).sum())
        if count:
            raise ResponsesError(
                "Continuous responses must lie strictly inside their range.",
                f"Found {count:,} at its end.",
                'Use boundary="censor", or the model 2pl for right and wrong.',
            )


UNTREATED = Boundary("none")
# The default by recovery: clipping shrinks abilities, censoring does not (docs/continuous.md).
CENSORED = Boundary("censor")
