"""Logarithms of Beta functions that keep their digits when one argument is huge."""

from itemcurve.numerics.engine import Array, Engine

# From here on Stirling's series with five corrections is exact to rounding.
_LARGE = 10.0


def log_beta(engine: Engine, first: Array, second: Array) -> Array:
    """Give ln B(a, b).

    Libraries subtract ln Γ(a + b) from ln Γ(a), which at a = 1e8 leaves six digits. For a large
    argument their difference is taken inside Stirling's series, where nothing cancels:
    ln Γ(a+b) − ln Γ(a) = (a+b−½) ln(1+b/a) + b (ln a − 1) + c(a+b) − c(a).
    """
    xp, gammaln = engine.xp, engine.special.gammaln
    big, small = xp.maximum(first, second), xp.minimum(first, second)
    total = big + small
    far = xp.maximum(big, _LARGE)
    growth = (far + small - 0.5) * xp.log1p(small / far) + small * (xp.log(far) - 1.0)
    growth = growth + _correction(far + small) - _correction(far)
    near = gammaln(total) - gammaln(big)
    return gammaln(small) - xp.where(big >= _LARGE, growth, near)


def _correction(x: Array) -> Array:
    """Stirling's corrections to (x − ½) ln x − x + ½ ln 2π (DLMF 5.11.1)."""
    inverse = 1.0 / x
    square = inverse**2
    series = -1 / 360 + square * (1 / 1260 + square * (-1 / 1680 + square / 1188))
    return inverse * (1 / 12 + square * series)
