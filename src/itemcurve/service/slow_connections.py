"""Connections that send nothing, or a header a minute, are closed before they add up."""

from asyncio import TimerHandle
from asyncio.transports import Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# To send the line and the headers of a request.
HEADER_SECONDS = 20.0


class PatientProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with an end to patience."""

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._rest()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Wait for the headers of the next request of this connection."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """From here on, limits of the body hold."""
        self._rest()
        super().on_headers_complete()

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
