"""Bodies of requests within limits of size and time, before anything is made of them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.types import Message, Receive

from itemcurve.service.problems import ProblemError


@dataclass(frozen=True)
class BodyLimits:
    """Of one request.

    Attributes
    ----------
    most, seconds : how large and how slow it may be.
    is_kept : whether it is in memory as a whole before it is used.
    """

    most: int
    seconds: float
    is_kept: bool = True


class BodyRoom:
    """Memory that bodies of all requests share while they are read.

    Parameters
    ----------
    most : bytes.
    """

    def __init__(self, most: int) -> None:
        self._most, self._taken = most, 0

    @contextmanager
    def visit(self) -> Iterator[Callable[[int], None]]:
        """Give what takes more room for one request; all of it is free again in the end."""
        own = 0

        def take(size: int) -> None:
            nonlocal own
            if self._taken + size > self._most:
                detail = "The service reads too much at once; try again in a moment."
                raise ProblemError(503, "busy", detail, {"Retry-After": "1", "Connection": "close"})
            own += size
            self._taken += size

        try:
            yield take
        finally:
            self._taken -= own


def check_length(length: str | None, most: int) -> None:
    """Refuse a body that says it is too large."""
    if length is not None and (not length.isdecimal() or int(length) > most):
        raise too_large(most)


def limit_body(
    receive: Receive, limits: BodyLimits, take: Callable[[int], None], ended: Callable[[], None]
) -> Receive:
    """Give what receives a body, and fails where it grows too large or takes too long.

    Parameters
    ----------
    take : called with the size of each part that is kept in memory.
    ended : called when the body was read.
    """
    loop = asyncio.get_running_loop()
    size, deadline, is_over = 0, loop.time() + limits.seconds, False

    async def limited() -> Message:
        nonlocal size, is_over
        if is_over:
            return await receive()
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            detail = f"The body must arrive within {limits.seconds:g} s."
            raise ProblemError(408, "too-slow", detail, {"Connection": "close"}) from None
        part = len(message.get("body", b""))
        size += part
        if size > limits.most:
            raise too_large(limits.most)
        if limits.is_kept:
            take(part)
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            is_over = True
            ended()
        return message

    return limited


def too_large(most: int) -> ProblemError:
    """Give the problem of a body beyond the limit."""
    return ProblemError(
        413, "too-large", f"A body has at most {most} bytes here.", {"Connection": "close"}
    )
