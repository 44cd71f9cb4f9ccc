"""Large matrices on their way to a device: a few threads fill a way that one leaves half empty."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

# Fewer bytes are there sooner in one piece.
_MANY_BYTES = 2**26
_THREADS, _PARTS = 4, 32


def move_matrix(values: NDArray[Any]) -> Any:
    """A matrix where JAX computes; a large one goes there some rows at a time."""
    if values.nbytes < _MANY_BYTES or jax.default_backend() == "cpu":
        return jnp.asarray(values)
    size = -(-len(values) // _PARTS)
    starts = range(0, len(values), size)
    # Filled in place: two copies might not fit.
    fill = jax.jit(jax.lax.dynamic_update_slice_in_dim, static_argnums=3, donate_argnums=0)
    whole = jnp.zeros(values.shape, values.dtype)
    with ThreadPoolExecutor(_THREADS) as movers:
        parts = movers.map(lambda start: jax.device_put(values[start : start + size]), starts)
        for start, part in zip(starts, parts, strict=True):
            whole = fill(whole, part, np.int32(start), 0)
    return whole
