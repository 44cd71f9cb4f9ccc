"""Errors and warnings with names, so that callers can tell them apart."""

from collections.abc import Iterator
from contextlib import contextmanager

# Of each of the three parts, in characters.
LONGEST_PART = 400


class ItemcurveError(ValueError):
    """Something the user gave cannot be used; the message says what to do instead."""

    def __init__(self, must_hold: str, given: str = "", advice: str = "") -> None:
        """Join what must hold, what was given and what to do into one message."""
        parts = (_shorten(part) for part in (must_hold, given, advice) if part)
        super().__init__(" ".join(parts))


@contextmanager
def named_source(name: str) -> Iterator[None]:
    """Say which of several sources an error is about.

    Examples
    --------
    >>> with named_source("b.csv"):
    ...     raise EvaluationError("Some rows must have a target;", "none has.")
    Traceback (most recent call last):
    itemcurve.errors.EvaluationError: b.csv: Some rows must have a target; none has.
    """
    try:
        yield
    except ItemcurveError as error:
        error.args = (f"{name}: {error}",)
        raise


def _shorten(part: str) -> str:
    """Leave out the middle of what nobody would read: names and cells may be of any length."""
    if len(part) <= LONGEST_PART:
        return part
    return f"{part[: LONGEST_PART * 2 // 3]} … {part[-LONGEST_PART // 3 :]}"


class ResponsesError(ItemcurveError):
    """The responses cannot be read or do not fit together."""


class ModelError(ItemcurveError):
    """The model is unknown, or does not suit the responses or the method."""


class WorkerError(ItemcurveError):
    """A process that worked for this one was ended from outside."""


class StorageError(ItemcurveError):
    """A file or run folder is damaged, foreign or of a newer version."""


class EvaluationError(ItemcurveError):
    """Estimators, data or predictions to evaluate cannot be used."""


class MissingExtraError(ItemcurveError, ImportError):
    """An optional package is needed and not installed."""


class ConvergenceError(ItemcurveError):
    """A fit did not converge and `on_failure="raise"` was asked for."""


class ResponsesWarning(UserWarning):
    """A table was read, and something in it looks like a slip."""


class StorageWarning(UserWarning):
    """Something stored cannot be used and is made again."""


class ConvergenceWarning(UserWarning):
    """A fit ended without converging; its status says how."""


class EvaluationWarning(UserWarning):
    """Something was left out of an evaluation that went on without it."""
