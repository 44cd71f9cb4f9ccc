"""Memory of freed arrays kept by the process, for the next ones.

The C library of Linux gives memory at the end of its heap back to the system as soon as it is
free, and the system clears every page of it before it is used again. Formulas of many small steps
on arrays of some hundred kilobytes spend most of their time so. How much is kept rises with the
largest array that was ever freed, up to 32 MiB, whether or not it was written to.
"""

from functools import cache

import numpy as np

_LARGEST = 2**25 - 2**16


@cache
def keep_freed_memory() -> None:
    """Free one large array, once in a process: nothing where memory is managed otherwise."""
    np.empty(_LARGEST, dtype=np.uint8)
