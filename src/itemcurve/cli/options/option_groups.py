"""Options in groups: a parameter that is a dataclass stands for its fields.

A command with twenty options says in its signature what they are about, and hands a group on whole.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
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
