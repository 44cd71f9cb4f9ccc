"""Public names, each written once: the list that type checkers read is the list at run time.

A module that offers names of other modules imports them under `if TYPE_CHECKING:`, where type
checkers and editors see them, and `attach` gives it a `__getattr__` (PEP 562), which reads the same
list from the module's source and imports a name when it is first used. So importing itemcurve costs
milliseconds, whatever it can do.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any


def attach(module: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Give a module the `__getattr__` and the `__dir__` that serve the names it lists.

    Parameters
    ----------
    module : its `__name__`.
    """
    return partial(_load, module), partial(_offer, module)


@cache
def listed_names(module: str) -> dict[str, str]:
    """Give the names that a module lists under `if TYPE_CHECKING:`, with where each is defined.

    Examples
    --------
    >>> listed_names("itemcurve.priors")["Normal"]
    'itemcurve.models.priors'
    """
    import ast

    blocks = [
        part
        for part in ast.parse(_read_source(module)).body
        if isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING"
    ]
    imports = [part for block in blocks for part in block.body if isinstance(part, ast.ImportFrom)]
    return {name.name: str(part.module) for part in imports for name in part.names}


def _read_source(module: str) -> str:
    """Give the source of a module, also inside an archive, and as pytest loads it.

    pytest loads packages that bring a plugin by a loader of its own, which has no source to give.
    """
    loaded = import_module(module)
    loader: Any = loaded.__loader__
    if hasattr(loader, "get_source"):
        return str(loader.get_source(module))
    from pathlib import Path

    return Path(str(loaded.__file__)).read_text("utf-8")


def _load(module: str, name: str) -> object:
    """Import a name on first use and keep it."""
    if name == "__all__":
        return sorted(listed_names(module))
    if name.startswith("_") or name not in listed_names(module):
        from itemcurve.moved_names import say_where

        raise AttributeError(f"module {module!r} has no attribute {name!r}{say_where(name)}")
    source = listed_names(module)[name]
    is_submodule = source == module
    value = (
        import_module(f"{module}.{name}") if is_submodule else getattr(import_module(source), name)
    )
    setattr(import_module(module), name, value)
    return value


def _offer(module: str) -> list[str]:
    """List what a module has, for `dir` and completion."""
    special = [name for name in vars(import_module(module)) if name.startswith("__")]
    return sorted([*special, *listed_names(module)])
