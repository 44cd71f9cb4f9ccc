"""Gamma and Beta functions where libraries lose digits or time."""

from functools import partial

from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import SameShape

# From here on Stirling's series with five corrections is exact to rounding.
_LARGE = 10.0


def log_beta(engine: Engine, first: SameShape, second: SameShape) -> SameShape:
    """Give ln B(a, b).

    Libraries subtract ln Γ(a + b) from ln Γ(a), which at a = 1e8 leaves six digits. For a large
    argument their difference is taken inside Stirling's series, where nothing cancels:
    ln Γ(a+b) − ln Γ(a) = (a+b−½) ln(1+b/a) + b (ln a − 1) + c(a+b) − c(a).
    """
    xp, gammaln = engine.xp, engine.special.gammaln
    big, small = xp.maximum(first, second), xp.minimum(first, second)
    near = xp.asarray(gammaln(big + small) - gammaln(big))
    # Few cells of a fit have an argument this large, and the series costs as much as the rest.
    growth = engine.replace_where(big >= _LARGE, (near,), partial(_growth, engine), big, small)[0]
    return gammaln(small) - growth


def _growth(engine: Engine, big: SameShape, small: SameShape) -> tuple[SameShape]:
    """Give ln Γ(a+b) − ln Γ(a) for a large a."""
    xp = engine.xp
    far = xp.maximum(big, _LARGE)
    growth = (far + small - 0.5) * xp.log1p(small / far) + small * (xp.log(far) - 1.0)
    return (growth + _correction(far + small) - _correction(far),)


def trigamma(engine: Engine, x: SameShape) -> SameShape:
    """Give ψ′(x), x > 0, in plain arithmetic: several times as fast as Hurwitz's ζ(2, x).

    ψ′(x) = Σ_{k<10} (x+k)⁻² + ψ′(x+10), the last by its asymptotic series (DLMF 5.15.8).
    """
    total = x**-2.0
    for k in range(1, 10):
        total = total + (x + k) ** -2.0
    inverse = 1.0 / (x + 10.0)
    square = inverse**2
    series = -1 / 30 + square * (1 / 42 + square * (-1 / 30 + square * (5 / 66 - square / 3.95)))
    return total + inverse * (1.0 + inverse / 2 + square * (1 / 6 + square * series))


def _correction(x: SameShape) -> SameShape:
    """Stirling's corrections to (x − ½) ln x − x + ½ ln 2π (DLMF 5.11.1)."""
    inverse = 1.0 / x
    square = inverse**2
    series = -1 / 360 + square * (1 / 1260 + square * (-1 / 1680 + square / 1188))
    return inverse * (1 / 12 + square * series)
