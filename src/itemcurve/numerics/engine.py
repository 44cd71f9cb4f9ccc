"""The two array engines: NumPy for everyone, JAX for compiled code and accelerators.

Numerical code takes an `Engine` and uses `engine.xp` and `engine.special`; it never asks which
engine it got. So there is one implementation of each formula.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from itemcurve.errors import MissingExtraError, ModelError

Array = Any
"""A NumPy or a JAX array; shapes are named in docstrings."""


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
        """The special functions: `scipy.special` or `jax.scipy.special`."""
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

    def scatter_last(self, indices: Array, values: Array, size: int) -> Array:
        """Zeros with `values` at `indices` along a new last axis of this size."""
        shape = (*indices.shape[:-1], size)
        if self.name != "numpy":
            return self.xp.put_along_axis(self.xp.zeros(shape), indices, values, -1, inplace=False)
        found = np.zeros(shape)
        np.put_along_axis(found, indices, values, -1)
        return found

    def place(self, array: Array) -> Array:
        """Move an array to where this engine computes."""
        return self.xp.asarray(array)


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
    import jax.scipy.special

    return jax.scipy.special


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
