"""Bodies of requests within limits of size and time, before anything is made of them."""

import asyncio
from collections.abc import Callable

from starlette.types import Message, Receive

from itemcurve.service.problems import ProblemError


def check_length(length: str | None, most: int) -> None:
    """Refuse a body that says it is too large."""
    if length is not None and (not length.isdecimal() or int(length) > most):
        raise too_large(most)


def limit_body(receive: Receive, most: int, seconds: float, ended: Callable[[], None]) -> Receive:
    """Give what receives a body, and fails where it grows too large or takes too long.

    Parameters
    ----------
    ended : called when the body was read.
    """
    loop = asyncio.get_running_loop()
    size, deadline, is_over = 0, loop.time() + seconds, False

    async def limited() -> Message:
        nonlocal size, is_over
        if is_over:
            return await receive()
        try:
            async with asyncio.timeout_at(deadline):
                message = await receive()
        except TimeoutError:
            detail = f"The body must arrive within {seconds:g} s."
            raise ProblemError(408, "too-slow", detail, {"Connection": "close"}) from None
        size += len(message.get("body", b""))
        if size > most:
            raise too_large(most)
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
