"""News for those who listen: what changed, never the data itself."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Hashable, Iterator
from contextlib import contextmanager

# A listener that does not keep up misses the oldest news, and asks for the state anyway.
_MOST_WAITING = 100


class Broadcast:
    """Topics and who listens to them, within one process."""

    def __init__(self) -> None:
        self._listeners: dict[Hashable, set[asyncio.Queue[str]]] = defaultdict(set)

    @property
    def n_listeners(self) -> int:
        """How many listen."""
        return sum(len(found) for found in self._listeners.values())

    def tell(self, topic: Hashable, news: str) -> None:
        """Tell everybody who listens to a topic."""
        for queue in self._listeners.get(topic, ()):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(news)

    @contextmanager
    def listen(self, topic: Hashable) -> "Iterator[asyncio.Queue[str]]":
        """Listen to a topic."""
        queue: asyncio.Queue[str] = asyncio.Queue(_MOST_WAITING)
        self._listeners[topic].add(queue)
        try:
            yield queue
        finally:
            self._listeners[topic].discard(queue)
            if not self._listeners[topic]:
                del self._listeners[topic]


async def as_events(queue: "asyncio.Queue[str]", *, seconds: float) -> AsyncIterator[str]:
    """Give news as server-sent events, and a comment now and then so that proxies stay calm."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while loop.time() < end:
        try:
            news = await asyncio.wait_for(queue.get(), 15.0)
        except TimeoutError:
            yield ": waiting\n\n"
            continue
        yield f"data: {news}\n\n"
