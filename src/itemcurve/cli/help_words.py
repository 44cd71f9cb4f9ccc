"""Help for people: commands by what one wants to do, values in words instead of types of Python."""

from collections.abc import Callable, Iterable
from copy import copy
from enum import Enum
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from typer.core import TyperGroup
from typer.models import ArgumentInfo, OptionInfo

GROUPS = {
    "Evaluate models on a table": (
        "evaluate",
        "audit",
        "confusion",
        "difficulty",
        "robustness",
        "taxonomy",
        "noise",
        "datasets",
    ),
    "Compare versions, release": ("diff", "gate"),
    "Measure from answers": (
        "import",
        "fit",
        "dimensions",
        "pairs",
        "score",
        "compare",
        "health",
        "judges",
        "dif",
        "link",
    ),
    "Test with few questions": ("choose", "predict", "adapt", "run"),
    "Look at a run, hand it on": ("show", "findings", "report", "plot", "export"),
    "Serve others": ("serve", "store"),
    "Learn, check": ("simulate", "reproduce"),
}
_REST = "More"
_WORDS: dict[type, str] = {int: "N", float: "NUMBER", Path: "PATH", str: "TEXT"}


class GroupedCommands(TyperGroup):
    """Commands listed under what people want to do."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each group; commands that are in none come last."""
        shown = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        known = {name for names in GROUPS.values() for name in names}
        rest = tuple(name for name in shown if name not in known)
        limit = formatter.width - 6 - max(map(len, shown))
        for title, names in (*GROUPS.items(), (_REST, rest)):
            rows = [
                # One width for all sections, so that they read as one table.
                (name.ljust(max(map(len, shown))), found.get_short_help_str(limit))
                for name in names
                if (found := shown.get(name)) is not None and not found.hidden
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def in_words(command: Callable[..., None]) -> Callable[..., None]:
    """Give the options of a command words for their values, where they have none yet.

    Parameters
    ----------
    command : its parameters are annotated as typer wants them.
    """
    own = signature(command)
    changed = [_with_word(parameter) for parameter in own.parameters.values()]
    command.__signature__ = own.replace(parameters=changed)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in changed}
    return command


def leave_types_out(commands: Iterable[Any]) -> None:
    """Let arguments be listed by name alone; recent releases of typer add their type."""
    for command in commands:
        leave_types_out(getattr(command, "commands", {}).values())
        for parameter in command.params:
            if getattr(parameter, "param_type_name", "") == "argument":
                parameter.display_type_rich = _no_type


def _no_type(ctx: Any) -> None:
    return None


def _with_word(parameter: Parameter) -> Parameter:
    if get_origin(parameter.annotation) is not Annotated:
        return parameter
    kind, *infos = get_args(parameter.annotation)
    words = [_named(info, kind, parameter.name) for info in infos]
    return parameter.replace(annotation=Annotated[kind, *words])


def _named(info: Any, kind: Any, name: str) -> Any:
    is_argument = isinstance(info, ArgumentInfo)
    if not (is_argument or isinstance(info, OptionInfo)) or info.metavar is not None:
        return info
    word = name.upper() if is_argument else _word(kind)
    # Several commands share the description of an option.
    found = copy(info)
    found.metavar = word
    return found


def _word(kind: Any) -> str | None:
    """Give the word for a type; None of flags, which take no value."""
    inner = [part for part in get_args(kind) if part is not type(None)]
    if inner:
        return _word(inner[0])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(choice.value) for choice in kind)
    return _WORDS.get(kind)
