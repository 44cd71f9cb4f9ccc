"""Tails of those responses that lie at a bound: of few, so that the others cost nothing."""

from collections.abc import Callable, Sequence
from itertools import chain

from itemcurve.families.contract import Tail
from itemcurve.numerics.engine import Array, Engine, add_up
from itemcurve.numerics.shapes import Curve, SameShape


def tails_where(
    engine: Engine,
    eta: Sequence[Curve],
    indicators: Sequence[Curve],
    order: int,
    tails: Callable[[Sequence[SameShape], int], Sequence[Tail]],
) -> Sequence[Tail]:
    """Tails with `order` derivatives where a response lies at a bound, zeros elsewhere.

    Parameters
    ----------
    indicators : where that is, for each bound.
    tails : of natural parameters, with as many derivatives.
    """
    if not indicators:
        return ()
    size = len(eta)
    width = 1 + size + (size * size if order > 1 else 0)
    mask = add_up(indicators) != 0
    zeros = tuple(engine.xp.zeros_like(eta[0]) for _ in range(len(indicators) * width))

    def compute(*parts: Array) -> tuple[Array, ...]:
        # A family may tell more than it was asked for.
        return tuple(
            a
            for tail in tails(parts, order)
            for a in (tail.log_probability, *tail.slope, *chain(*tail.curvature))[:width]
        )

    parts = engine.replace_where(mask, zeros, compute, *eta)
    return [_as_tail(parts[k : k + width], size) for k in range(0, len(parts), width)]


def _as_tail(parts: Sequence[Array], size: int) -> Tail:
    """A tail from its logarithm, slopes and, row by row, curvature."""
    rest = parts[1 + size :]
    rows = [rest[k : k + size] for k in range(0, len(rest), size)]
    return Tail(parts[0], parts[1 : 1 + size], rows)
