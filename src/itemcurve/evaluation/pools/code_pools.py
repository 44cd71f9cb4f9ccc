"""Pools from one's own code: `models.py:pool` or `package.module:pool`."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from itemcurve.errors import EvaluationError
from itemcurve.evaluation.pools.pool import Pool, as_pool


def is_code(name: str) -> bool:
    """Whether a name of a pool is a place in code."""
    place, _, what = name.rpartition(":")
    return bool(place) and what.isidentifier()


def load_pool(name: str) -> Pool:
    """Import a pool: estimators, a dict or list of them, or a function without arguments.

    Parameters
    ----------
    name : `file.py:object` or `module:object`. The code there is run.
    """
    place, _, what = name.rpartition(":")
    module = _load_file(Path(place)) if place.endswith(".py") else _load_module(place)
    if not hasattr(module, what):
        known = [one for one in vars(module) if not one.startswith("_")]
        raise EvaluationError(
            "Estimators must be in the code that is named;",
            f"{place!r} has no {what!r}.",
            f"It has: {', '.join(known[:12])}.",
        )
    found: Any = getattr(module, what)
    is_maker = callable(found) and not hasattr(found, "predict")
    return as_pool(found() if is_maker else found)


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise EvaluationError(
            "Estimators must be in the code that is named;",
            f"there is no file {str(path)!r}.",
            "Check the path; it is read from where the command is run.",
        )
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Known by name, so that workers in other processes can be sent its classes.
    sys.modules.setdefault(path.stem, module)
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    spec.loader.exec_module(module)
    return module


def _load_module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise EvaluationError(
            "Estimators must be in code that can be imported;",
            f"{name!r} cannot: {error}.",
            "Name a file, as models.py:pool, or install the package.",
        ) from None
