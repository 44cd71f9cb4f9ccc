"""The two array engines: NumPy for everyone, JAX for compiled code and accelerators.

Numerical code takes an `Engine` and uses `engine.xp` and `engine.special`; it never asks which
engine it got. So there is one implementation of each formula.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

Array = NDArray[Any]
"""A NumPy array, or one of JAX, which has the same attributes; `numerics.shapes` names shapes."""
# SciPy is imported by those who need it; `|` takes no name in quotes.
Matrix = Union[Array, "csr_array[Any, tuple[int, int]]", "csc_array[Any]"]
"""Dense or sparse, as responses come."""


@dataclass(frozen=True)
class Engine:
    """Where arrays live and who computes on them."""

    name: str

    @property
    def xp(self) -> Any:
        """The array namespace: `numpy` or `jax.numpy`."""
        return _namespace(self.name)

    @property
    def special(self) -> Any:
        """The special functions: `scipy.special`, or those of JAX."""
        return _special(self.name)

    def compile(self, function: Callable[..., Any], static: tuple[str, ...] = ()) -> Any:
        """Give the function as this engine runs it fastest; `static` names non-array arguments."""
        return _compiled(self.name, function, static)

    def double_precision(self) -> AbstractContextManager[Any]:
        """Work in 64 bits inside this context, without changing any global setting."""
        if self.name == "numpy":
            return nullcontext()
        import jax

        context: AbstractContextManager[Any] = jax.enable_x64(True)
        return context

    def replace_where(
        self,
        mask: Array,
        values: tuple[Array, ...],
        function: Callable[..., tuple[Array, ...]],
        *arrays: Array,
    ) -> tuple[Array, ...]:
        """Give the values, but where the mask holds those of a costlier function of the arrays.

        All arrays have the shape of the mask. Compiled code has fixed shapes, so there the
        function is evaluated everywhere.
        """
        if self.name != "numpy":
            new = function(*arrays)
            return tuple(self.xp.where(mask, b, a) for a, b in zip(values, new, strict=True))
        if mask.any():
            for old, part in zip(values, function(*(a[mask] for a in arrays)), strict=True):
                old[mask] = part
        return values

    def mark(self, mask: Array, columns: Array) -> Array:
        """Give the mask with one entry set in each row; the old one may be changed."""
        if self.name != "numpy":
            placed: Any = mask
            return placed.at[self.xp.arange(len(columns)), columns].set(True)
        mask[np.arange(len(columns)), columns] = True
        return mask

    def repeat(
        self,
        count: int,
        step: Callable[[Any, Any], Any],
        state: Any,
        is_done: Callable[[Any], Any],
    ) -> Any:
        """Give the state after `count` steps; `step` takes the number of the step and the state.

        Where steps are taken one by one they end early when `is_done` of the state says that more
        change nothing. Compiled code keeps it a loop: unrolled, a long series takes minutes to
        compile.
        """
        if self.name == "numpy":
            for n in range(count):
                state = step(n, state)
                if n % 4 == 3 and is_done(state):
                    break
            return state
        import jax

        return jax.lax.fori_loop(0, count, step, state)

    def scatter_last(self, indices: Array, values: Array, size: int) -> Array:
        """Zeros with `values` at `indices` along a new last axis of this size."""
        shape = (*indices.shape[:-1], size)
        if self.name != "numpy":
            return self.xp.put_along_axis(self.xp.zeros(shape), indices, values, -1, inplace=False)
        found = np.zeros(shape)
        np.put_along_axis(found, indices, values, -1)
        return found

    def sum_at(self, places: Array, terms: Array, size: int, is_sorted: bool = False) -> Array:
        """Sum rows of `terms` by place: as many sums as `size` says (size × columns)."""
        shape = (size, terms.shape[1])
        if self.name != "numpy":
            placed: Any = self.xp.zeros(shape, terms.dtype).at[places]
            return placed.add(terms, indices_are_sorted=is_sorted)
        found = np.zeros(shape, terms.dtype)
        np.add.at(found, places, terms)
        return found

    def place(self, array: Array) -> Array:
        """Move an array to where this engine computes."""
        return self.xp.asarray(array)


def add_up(terms: Iterable[Array]) -> Array:
    """Sum of arrays, of which there is at least one."""
    return reduce(add, terms)


def as_dense(matrix: Matrix) -> Array:
    """Give a matrix as a plain array."""
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


@cache
def _namespace(name: str) -> Any:
    if name == "numpy":
        return np
    import jax.numpy

    return jax.numpy


@cache
def _special(name: str) -> Any:
    if name == "numpy":
        import scipy.special

        return scipy.special
    from itemcurve.numerics import jax_special

    return jax_special


@cache
def _compiled(name: str, function: Callable[..., Any], static: tuple[str, ...]) -> Any:
    # Cached by function, so that JAX compiles once per shape and process, not once per fit.
    if name == "numpy":
        return function
    import jax

    return jax.jit(function, static_argnames=static)


NUMPY = Engine("numpy")


def get_engine(name: str | Engine) -> Engine:
    """Give the engine of that name: `"numpy"` or `"jax"`."""
    if isinstance(name, Engine):
        return name
    if name == "numpy":
        return NUMPY
    if name != "jax":
        raise ModelError(
            "The engine must be 'numpy' or 'jax'.", f"Got {name!r}.", "Leave it out for NumPy."
        )
    try:
        import jax  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "engine='jax' needs the package jax.",
            "It is not installed.",
            "Run: pip install 'itemcurve[jax]'.",
        ) from error
    return Engine("jax")
