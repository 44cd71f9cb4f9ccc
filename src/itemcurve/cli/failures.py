"""How a command ends when it cannot do its work: one line on stderr, and an exit code."""

import os
import re
import sys
import traceback
from typing import IO, cast

import typer

DONE = 0
UNEXPECTED = 1
REFUSED = 2
NOT_CONVERGED = 3
INTERRUPTED = 130
TERMINATED = 143
# Recent typer carries its own copy of click, so that click's exceptions have no fixed address;
# BadParameter → UsageError → ClickException holds in both.
_REFUSED_BY_TYPER = cast(type[Exception], typer.BadParameter.__mro__[2])
_NEGATIVE = re.compile(r"-\d[\d.]*")


def fail(error: Exception, *, is_debug: bool) -> int:
    """Say what went wrong in one line on stderr; give the exit code.

    Parameters
    ----------
    error : what a command raised.
    is_debug : whether to show where it was raised, above that line.
    """
    if isinstance(error, BrokenPipeError):
        # Commands save before they print: a reader who has seen enough loses nothing.
        close_quietly()
        return DONE
    if is_debug:
        traceback.print_exception(error)
    message, code = _describe(error)
    print(f"Error: {one_line(message)}", file=sys.stderr)
    return code


def one_line(text: str) -> str:
    """Write a message in one line without signs that move the cursor or change colours."""
    return "".join(sign if sign.isprintable() else "�" for sign in " ".join(text.split()))


def _describe(error: Exception) -> tuple[str, int]:
    # Imported late: a command line that is wrong needs no part of the library.
    from itemcurve.errors import ItemcurveError

    if isinstance(error, ItemcurveError):
        return str(error), REFUSED
    if isinstance(error, _REFUSED_BY_TYPER):
        return _explain_usage(error), REFUSED
    if isinstance(error, OSError):
        return f"{error.strerror or error}: {error.filename or 'unknown file'}.", REFUSED
    if isinstance(error, MemoryError):
        return "There is not enough memory for data of this size.", UNEXPECTED
    advice = "This is a fault of itemcurve; run again with --debug to see where, and report it."
    return f"{type(error).__name__}: {error}. {advice}", UNEXPECTED


def _explain_usage(error: Exception) -> str:
    """Add to typer's own message where to look the options up."""
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    message = message.replace("Value error, ", "")
    if not message.endswith("?"):
        message += "."
    named = getattr(error, "option_name", None)
    if isinstance(named, str) and _NEGATIVE.fullmatch(named):
        # What begins with a dash is read as an option before anything asks for a number there.
        message = (
            f"Counts must be 1 or more; {named} was given and read as an option. Where a number "
            "below 0 can be meant, write -- before it."
        )
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "itemcurve"
    return f"{message} See '{command} --help'."


def close_quietly(stream: IO[str] | None = None) -> None:
    """Let a stream (stdout) flush into nothing: at exit the interpreter would complain again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, (stream or sys.stdout).fileno())
    os.close(nowhere)
