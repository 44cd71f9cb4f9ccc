"""Connections with slow or endless headers, or that never read: closed before they add up."""

from asyncio import TimerHandle
from asyncio.transports import Transport
from typing import Any

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# To send the line and the headers of a request, and how much they may be.
HEADER_SECONDS = 20.0
MOST_HEADER_BYTES = 2**16
# Whoever takes nothing of an answer in this time is gone.
UNREAD_SECONDS = 30.0


class PatientProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with an end to patience."""

    _timer: TimerHandle | None = None
    _look_again: TimerHandle | None = None
    # Bytes since the request began, as long as its headers go on.
    _head_bytes: int | None = None
    _is_begun = False
    _unread = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._rest()
        self._stop_looking()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent, up to an end of headers that never comes."""
        self._is_begun = False
        super().data_received(data)
        # Of what is read at once, a part may be of the request before: the rest is counted.
        if self._head_bytes is None or self._is_begun:
            return
        self._head_bytes += len(data)
        if self._head_bytes > MOST_HEADER_BYTES and not self.transport.is_closing():
            self.send_400_response(f"Headers have at most {MOST_HEADER_BYTES} bytes here.")

    def on_message_begin(self) -> None:
        """Wait for the headers of the next request of this connection."""
        super().on_message_begin()
        self._head_bytes, self._is_begun = 0, True
        self._wait()

    def on_headers_complete(self) -> None:
        """From here on, limits of the body hold."""
        self._rest()
        self._head_bytes = None
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > MOST_HEADER_BYTES:
            raise HttpParserError("too large")
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Begin to look whether anything is taken of what waits to be sent."""
        super().pause_writing()
        self._unread = self._waiting()
        self._look_again = self.loop.call_later(UNREAD_SECONDS, self._look)

    def resume_writing(self) -> None:
        """Nothing waits."""
        self._stop_looking()
        super().resume_writing()

    def _look(self) -> None:
        waiting = self._waiting()
        if waiting >= self._unread:
            # Closing would wait for the rest to be taken.
            self.transport.abort()
            return
        self._unread = waiting
        self._look_again = self.loop.call_later(UNREAD_SECONDS, self._look)

    def _waiting(self) -> int:
        return int(self.transport.get_write_buffer_size())

    def _stop_looking(self) -> None:
        if self._look_again is not None:
            self._look_again.cancel()
        self._look_again = None

    def _wait(self) -> None:
        self._rest()
        self._timer = self.loop.call_later(HEADER_SECONDS, self._close)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _close(self) -> None:
        transport: Any = self.transport
        if transport is not None and not transport.is_closing():
            transport.close()
