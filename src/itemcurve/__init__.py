"""itemcurve: measure AI systems the way good exams measure people."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from itemcurve.responses.matrix import Responses

# Public name -> module that defines it. Loaded on first use (PEP 562), so that importing
# itemcurve costs milliseconds whatever it can do.
_EXPORTS = {
    "Responses": "itemcurve.responses.matrix",
}

__version__ = "0.1.0"
__all__ = ["Responses", "__version__"]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _EXPORTS:
        raise AttributeError(f"module 'itemcurve' has no attribute {name!r}")
    value = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
