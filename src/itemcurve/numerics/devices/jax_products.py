"""The same products as compiled code takes them: on a processor by rows, on an accelerator whole.

An accelerator multiplies bytes by bytes in its matrix units, as fast as it reads them, and adds up
in whole numbers of 32 bits. So every column is cut into limbs of a few bits with one unit per
column: products of a limb with a byte and their sums are exact, and the only error is that of the
last limb (Ozaki, Ogita, Oishi and Rump 2012).
"""

from typing import Any

import jax
import jax.numpy as jnp

from itemcurve.numerics.devices.narrow_products import rows_at_once

# All limbs together carry so many bits of a column: what is left out is 1e-13 of its largest entry.
_BITS = 42
# Of one limb, sign included, where sums are short; longer sums leave less room for each term.
_LIMB_BITS = 7
_LARGEST_BYTE, _LARGEST_SUM = 127, 2**31 - 1
# Terms of one piece of a sum, and what pieces are multiples of, so that they begin at full words.
_MOST_TERMS, _FEWEST_TERMS, _ALIGNED = 2**14, 2**8, 2**4


def product(matrix: Any, right: Any) -> Any:
    """Matrix @ right (rows × points)."""
    if jax.default_backend() == "cpu":
        return _by_rows(matrix, right)
    return by_limbs(matrix, right, contracted=1)


def transposed_product(matrix: Any, right: Any) -> Any:
    """matrixᵀ @ right (columns × points)."""
    if jax.default_backend() == "cpu":
        return _added_by_rows(matrix, right)
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
    """Contract an axis of the matrix with the rows of `right`, by limbs of one byte each."""
    length = _piece(matrix.shape[contracted])
    bits = _limb_bits(length)
    if matrix.dtype not in (jnp.int8, jnp.bool_) or bits < 1:
        floats = matrix.astype(right.dtype)
        return (floats.T if contracted == 0 else floats) @ right
    limbs, unit = _limbs_of(right, bits)
    shape = list(matrix.shape)
    shape[contracted : contracted + 1] = [-1, length]
    found = jax.lax.dot_general(
        matrix.astype(jnp.int8).reshape(shape),
        limbs.reshape(-1, length, limbs.shape[1]),
        (((contracted + 1,), (1,)), ((contracted,), (0,))),
        preferred_element_type=jnp.int32,
    )
    return _put_together(found.astype(right.dtype).sum(axis=0), unit, bits)


def _piece(terms: int) -> int:
    """How many terms are added up at one time: without a rest, and aligned where that is possible.

    Rows are too few to keep all units busy by themselves, and long sums leave limbs little room.
    """
    most = min(terms, _MOST_TERMS)
    for step in (_ALIGNED, 1):
        for length in range(most // step * step, _FEWEST_TERMS, -step):
            if terms % length == 0:
                return length
    return terms


def _limb_bits(terms: int) -> int:
    """How large limbs may be, for sums of so many terms to stay whole numbers of 32 bits."""
    room = _LARGEST_SUM // (_LARGEST_BYTE * max(terms, 1))
    return min(_LIMB_BITS, room.bit_length())


def _limbs_of(right: Any, bits: int) -> tuple[Any, Any]:
    """Whole numbers within ±2^(bits - 1) (rows × limbs · points), and the unit of each column."""
    peak = jnp.maximum(jnp.abs(right).max(axis=0), 1e-300)
    unit = 2.0 ** (jnp.ceil(jnp.log2(peak)) - bits + 1)
    rest, found = right / unit, []
    for _ in range(-(-_BITS // bits)):
        whole = jnp.round(rest)
        found.append(whole)
        rest = (rest - whole) * 2.0**bits
    return jnp.concatenate(found, axis=1).astype(jnp.int8), unit


def _put_together(found: Any, unit: Any, bits: int) -> Any:
    parts = found.reshape(found.shape[0], -(-_BITS // bits), -1)
    scales = 2.0 ** (-bits * jnp.arange(parts.shape[1], dtype=found.dtype))
    return (parts * scales[:, None]).sum(axis=1) * unit
