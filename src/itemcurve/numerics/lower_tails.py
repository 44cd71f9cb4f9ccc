"""Lower tails of Beta and Gamma distributions by their logarithm, differentiable in parameters.

Both tails are a power times a series of positive terms, so nothing cancels and nothing
underflows: the logarithm is right to rounding where the tail itself is 1e-100,000. Libraries
give the tail without its logarithm and without derivatives in the parameters.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from itemcurve.numerics.engine import Array, Engine
from itemcurve.numerics.gamma_functions import digamma, log_beta, log_gamma, trigamma
from itemcurve.numerics.large_gamma_tails import LEAST_SHAPE, LEAST_SHARE, log_large_gamma_tail
from itemcurve.numerics.shapes import SameShape

# How many terms it takes, by the first ratio of terms: where that is small, few. Where it is not,
# terms grow until x is used up and then fall like 1/n!; x is capped where the tail has long
# reached one (1 − 1e-13 for a shape below one).
_FEW_TERMS = 12
_MORE_TERMS = ((0.05, 36), (0.4, 100))
_MOST_X = 30.0
_NEGLIGIBLE = 1e-19


class LogTail(NamedTuple):
    """A log probability with its derivatives in two parameters (arrays of one shape).

    Attributes
    ----------
    value : the logarithm.
    slope : two first derivatives; empty when not asked for.
    curvature : second derivatives (first with first, first with second, second with second);
        empty when not asked for.
    """

    value: SameShape
    slope: tuple[SameShape, ...] = ()
    curvature: tuple[SameShape, ...] = ()


def log_beta_tail(
    engine: Engine, alpha: SameShape, beta: SameShape, x: float, order: int
) -> LogTail:
    """Give log I_x(α, β), the probability that a Beta variable lies below a small x.

    I_x = x^α (1−x)^β / (α B(α, β)) · Σ_n Π_{k<n} x (α+β+k)/(α+1+k)    (DLMF 8.17.8)

    Parameters
    ----------
    order : how many derivatives in α and β to give: 0, 1 or 2.
    """
    xp = engine.xp
    top = xp.minimum(beta, _MOST_X / x + 2 * alpha)
    log_x, log_rest = xp.log(xp.asarray(x)), xp.log1p(xp.asarray(-x))

    def series(a: SameShape, b: SameShape, terms: int = _FEW_TERMS) -> tuple[Array, ...]:
        def step(n: Array) -> _Ratio:
            inner, outer = 1.0 / (a + b + n), 1.0 / (a + 1.0 + n)
            return _Ratio(
                x * outer / inner,
                (inner - outer, inner) if order else (),
                (outer**2 - inner**2, -(inner**2), -(inner**2)) if order > 1 else (),
            )

        return _log_sum(engine, step, terms, a, order)

    ratio = xp.where(beta > top, 0.0, x * (alpha + top) / (alpha + 1.0))
    logs = series(alpha, top)
    for limit, terms in _MORE_TERMS:
        logs = engine.replace_where(ratio > limit, logs, partial(series, terms=terms), alpha, top)
    front = [alpha * log_x + top * log_rest - xp.log(alpha) - log_beta(engine, alpha, top)]
    if order:
        joint = digamma(engine, alpha + top)
        front += [
            log_x - 1.0 / alpha - digamma(engine, alpha) + joint,
            log_rest - digamma(engine, top) + joint,
        ]
    if order > 1:
        own, other, both = (trigamma(engine, v) for v in (alpha, top, alpha + top))
        front += [alpha**-2.0 - own + both, both, both - other]
    return _settled(engine, _added(tuple(front), logs), beta > top)


def log_gamma_tail(engine: Engine, alpha: SameShape, x: SameShape, order: int) -> LogTail:
    """Give log P(α, x), the probability that a Gamma variable of shape α and rate 1 lies below x.

    P = x^α e^{−x} / Γ(α+1) · Σ_n Π_{k<n} x/(α+1+k)    (DLMF 8.11.4)

    Parameters
    ----------
    order : how many derivatives in α and x to give: 0, 1 or 2.
    """
    xp = engine.xp
    top = xp.minimum(x, _MOST_X + 2 * alpha)

    def series(a: SameShape, b: SameShape, terms: int = _FEW_TERMS) -> tuple[Array, ...]:
        return _gamma_sum(engine, a, b, terms, order)

    ratio = xp.where(x > top, 0.0, top / (alpha + 1.0))
    sums = series(alpha, top)
    for limit, terms in _MORE_TERMS:
        sums = engine.replace_where(ratio > limit, sums, partial(series, terms=terms), alpha, top)
    total, *rest = sums
    log_x = xp.log(top)
    value = alpha * log_x - top - log_gamma(engine, alpha + 1.0) + xp.log(total)
    found: tuple[Array, ...] = (value,)
    if order:
        # The density over the probability: only derivatives in α need a series.
        own, hazard = rest[0] / total, alpha / (top * total)
        found += (log_x - digamma(engine, alpha + 1.0) - own, hazard)
    if order > 1:
        found += (
            rest[1] / total - own**2 - trigamma(engine, alpha + 1.0),
            hazard * (1.0 / alpha + own),
            hazard * ((alpha - 1.0) / top - 1.0 - hazard),
        )
    is_large = (alpha > LEAST_SHAPE) & (x > LEAST_SHARE * alpha)
    large = partial(log_large_gamma_tail, engine, order=order)
    return _settled(engine, engine.replace_where(is_large, found, large, alpha, x), x > top)


def _gamma_sum(
    engine: Engine, alpha: SameShape, x: SameShape, terms: int, order: int
) -> tuple[SameShape, ...]:
    """Σ t_n with t_n = Π x/(α+k), minus its derivative in α, and its second one."""
    one, zero = engine.xp.ones_like(alpha), engine.xp.zeros_like(alpha)

    def step(n: Array, state: tuple[Array, ...]) -> tuple[Array, ...]:
        term, total, *rest = state
        inverse = 1.0 / (alpha + (1.0 + n))
        term = term * (x * inverse)
        if not order:
            return term, total + term
        # Minus the logarithmic derivative of the term is Σ 1/(α+k).
        rate = rest[0] + inverse
        first = rest[1] + term * rate
        if order == 1:
            return term, total + term, rate, first
        squares = rest[2] + inverse * inverse
        return term, total + term, rate, first, squares, rest[3] + term * (rate * rate + squares)

    start = (one, one, *(zero,) * (2 * order))
    found = engine.repeat(terms, step, start, _has_ended)
    return found[1], *found[3::2]


def _has_ended(state: tuple[Array, ...]) -> np.bool_:
    return (state[0] < _NEGLIGIBLE * state[1]).all()


# Evaluated for every term of every series: shapes are named where series begin and end.
class _Ratio(NamedTuple):
    """A term of a series over the one before it, with logarithmic derivatives."""

    value: Array
    slopes: tuple[Array, ...]
    bends: tuple[Array, ...]


class _Sum(NamedTuple):
    """A sum of products of ratios on its way: the last term, the sum, and their derivatives."""

    term: Array
    total: Array
    slopes: tuple[Array, ...]
    first: tuple[Array, ...]
    bends: tuple[Array, ...]
    second: tuple[Array, ...]

    def plus(self, ratio: _Ratio) -> "_Sum":
        """Give the sum with the term that is `ratio` times the last one."""
        term = self.term * ratio.value
        slopes = _added(self.slopes, ratio.slopes)
        bends = _added(self.bends, ratio.bends)
        raised = _added(_squares(slopes), bends) if bends else ()
        return _Sum(
            term,
            self.total + term,
            slopes,
            _added(self.first, tuple(term * u for u in slopes)),
            bends,
            _added(self.second, tuple(term * w for w in raised)),
        )


def _log_sum(
    engine: Engine, ratio: Callable[[Array], _Ratio], terms: int, like: SameShape, order: int
) -> tuple[SameShape, ...]:
    """Logarithm of the sum of products of ratios, then its first and second derivatives."""
    one, zero = engine.xp.ones_like(like), engine.xp.zeros_like(like)
    pair, triple = (zero,) * (2 if order else 0), (zero,) * (3 if order > 1 else 0)
    empty = _Sum(one, one, pair, pair, triple, triple)
    found = engine.repeat(terms, lambda n, state: state.plus(ratio(n)), empty, _is_complete)
    slope = tuple(part / found.total for part in found.first)
    bend = tuple(
        part / found.total - square
        for part, square in zip(found.second, _squares(slope)[: len(triple)], strict=True)
    )
    return engine.xp.log(found.total), *slope, *bend


def _is_complete(found: _Sum) -> np.bool_:
    """Whether no further term can change a digit: once terms fall they fall ever faster."""
    return (found.term < _NEGLIGIBLE * found.total).all()


def _added(left: tuple[Array, ...], right: tuple[Array, ...]) -> tuple[Array, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _squares(pair: tuple[Array, ...]) -> tuple[Array, ...]:
    return (pair[0] ** 2, pair[0] * pair[1], pair[1] ** 2) if pair else ()


def _settled(engine: Engine, parts: tuple[SameShape, ...], is_one: SameShape) -> LogTail:
    """Logarithm and derivatives, all zero where the probability is one."""
    kept = [engine.xp.where(is_one, 0.0, part) for part in parts]
    # Rounding may lift a probability of one above it.
    return LogTail(engine.xp.minimum(kept[0], 0.0), tuple(kept[1:3]), tuple(kept[3:]))
