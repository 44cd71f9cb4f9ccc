"""Special functions for JAX: its own, but ln Γ and ψ in plain arithmetic, several times as fast.

Both are Stirling's series at x + 10 (DLMF 5.11.1, 5.11.2), brought back by the recurrence
Γ(x+1) = x Γ(x), of which the product and its derivative are taken together: two logarithms and
few divisions. For x > 0, exact to a few units in the last place of max(1, |result|).
"""

from math import log, pi

import jax.numpy as jnp
from jax import Array
from jax.scipy.special import expit, log_ndtr, logit

__all__ = ["digamma", "expit", "gammaln", "log_ndtr", "logit"]

_SHIFT = 10


def gammaln(x: Array) -> Array:
    """Ln Γ(x), x > 0."""
    far = x + _SHIFT
    inverse = 1.0 / far
    square = inverse * inverse
    series = -1 / 360 + square * (1 / 1260 + square * (-1 / 1680 + square / 1188))
    stirling = (far - 0.5) * jnp.log(far) - far + log(2 * pi) / 2
    return stirling + inverse * (1 / 12 + square * series) - jnp.log(_rising(x)[0])


def digamma(x: Array) -> Array:
    """ψ(x), x > 0."""
    far = x + _SHIFT
    inverse = 1.0 / far
    square = inverse * inverse
    series = 1 / 120 + square * (-1 / 252 + square * (1 / 240 - square / 132))
    product, slope = _rising(x)
    return jnp.log(far) - inverse / 2 + square * (-1 / 12 + square * series) - slope / product


def _rising(x: Array) -> tuple[Array, Array]:
    """X (x+1) … (x+9) and its derivative; finite up to x = 1e30."""
    product, slope = x, jnp.ones_like(x)
    for k in range(1, _SHIFT):
        slope = slope * (x + k) + product
        product = product * (x + k)
    return product, slope
