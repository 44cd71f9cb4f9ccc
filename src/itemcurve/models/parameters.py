"""What a model says about one of its item parameters."""

from dataclasses import dataclass

from itemcurve.models.priors import Prior
from itemcurve.models.transforms import Transform


@dataclass(frozen=True)
class ParameterSpec:
    """One item parameter: its name, range, prior, and the value at which it is held, if it is.

    Attributes
    ----------
    fixed : None when estimated; a number for all items, or a tuple with one number per item.
    start : a sensible value to begin from.
    limits : narrower bounds of the unbounded coordinate than the transform's own.
    needs_few_nodes : whether a dozen nodes over the population of items integrate it well.
    """

    name: str
    transform: Transform
    prior: Prior | None = None
    fixed: float | tuple[float, ...] | None = None
    start: float = 0.0
    limits: tuple[float, float] | None = None
    needs_few_nodes: bool = True

    @property
    def is_free(self) -> bool:
        """Whether the parameter is estimated."""
        return self.fixed is None

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the unbounded coordinate is kept."""
        return self.limits or self.transform.bounds
