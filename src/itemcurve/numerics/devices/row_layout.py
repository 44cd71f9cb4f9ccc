"""Rows of data on one device or several, and how a function is applied to all of them.

Each device takes its own rows a block at a time, so that what a block needs for a moment stays
small. Results of blocks are put together on their device first; devices exchange results once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

Part = Any
"""Arrays with the rows first, in tuples or lists."""
AXIS = "rows"
# Cells per block: what stays in the cache of a processor, what fills an accelerator; and rows that
# are never cut. An accelerator copies every block, and adds up results as large as the items.
_BLOCK_CELLS, _MANY_CELLS = {"cpu": 2**22}, 2**28
_FEWEST_ROWS, _MANY_ROWS = {"cpu": 2**8}, 2**14


@dataclass(frozen=True)
class RowLayout:
    """How rows lie.

    Attributes
    ----------
    size : most rows of a block.
    mesh : the devices that share the first part of the rows; None for one device.
    """

    size: int
    mesh: Any = None

    def fold(
        self,
        function: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        parts: tuple[Part, ...],
        *arrays: Any,
    ) -> Any:
        """Apply a function of (rows, *arrays) to all blocks and merge what it gives."""

        def own(part: Part, *arrays: Any) -> Any:
            return _folded(self.size, function, merge, part, arrays)

        first, *rest = parts
        found = [own(part, *arrays) for part in rest]
        if self.mesh is None:
            return reduce(merge, [own(first, *arrays), *found])
        import jax

        def stacked(part: Part, *arrays: Any) -> Any:
            return jax.tree.map(lambda array: array[None], own(part, *arrays))

        of_devices = self._mapped(stacked, first, arrays)
        count = self.mesh.devices.size
        own_results = [jax.tree.map(lambda a, d=d: a[d], of_devices) for d in range(count)]
        return reduce(merge, own_results + found)

    def rows(self, function: Callable[..., Any], parts: tuple[Part, ...], *arrays: Any) -> Any:
        """Apply a function that gives something of every row, and give it of all rows."""
        import jax
        import jax.numpy as jnp

        def own(part: Part, *arrays: Any) -> Any:
            return _row_by_row(self.size, function, part, arrays)

        first, *rest = parts
        found = [own(part, *arrays) for part in rest]
        start = own(first, *arrays) if self.mesh is None else self._mapped(own, first, arrays)
        return jax.tree.map(lambda *all_rows: jnp.concatenate(all_rows), start, *found)

    def each(self, parts: tuple[Part, ...]) -> Iterator[Part]:
        """The blocks, in order."""
        import jax

        for part in parts:
            count = row_count(part)
            for start in range(0, count, self.size):
                stop = min(start + self.size, count)
                yield jax.tree.map(lambda a, i=start, j=stop: a[i:j], part)

    def _mapped(self, function: Callable[..., Any], part: Part, arrays: tuple[Any, ...]) -> Any:
        """Apply a function on every device to its own rows; results side by side."""
        import jax

        own, whole = _spec(AXIS), _spec()
        specs = (own, *(whole for _ in arrays))
        return jax.shard_map(
            function, mesh=self.mesh, in_specs=specs, out_specs=own, check_vma=False
        )(part, *arrays)


def lay_rows(mesh: Any, matrices: tuple[Any, ...]) -> tuple[RowLayout, tuple[Part, ...]]:
    """Place dense matrices of one shape (None for ones) and say how their rows lie.

    Rows that devices cannot share evenly are a second part that all of them have.
    """
    import jax

    rows, columns = next(m.shape for m in matrices if m is not None)
    backend = jax.default_backend()
    cells, fewest = _BLOCK_CELLS.get(backend, _MANY_CELLS), _FEWEST_ROWS.get(backend, _MANY_ROWS)
    layout = RowLayout(max(fewest, cells // max(columns, 1)), mesh)
    if mesh is None:
        return layout, (tuple(None if m is None else jax.numpy.asarray(m) for m in matrices),)
    shared = rows // mesh.devices.size * mesh.devices.size
    parts = [tuple(None if m is None else spread(mesh, m[:shared], AXIS) for m in matrices)]
    if shared < rows:
        parts.append(tuple(None if m is None else spread(mesh, m[shared:]) for m in matrices))
    return layout, tuple(parts)


def spread(mesh: Any, array: Any, *names: str) -> Any:
    """Place an array on all devices, cut along its axes of these names, else whole on each.

    Where devices belong to several processes, each places only what its own devices hold.
    """
    import jax

    sharding = jax.sharding.NamedSharding(mesh, _spec(*names))
    if jax.process_count() == 1:
        return jax.device_put(array, sharding)
    plain = array if isinstance(array, np.ndarray) else np.asarray(array)
    return jax.make_array_from_callback(plain.shape, sharding, lambda index: plain[index])


def _spec(*names: str) -> Any:
    import jax

    spec: Any = jax.sharding.PartitionSpec
    return spec(*names)


def whole_on_each(mesh: Any) -> Any:
    """The sharding of arrays that every device has whole."""
    import jax

    return jax.sharding.NamedSharding(mesh, _spec())


def row_count(part: Part) -> int:
    """How many rows the arrays of a part have."""
    import jax

    return int(jax.tree.leaves(part)[0].shape[0])


def _block(part: Part, start: Any, size: int) -> Part:
    import jax

    return jax.tree.map(lambda a: jax.lax.dynamic_slice_in_dim(a, start, size), part)


def _even_size(count: int, most: int) -> int:
    """Rows of a block, at most so many: without a rest if blocks half as long avoid it."""
    blocks = -(-count // most)
    for tried in range(blocks, 2 * blocks + 1):
        if count % tried == 0:
            return count // tried
    return -(-count // blocks)


def _folded(
    most: int,
    function: Callable[..., Any],
    merge: Callable[[Any, Any], Any],
    part: Part,
    arrays: tuple[Any, ...],
) -> Any:
    import jax

    count = row_count(part)
    size = _even_size(count, most)
    if size == count:
        return function(part, *arrays)
    shapes = jax.eval_shape(function, _block(part, 0, size), *arrays)
    start = jax.tree.map(lambda s: jax.numpy.zeros(s.shape, s.dtype), shapes)

    def add(number: Any, total: Any) -> Any:
        return merge(total, function(_block(part, number * size, size), *arrays))

    whole = count // size
    total = jax.lax.fori_loop(0, whole, add, start)
    if whole * size == count:
        return total
    return merge(total, function(_block(part, whole * size, count - whole * size), *arrays))


def _row_by_row(
    most: int, function: Callable[..., Any], part: Part, arrays: tuple[Any, ...]
) -> Any:
    import jax

    count = row_count(part)
    size = _even_size(count, most)
    if size == count:
        return function(part, *arrays)
    whole = count // size
    starts = size * jax.numpy.arange(whole)
    found = jax.lax.map(lambda start: function(_block(part, start, size), *arrays), starts)
    found = jax.tree.map(lambda a: a.reshape(whole * size, *a.shape[2:]), found)
    if whole * size == count:
        return found
    last = function(_block(part, whole * size, count - whole * size), *arrays)
    return jax.tree.map(lambda a, b: jax.numpy.concatenate([a, b]), found, last)
