"""`itemcurve.toml`: an evaluation written down, so that one command repeats it.

Options on the command line come before what the file says. Paths are read from the folder of the
file, so that it works from anywhere.
"""

from difflib import get_close_matches
from pathlib import Path
from typing import Any

import typer

CONFIG = "itemcurve.toml"
# What the file calls each option, the option, and the kinds of value it may have.
_KEYS: dict[str, tuple[str, tuple[type, ...]]] = {
    "data": ("table", (str,)),
    "predictions": ("predictions", (str,)),
    "target": ("target", (str,)),
    "models": ("pool", (str, list)),
    "response": ("response", (str,)),
    "model": ("model", (str,)),
    "task": ("task", (str,)),
    "cv": ("cv", (int,)),
    "repeats": ("repeats", (int,)),
    "test_share": ("test_share", (int, float)),
    "drop": ("drop", (str, list)),
    "groups": ("groups", (str,)),
    "weights": ("weights", (str,)),
    "seed": ("seed", (int,)),
    "jobs": ("jobs", (int,)),
    "cache": ("cache", (str,)),
    "fdr": ("fdr", (int, float)),
    "output": ("out", (str,)),
    "export": ("export", (str, list)),
}
_SOURCES = ("table", "predictions")
# An audit writes a list where an evaluation writes a run.
_OF_EVALUATE = ("out", "export")
_PATHS = ("table", "predictions", "out", "cache", "export")
_KIND_WORDS = {str: "text", list: "a list", int: "a whole number", float: "a number"}


def take_config(context: typer.Context, config: Path | None) -> Path | None:
    """Let a file give the options that the command line does not; the callback of `--config`.

    Without `--config`, and without a table or predictions to evaluate, the file of the working
    folder is taken.
    """
    given = context.params
    is_bare = given.get("table") is None and given.get("predictions") is None
    if config is None and is_bare and Path(CONFIG).is_file():
        config = Path(CONFIG)
    if config is None:
        return None
    found = read_config(config)
    if given.get("table") is not None or given.get("predictions") is not None:
        # Another source was named: that of the file is out of place.
        found = {name: value for name, value in found.items() if name not in _SOURCES}
    known = {parameter.name for parameter in context.command.params}
    of_others = _OF_EVALUATE if context.info_name != "evaluate" else ()
    context.default_map = {
        name: value for name, value in found.items() if name in known and name not in of_others
    }
    if "table" in given and given["table"] is None:
        # Looked at before this callback was called.
        given["table"] = context.default_map.get("table")
    return config


def read_config(path: Path) -> dict[str, Any]:
    """Give the options that a file sets, by their names.

    Parameters
    ----------
    path : of the file.
    """
    import tomllib

    from itemcurve.errors import EvaluationError

    if not path.is_file():
        raise EvaluationError(
            "The settings of an evaluation are read from a file;",
            f"there is no file {str(path)!r}.",
            f"Write {CONFIG} with data = 'data.csv' and target = 'label'.",
        )
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EvaluationError(
            "The settings of an evaluation must be written in TOML;",
            f"{str(path)!r} is not: {error}.",
            "Put texts into quotation marks, as target = 'label'.",
        ) from None
    return {_KEYS[key][0]: _read(key, value, path) for key, value in _checked(found, path).items()}


def _checked(found: dict[str, Any], path: Path) -> dict[str, Any]:
    from itemcurve.errors import EvaluationError

    for key, value in found.items():
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, 1)
            raise EvaluationError(
                f"{path.name} sets {', '.join(_KEYS)};",
                f"{key!r} is none of these.",
                f"Did you mean {near[0]!r}?" if near else "Leave it out.",
            )
        kinds = _KEYS[key][1]
        if not isinstance(value, kinds) or isinstance(value, bool):
            words = " or ".join(_KIND_WORDS[kind] for kind in kinds)
            raise EvaluationError(
                f"{key} in {path.name} must be {words};",
                f"given is {value!r}.",
                "Correct it, or leave it out.",
            )
    return found


def _read(key: str, value: Any, path: Path) -> Any:
    """Give a value as its option takes it."""
    option = _KEYS[key][0]
    if option == "pool":
        return _place_code("; ".join(value) if isinstance(value, list) else value, path)
    if option in ("drop", "export") and isinstance(value, str):
        value = [value]
    if option in _PATHS:
        return _place(value, path)
    return value


def _place(value: Any, path: Path) -> Any:
    """Give paths as seen from the folder of the file; sets that come by name stay."""
    if isinstance(value, list):
        return [_place(one, path) for one in value]
    placed = path.parent / value
    from itemcurve.evaluation.tables.table_files import BUILT_IN

    return value if value in BUILT_IN and not placed.is_file() else str(placed)


def _place_code(pool: str, path: Path) -> str:
    """Give code as seen from the folder of the file."""
    place, between, what = pool.rpartition(":")
    return f"{path.parent / place}{between}{what}" if place.endswith(".py") else pool
