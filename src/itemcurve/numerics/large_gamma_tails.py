"""Lower tail of a Gamma distribution of large shape, where series take too many terms.

P(α, x) = Φ(r + log(u/r)/r),  r = ±√(2(x − α − α log(x/α))),  u = (x − α)/√α

Barndorff-Nielsen's form of the saddlepoint approximation (1986): log P is right to 7e-5 from
shape 50 on, ever better above, and as good deep in the tail as in the middle.
"""

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.shapes import SameShape

LEAST_SHAPE = 50.0
# Below this share of the shape, the series converges fast whatever the shape.
LEAST_SHARE = 0.5
# Derivatives are differences over this many standard deviations.
_STEP = 1e-3
_NEAR, _CLOSE = 1e-2, 1e-4


def log_large_gamma_tail(
    engine: Engine, alpha: SameShape, x: SameShape, order: int
) -> tuple[SameShape, ...]:
    """Give log P, then its derivatives in α and x, then those of second order (αα, αx, xx).

    Meant for α ≥ 50 and x ≥ α/2; below, arguments are moved there.
    """
    xp = engine.xp
    alpha = xp.maximum(alpha, LEAST_SHAPE)
    x = xp.maximum(x, LEAST_SHARE * alpha)
    step = _STEP * xp.sqrt(alpha)

    def value(along_alpha: int, along_x: int) -> Array:
        return _log_tail(engine, alpha + along_alpha * step, x + along_x * step)

    centre = value(0, 0)
    if order == 0:
        return (centre,)
    up, down, right, left = value(1, 0), value(-1, 0), value(0, 1), value(0, -1)
    slopes = (up - down) / (2 * step), (right - left) / (2 * step)
    if order == 1:
        return centre, *slopes
    mixed = value(1, 1) - value(1, -1) - value(-1, 1) + value(-1, -1)
    return (
        centre,
        *slopes,
        (up - 2 * centre + down) / step**2,
        mixed / (4 * step**2),
        (right - 2 * centre + left) / step**2,
    )


def _log_tail(engine: Engine, alpha: SameShape, x: SameShape) -> SameShape:
    xp = engine.xp
    gap = (x - alpha) / alpha
    # (μ − log(1 + μ))/μ², and near 0 its series.
    is_near = xp.abs(gap) < _NEAR
    safe = xp.where(is_near, 1.0, gap)
    series = 1 / 2 - gap * (1 / 3 - gap * (1 / 4 - gap * (1 / 5 - gap * (1 / 6 - gap / 7))))
    root = xp.sqrt(2 * xp.where(is_near, series, (safe - xp.log1p(safe)) / safe**2))
    is_close = xp.abs(gap) < _CLOSE
    safe = xp.where(is_close, 1.0, gap)
    correction = xp.where(is_close, 1 / 3 - gap / 36, -xp.log(root) / (safe * root))
    return engine.special.log_ndtr(gap * root * xp.sqrt(alpha) + correction / xp.sqrt(alpha))
