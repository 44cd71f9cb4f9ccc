"""The same products as compiled code takes them: on a processor by rows, on an accelerator whole.

An accelerator multiplies a few columns while it reads the bytes and adds up in 64 bits, so that
nothing but the bytes goes through its memory. Many columns go to its matrix units, which multiply
16-bit floats and add up in 32 bits: every column is cut into limbs of eight bits with one unit per
column. Products of a limb with a byte and their sums over some ten thousand terms are whole numbers
below 2²⁴, which 32-bit floats hold exactly, so that the only error is that of the last limb
(Ozaki, Ogita, Oishi and Rump 2012).
"""

from typing import Any

import jax
import jax.numpy as jnp

from itemcurve.numerics.devices.narrow_products import rows_at_once

# Up to so many columns are multiplied while reading.
_FEW_COLUMNS = 4
# Six limbs carry 42 bits of a column's largest entry: what is left out is 1e-13 of it.
_LIMBS = 6
_LIMB_BITS = 7
_LARGEST_SUM = 2**24
# Sums that are exact are put together by as many products: too many make a long program.
_MOST_SUMS = 64


def product(matrix: Any, right: Any) -> Any:
    """Matrix @ right (rows × points)."""
    if jax.default_backend() == "cpu":
        return _by_rows(matrix, right)
    if right.shape[1] <= _FEW_COLUMNS:
        return jnp.stack([(matrix * column).sum(axis=1) for column in right.T], axis=1)
    return by_limbs(matrix, right, contracted=1)


def transposed_product(matrix: Any, right: Any) -> Any:
    """matrixᵀ @ right (columns × points)."""
    if jax.default_backend() == "cpu":
        return _added_by_rows(matrix, right)
    if right.shape[1] <= _FEW_COLUMNS:
        return jnp.stack([(matrix * own[:, None]).sum(axis=0) for own in right.T], axis=1)
    return by_limbs(matrix, right, contracted=0)


def _parts(matrix: Any, right: Any) -> tuple[int, int]:
    """Rows taken at one time, and how many of them whole parts cover."""
    size = rows_at_once(matrix, right.shape[1])
    return size, matrix.shape[0] // size * size


def _by_rows(matrix: Any, right: Any) -> Any:
    size, whole = _parts(matrix, right)

    def own(part: Any) -> Any:
        return part.astype(right.dtype) @ right

    found = jax.lax.map(own, matrix[:whole].reshape(-1, size, matrix.shape[1]))
    found = found.reshape(whole, right.shape[1])
    if whole == matrix.shape[0]:
        return found
    return jnp.concatenate([found, own(matrix[whole:])])


def _added_by_rows(matrix: Any, right: Any) -> Any:
    size, whole = _parts(matrix, right)
    across = right.T

    def add(total: Any, own: tuple[Any, Any]) -> tuple[Any, None]:
        part, weights = own
        return total + weights @ part.astype(right.dtype), None

    parts = matrix[:whole].reshape(-1, size, matrix.shape[1])
    weights = across[:, :whole].reshape(across.shape[0], -1, size).swapaxes(0, 1)
    # Of the type, and on the devices, that the sums will have.
    start = across[:, :1] * 0.0 + (matrix[:1] * 0).astype(right.dtype)
    total, _ = jax.lax.scan(add, start, (parts, weights))
    if whole < matrix.shape[0]:
        total, _ = add(total, (matrix[whole:], across[:, whole:]))
    return total.T


def by_limbs(matrix: Any, right: Any, contracted: int) -> Any:
    """Contract an axis of the matrix with the rows of `right`, by limbs of 16-bit floats."""
    limbs, unit = _limbs_of(right)
    largest = 1 if matrix.dtype == jnp.bool_ else 127
    terms = max(1, _LARGEST_SUM // (2**_LIMB_BITS * largest))
    length = matrix.shape[contracted]
    if length > _MOST_SUMS * terms:
        floats = matrix.astype(right.dtype)
        return (floats.T if contracted == 0 else floats) @ right
    total: Any = 0.0
    for start in range(0, length, terms):
        stop = min(start + terms, length)
        own = jax.lax.slice_in_dim(matrix, start, stop, axis=contracted)
        found = jax.lax.dot_general(
            own.astype(jnp.bfloat16),
            limbs[start:stop],
            (((contracted,), (0,)), ((), ())),
            preferred_element_type=jnp.float32,
        )
        total = total + found.astype(right.dtype)
    return _put_together(total, unit)


def _limbs_of(right: Any) -> tuple[Any, Any]:
    """Whole numbers of at most eight bits (rows × limbs · points), and the unit of each column."""
    peak = jnp.maximum(jnp.abs(right).max(axis=0), 1e-300)
    unit = 2.0 ** (jnp.ceil(jnp.log2(peak)) - _LIMB_BITS)
    rest, found = right / unit, []
    for _ in range(_LIMBS):
        whole = jnp.round(rest)
        found.append(whole)
        rest = (rest - whole) * 2.0**_LIMB_BITS
    return jnp.concatenate(found, axis=1).astype(jnp.bfloat16), unit


def _put_together(found: Any, unit: Any) -> Any:
    parts = found.reshape(found.shape[0], _LIMBS, -1)
    scales = 2.0 ** (-_LIMB_BITS * jnp.arange(_LIMBS, dtype=found.dtype))
    return (parts * scales[:, None]).sum(axis=1) * unit
