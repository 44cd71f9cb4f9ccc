"""Gamma and Beta functions where libraries lose digits or time.

ln Γ, ψ and ψ′ are Stirling's series at x + 8 (DLMF 5.11.1, 5.11.2, 5.15.8), brought back by the
recurrence Γ(x+1) = x Γ(x). Of its eight factors the first and the last, the second and the last but
one, … make x(x+7) + 0, 6, 10, 12, so that their product takes four multiplications. In plain
arithmetic, which processors do several numbers at a time, that is many times as fast as the
functions of libraries. For x > 0, exact to a few units in the last place of max(1, |result|).
"""

from functools import partial
from math import log, pi

from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import SameShape

_SHIFT = 8
_PAIRS = (0.0, 6.0, 10.0, 12.0)
# From here on Stirling's series with five corrections is exact to rounding.
_LARGE = 10.0


def log_gamma(engine: Engine, x: SameShape) -> SameShape:
    """Give ln Γ(x), x > 0; finite up to 1e38."""
    xp, far = engine.xp, x + _SHIFT
    outer = x * (x + 7.0)
    product = outer * (outer + 6.0) * (outer + 10.0) * (outer + 12.0)
    inverse = 1.0 / far
    square = inverse * inverse
    series = 1 / 1260 + square * (-1 / 1680 + square * (1 / 1188 - square * (691 / 360360)))
    correction = inverse * (1 / 12 + square * (-1 / 360 + square * series))
    return (far - 0.5) * xp.log(far) - far + (log(2 * pi) / 2 + correction) - xp.log(product)


def digamma(engine: Engine, x: SameShape) -> SameShape:
    """Give ψ(x), x > 0."""
    far, outer = x + _SHIFT, x * (x + 7.0)
    inverse = 1.0 / far
    square = inverse * inverse
    series = -1 / 252 + square * (1 / 240 + square * (-1 / 132 + square * (691 / 32760)))
    stirling = (
        engine.xp.log(far) - inverse / 2 - square * (1 / 12 - square * (1 / 120 + square * series))
    )
    # Σ 1/(x+k), in pairs; two of them at a time over one denominator.
    first, second, third = outer + 6.0, outer + 10.0, outer + 12.0
    sums = (outer + first) / (outer * first) + (second + third) / (second * third)
    return stirling - (2.0 * x + 7.0) * sums


def trigamma(engine: Engine, x: SameShape) -> SameShape:
    """Give ψ′(x), x > 0."""
    inverse = 1.0 / (x + _SHIFT)
    square = inverse * inverse
    series = -1 / 30 + square * (5 / 66 - square * (691 / 2730))
    total = 1 / 6 + square * (-1 / 30 + square * (1 / 42 + square * series))
    total = inverse + square * (0.5 + inverse * total)
    outer, rise = x * (x + 7.0), 2.0 * x + 7.0
    steep = rise * rise
    for pair in _PAIRS:
        # 1/(x+k)² + 1/(x+7−k)²
        factor = 1.0 / (outer + pair)
        total = total + factor * (steep * factor - 2.0)
    return total


def log_beta(engine: Engine, first: SameShape, second: SameShape) -> SameShape:
    """Give ln B(a, b).

    Libraries subtract ln Γ(a + b) from ln Γ(a), which at a = 1e8 leaves six digits. For a large
    argument their difference is taken inside Stirling's series, where nothing cancels:
    ln Γ(a+b) − ln Γ(a) = (a+b−½) ln(1+b/a) + b (ln a − 1) + c(a+b) − c(a).
    """
    xp = engine.xp
    big, small = xp.maximum(first, second), xp.minimum(first, second)
    near = xp.asarray(log_gamma(engine, big + small) - log_gamma(engine, big))
    # Few cells of a fit have an argument this large, and the series costs as much as the rest.
    growth = engine.replace_where(big >= _LARGE, (near,), partial(_growth, engine), big, small)[0]
    return log_gamma(engine, small) - growth


def _growth(engine: Engine, big: SameShape, small: SameShape) -> tuple[SameShape]:
    """Give ln Γ(a+b) − ln Γ(a) for a large a."""
    xp = engine.xp
    far = xp.maximum(big, _LARGE)
    growth = (far + small - 0.5) * xp.log1p(small / far) + small * (xp.log(far) - 1.0)
    return (growth + _correction(far + small) - _correction(far),)


def _correction(x: SameShape) -> SameShape:
    """Stirling's corrections to (x − ½) ln x − x + ½ ln 2π (DLMF 5.11.1)."""
    inverse = 1.0 / x
    square = inverse**2
    series = -1 / 360 + square * (1 / 1260 + square * (-1 / 1680 + square / 1188))
    return inverse * (1 / 12 + square * series)
