"""Any program as an evaluator: called with an item's id, answering with a number."""

import shlex
import subprocess
from collections.abc import Sequence

from itemcurve.errors import ItemcurveError, ModelError

_PLACE = "{item}"
_MOST_SHOWN = 200


class EvaluatorError(ItemcurveError):
    """The program that answers items failed; the session is kept as it was."""


def split_command(command: str) -> list[str]:
    """Split a command line into words, as a shell would, before any id enters it.

    Examples
    --------
    >>> split_command("python eval_one.py --id {item}")
    ['python', 'eval_one.py', '--id', '{item}']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        words, reason = [], str(error)
    else:
        reason = "it has no {item}"
    if not any(_PLACE in word for word in words):
        raise ModelError(
            "The command must name a program and have {item} where the id goes.",
            f"Got {command!r}: {reason}.",
            'Use for example "python eval_one.py {item}".',
        )
    return words


def ask_program(words: Sequence[str], item: str, timeout: float) -> float:
    """Run the program for an item; give the number at the end of its output.

    No shell is involved: an id with spaces, quotes or semicolons stays one argument.

    Parameters
    ----------
    words : as `split_command` gives them.
    timeout : seconds until the program is stopped.
    """
    arguments = [word.replace(_PLACE, item) for word in words]
    try:
        done = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _failure(item, f"it took longer than {timeout:g} s") from None
    except (OSError, ValueError) as error:
        raise _failure(item, f"it could not be started ({error})") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        said = f": {lines[-1][:_MOST_SHOWN]}" if lines else ""
        raise _failure(item, f"it ended with code {done.returncode}{said}")
    return _last_number(item, done.stdout)


def _last_number(item: str, output: str) -> float:
    words = output.split()
    try:
        return float(words[-1])
    except (IndexError, ValueError):
        last = repr(words[-1][:_MOST_SHOWN]) if words else "nothing"
        raise _failure(item, f"its output ends with {last}, not with a number") from None


def _failure(item: str, reason: str) -> EvaluatorError:
    return EvaluatorError(
        "The command must answer every item with a number.",
        f"For item {item!r} {reason}.",
        "The session is kept; mend the command and run again to go on with this item.",
    )
