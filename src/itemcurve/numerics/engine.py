"""The two array engines: NumPy for everyone, JAX for compiled code and accelerators.

Numerical code takes an `Engine` and uses `engine.xp` and `engine.special`; it never asks which
engine it got. So there is one implementation of each formula.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from itemcurve.errors import MissingExtraError, ModelError

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

Tree = TypeVar("Tree")
Array = NDArray[Any]
"""A NumPy array, or one of JAX, which has the same attributes; `numerics.shapes` names shapes."""
# SciPy is imported by those who need it; `|` takes no name in quotes.
Matrix = Union[Array, "csr_array[Any, tuple[int, int]]", "csc_array[Any]"]
"""Dense or sparse, as responses come."""

# Fewer cells than these one device has done before several have been told.
_WORTH_SHARING = 2**24


@dataclass(frozen=True)
class Engine:
    """Where arrays live and who computes on them.

    Attributes
    ----------
    mesh : the devices that share the work, as `jax.sharding.Mesh`; None for one.
    """

    name: str
    mesh: Any = None

    @property
    def compiles(self) -> bool:
        """Whether functions become programs of fixed shapes, which run apart from Python."""
        return self.name != "numpy"

    def shared(self, cells: int) -> "Engine":
        """The same engine on all its devices, if there are several and the data are many.

        Devices of other processes count: each process then runs the same fit.
        """
        if not self.compiles or self.mesh is not None:
            return self
        import jax

        devices = jax.devices()
        if len(devices) == 1 or (cells < _WORTH_SHARING and jax.process_count() == 1):
            return self
        from itemcurve.numerics.devices.row_layout import AXIS

        return replace(self, mesh=jax.sharding.Mesh(np.array(devices), (AXIS,)))

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
        return _compiled(self, function, static)

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

    def with_columns(self, matrix: Array, columns: Mapping[int, Array]) -> Array:
        """The matrix with other columns at these places, as 64-bit floats."""
        if self.name != "numpy":
            kept = [columns.get(place, matrix[:, place]) for place in range(matrix.shape[1])]
            return self.xp.stack(kept, axis=1)
        found = np.array(matrix, dtype=float)
        for place, column in columns.items():
            found[:, place] = column
        return found

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

    def take_turns(
        self, turn: Callable[[Any, Any], Any], state: Any, goes_on: Callable[[Any], Any], most: int
    ) -> Any:
        """Give the state after turns of (number, state), as long as `goes_on` says of the state."""
        if self.name == "numpy":
            for number in range(most):
                if not goes_on(state):
                    break
                state = turn(number, state)
            return state
        import jax

        return jax.lax.while_loop(
            lambda both: (both[0] < most) & goes_on(both[1]),
            lambda both: (both[0] + 1, turn(*both)),
            (0, state),
        )[1]

    def settle(
        self,
        turn: Callable[[Any], Any],
        state: Any,
        is_settled: Callable[[Any, Any], Any],
        most: int,
        compiled: int,
    ) -> Any:
        """Take cheap turns until one changes nothing; compiled code takes a few without looking.

        Parameters
        ----------
        is_settled : of the states before and after a turn.
        most, compiled : how many turns one by one, and in compiled code.
        """
        for _ in range(most if self.name == "numpy" else compiled):
            before, state = state, turn(state)
            if self.name == "numpy" and is_settled(before, state):
                break
        return state

    def call(self, function: Callable[..., Array], like: Array, *arrays: Any) -> Array:
        """Give a function of arrays, also of one that knows NumPy alone, inside compiled code.

        Parameters
        ----------
        like : an array of 64-bit floats of the shape that the function gives.
        """
        if self.name == "numpy":
            return function(*arrays)
        import jax

        try:
            return function(*arrays)
        except jax.errors.TracerArrayConversionError:
            from itemcurve.numerics.devices.foreign_calls import call_numpy

            found: Array = call_numpy(function, like.shape, *arrays)
            return found

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

    def by_rows(
        self, function: Callable[[slice], tuple[Array, ...]], rows: int, size: int
    ) -> tuple[Array, ...]:
        """Give arrays with the rows first, by a function of some rows.

        Some rows at a time stay in the cache of a processor; compiled code takes all at once.
        """
        if self.compiles or rows <= size:
            return function(slice(None))
        found = [function(slice(start, start + size)) for start in range(0, rows, size)]
        return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))

    def inner(self, left: Array, right: Array) -> Array:
        """Σ left · right over the last axis."""
        if self.name == "numpy":
            return np.vecdot(left, right)
        # Compiled code adds up while it computes the factors; a batch of dot products would not.
        return (left * right).sum(axis=-1)

    def product(self, matrix: Matrix, right: Array) -> Array:
        """Matrix @ right in 64 bits, also of a matrix of small integers (rows × points)."""
        if not _is_narrow(matrix):
            return matrix @ right
        return _products(self.name)[0](matrix, right)

    def transposed_product(self, matrix: Matrix, right: Array) -> Array:
        """matrixᵀ @ right in 64 bits, also of a matrix of small integers (columns × points)."""
        if not _is_narrow(matrix):
            return matrix.T @ right
        return _products(self.name)[1](matrix, right)

    def place(self, array: Array) -> Array:
        """Move an array to where this engine computes: whole to each of several devices."""
        if self.mesh is None:
            return self.xp.asarray(array)
        from itemcurve.numerics.devices.row_layout import spread

        placed: Array = spread(self.mesh, array)
        return placed

    def place_matrix(self, matrix: Array) -> Array:
        """Move a large matrix to where this engine computes, on one device."""
        if not self.compiles:
            return matrix
        from itemcurve.numerics.devices.quick_transfer import move_matrix

        placed: Array = move_matrix(matrix)
        return placed

    def place_all(self, arrays: Tree) -> Tree:
        """Move arrays, in tuples that may be named, together: each by itself takes as long."""
        if self.mesh is not None or not self.compiles:
            found: Tree = _mapped(self.place, arrays)
            return found
        import jax

        placed: Tree = jax.device_put(arrays)
        return placed


def add_up(terms: Iterable[Array]) -> Array:
    """Sum of arrays, of which there is at least one."""
    return reduce(add, terms)


def _mapped(function: Callable[[Array], Array], arrays: Any) -> Any:
    """A function of all arrays in tuples within tuples; None stays."""
    if not isinstance(arrays, tuple):
        return None if arrays is None else function(arrays)
    found = [_mapped(function, own) for own in arrays]
    return type(arrays)(*found) if hasattr(arrays, "_fields") else tuple(found)


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


def _is_narrow(matrix: Matrix) -> bool:
    """Whether a dense matrix holds integers or truth values."""
    return not hasattr(matrix, "tocsr") and matrix.dtype.kind in "iub"


@cache
def _products(name: str) -> tuple[Callable[..., Array], Callable[..., Array]]:
    if name == "numpy":
        from itemcurve.numerics.devices import narrow_products

        return narrow_products.product, narrow_products.transposed_product
    from itemcurve.numerics.devices import jax_products

    return jax_products.product, jax_products.transposed_product


@cache
def _compiled(engine: Engine, function: Callable[..., Any], static: tuple[str, ...]) -> Any:
    # Cached by function, so that JAX compiles once per shape and process, not once per fit.
    if not engine.compiles:
        return function
    import jax

    if engine.mesh is None:
        return jax.jit(function, static_argnames=static)
    from itemcurve.numerics.devices.row_layout import whole_on_each

    # Whole on each device, so that every process can read what comes out.
    whole = whole_on_each(engine.mesh)
    return jax.jit(function, static_argnames=static, out_shardings=whole)


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
    from itemcurve.numerics.devices.kept_programs import keep_if_asked

    keep_if_asked()
    return Engine("jax")
