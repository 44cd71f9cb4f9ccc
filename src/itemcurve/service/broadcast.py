"""News for those who listen: what changed, never the data itself."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager

from itemcurve.service.problems import ProblemError

# A listener that does not keep up misses the oldest news, and asks for the state anyway.
_MOST_WAITING = 100
# Whoever listens holds a connection.
_MOST_OF_A_TENANT, _MOST = 100, 1000
_PAUSE_S = 15.0

Topic = tuple[str, str]
"""Whose news, and what about."""


class Broadcast:
    """Topics and who listens to them, within one process."""

    def __init__(self) -> None:
        self._listeners: dict[Topic, set[asyncio.Queue[str]]] = defaultdict(set)

    @property
    def n_listeners(self) -> int:
        """How many listen."""
        return sum(len(found) for found in self._listeners.values())

    def check_room(self, tenant: str) -> None:
        """Refuse a tenant that listens too often already; `ProblemError` 429."""
        own = sum(len(found) for topic, found in self._listeners.items() if topic[0] == tenant)
        if own >= _MOST_OF_A_TENANT or self.n_listeners >= _MOST:
            detail = f"No more than {_MOST_OF_A_TENANT} event streams at once; close some."
            raise ProblemError(429, "too-many-streams", detail, {"Retry-After": "10"})

    def tell(self, topic: Topic, news: str) -> None:
        """Tell everybody who listens to a topic."""
        for queue in self._listeners.get(topic, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(news)

    @contextmanager
    def listen(self, topic: Topic) -> "Iterator[asyncio.Queue[str]]":
        """Listen to a topic; refused where too many do."""
        self.check_room(topic[0])
        queue: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        self._listeners[topic].add(queue)
        try:
            yield queue
        finally:
            self._listeners[topic].discard(queue)
            if not self._listeners[topic]:
                del self._listeners[topic]


async def as_events(
    queue: "asyncio.Queue[str]",
    *,
    seconds: float,
    is_admitted: Callable[[], Awaitable[bool]] | None = None,
) -> AsyncIterator[str]:
    """Give news as server-sent events, and a comment now and then so that proxies stay calm.

    Parameters
    ----------
    is_admitted : asked now and then whether the listener may still listen.
    """
    loop = asyncio.get_running_loop()
    end, ask_at = loop.time() + seconds, loop.time() + _PAUSE_S
    while loop.time() < end:
        try:
            news = await asyncio.wait_for(queue.get(), _PAUSE_S)
        except TimeoutError:
            news = None
        if loop.time() >= ask_at:
            ask_at = loop.time() + _PAUSE_S
            if is_admitted is not None and not await is_admitted():
                return
        yield ": waiting\n\n" if news is None else f"data: {news}\n\n"
