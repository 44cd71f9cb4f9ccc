"""What is wrong with a log, and the limits that keep a hostile one from doing harm."""

import struct
import zipfile
import zlib

from itemcurve.errors import ItemcurveError

# A whole JSON document must fit into memory several times over; a file of lines need not.
LARGEST_DOCUMENT = 2**30
LARGEST_LINE = 2**26
LARGEST_FILE = 16 * 2**30
# Of one archive, all entries that are read together.
LARGEST_UNPACKED = 2**30
MOST_ENTRIES = 1_000_000
# Enough to recognise a file; also the most that is read of a companion such as `params/model`.
HEAD = 2**16
# Beyond this a score is a slip or an attack: no harness reports such numbers.
LARGEST_VALUE = 1e15
LONGEST_NAME = 1_000


class DamagedLogError(Exception):
    """A log, or one sample of it, cannot be read; the message says why, for people."""


class UnnamedColumnsError(DamagedLogError):
    """A table is sound, but which of its columns hold item and score must be said."""


class ForeignFileError(Exception):
    """A file is no log of a known harness; the message says why, for people."""


# What reading the bytes of a stranger may raise beside DamagedLogError. Too little memory is not
# among it: it says something of the machine, and a file left out for it would be missed by nobody.
READ_FAILURES = (
    OSError,
    EOFError,
    ValueError,
    OverflowError,
    RecursionError,
    zlib.error,
    zipfile.BadZipFile,
    struct.error,
    NotImplementedError,
)


def explain(error: BaseException) -> str:
    """Say in a few words why reading failed."""
    if isinstance(error, DamagedLogError | ForeignFileError | ItemcurveError):
        return str(error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, OSError):
        return f"cannot be opened: {error.strerror or error}"
    return f"cannot be read: {str(error)[:200] or type(error).__name__}"
