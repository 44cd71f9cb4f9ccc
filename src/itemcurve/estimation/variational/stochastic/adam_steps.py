"""Adam (Kingma and Ba 2014): steps of one length in every coordinate, whatever its unit."""

from typing import Annotated, Any, NamedTuple

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import axes

Flat = Annotated[Array, axes("coordinates")]

_MEAN_DECAY, _SQUARE_DECAY = 0.9, 0.999
# Keeps a step finite where the gradient is nothing.
_LEAST_SPREAD = 1e-8


class Moments(NamedTuple):
    """Coordinates, and running means of the gradient there and of its square."""

    place: Flat
    mean: Flat
    square: Flat


def climb(
    engine: Engine, moments: Moments, gradient: Flat, moves: Flat, count: Any, rate: Any
) -> Moments:
    """Take a step uphill, of about `rate` in every coordinate that moves.

    Parameters
    ----------
    moves : which coordinates do; the others keep their place and what is remembered of them.
    count : steps of these coordinates, this one included.
    """
    xp = engine.xp
    mean = _MEAN_DECAY * moments.mean + (1 - _MEAN_DECAY) * gradient
    square = _SQUARE_DECAY * moments.square + (1 - _SQUARE_DECAY) * gradient**2
    # Both start at zero; what they lack for it is made up for.
    length = rate * (1 - _SQUARE_DECAY**count) ** 0.5 / (1 - _MEAN_DECAY**count)
    place = moments.place + length * mean / (xp.sqrt(square) + _LEAST_SPREAD)
    found = Moments(place, mean, square)
    return Moments(*(xp.where(moves, new, old) for new, old in zip(found, moments, strict=True)))
