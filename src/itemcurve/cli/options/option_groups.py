"""Options in groups: a parameter that is a dataclass stands for its fields.

A command with twenty options says in its signature what they are about, and hands a group on whole.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any


def spread_options(command: Callable[..., None]) -> Callable[..., None]:
    """Show the fields of all groups among the parameters of a command to the command line.

    Fields are annotated as typer wants parameters: `Annotated[int, typer.Option(help=...)] = 0`.
    """
    own = signature(command).parameters
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in own.items()
        if is_dataclass(parameter.annotation)
    }
    shown: list[Parameter] = []
    for name, parameter in own.items():
        inside = signature(groups[name]).parameters.values() if name in groups else (parameter,)
        # By keyword, so that one without a default may follow one with a default.
        shown += [one.replace(kind=Parameter.KEYWORD_ONLY) for one in inside]

    @wraps(command)
    def spread(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        command(**given)

    spread.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    spread.__annotations__ = {one.name: one.annotation for one in shown}
    return spread


def write_options(*groups: Any, without: Iterable[str] = ()) -> list[str]:
    """Give options that are not at their defaults as words of a command line.

    Parameters
    ----------
    without : names of fields to leave out.

    Examples
    --------
    >>> from itemcurve.cli.options.training_options import TrainingOptions
    >>> write_options(TrainingOptions(seed=3))
    ['--seed', '3']
    """
    words: list[str] = []
    for group in groups:
        for field in fields(group):
            value = getattr(group, field.name)
            if field.name in without or value is None or value == field.default:
                continue
            for one in value if isinstance(value, list | tuple) else [value]:
                name = f"--{field.name.replace('_', '-')}"
                words += [name, str(one.value if isinstance(one, Enum) else one)]
    return words
