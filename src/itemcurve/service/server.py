"""The server: where it listens, and what it refuses to do unprotected."""

import asyncio
import gc
import ipaddress
import json
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from itemcurve.errors import ItemcurveError, MissingExtraError
from itemcurve.service.settings import LOOPBACK, ServiceSettings
from itemcurve.store.data_folder import Store
from itemcurve.store.tokens import list_tokens

if TYPE_CHECKING:
    import uvicorn

# Threads change places this often: one that stores must not wait for one that computes.
_SWITCH_S = 0.0005


class ServiceError(ItemcurveError):
    """The service cannot be started like this."""


@dataclass(frozen=True)
class Address:
    """Where to listen."""

    host: str = "127.0.0.1"
    port: int = 8765

    @property
    def is_loopback(self) -> bool:
        """Whether nobody but this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host in LOOPBACK


def check_exposure(address: Address, settings: ServiceSettings, store: Store) -> ServiceSettings:
    """Give settings under which it is safe to listen there; refuse where there are none."""
    is_exposed = not address.is_loopback or bool(settings.host_names)
    if not is_exposed:
        return settings
    valid = [
        token for token in store.database.read(list_tokens(None)) if token.is_valid(time.time())
    ]
    if not valid:
        raise ServiceError(
            "A service that others can reach needs a token;",
            f"there is none, and {address.host} was asked for.",
            "Make one with `itemcurve store new-token TENANT`, or leave --host out.",
        )
    return replace(settings, is_token_required=True)


def serve(
    store: Store, settings: ServiceSettings, address: Address, *, is_quiet: bool = False
) -> None:
    """Serve until interrupted."""
    with _without_collecting():
        config = configure(store, check_exposure(address, settings, store), address)
    write_logs(logging.WARNING if is_quiet else logging.INFO)
    sys.setswitchinterval(_SWITCH_S)
    import uvicorn

    asyncio.run(uvicorn.Server(config).serve())


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Let nobody look for garbage among what is built now, or ever after: it all stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def configure(store: Store, settings: ServiceSettings, address: Address) -> "uvicorn.Config":
    """Give the settings of the HTTP server around the application."""
    try:
        import uvicorn

        from itemcurve.service.application import make_application
        from itemcurve.service.slow_connections import PatientProtocol
    except ImportError as error:
        raise MissingExtraError(
            "The service needs FastAPI and uvicorn;",
            f"{error.name} is not installed.",
            "pip install 'itemcurve[serve]'.",
        ) from None
    return uvicorn.Config(
        make_application(store, settings),
        host=address.host,
        port=address.port,
        http=PatientProtocol,
        lifespan="on",
        # No route speaks anything else than HTTP, and the gate knows nothing else.
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        # Whoever asks is known by a token, not by what a header says.
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
        limit_concurrency=2000,
    )


def write_logs(level: int) -> None:
    """Write one JSON object per line to standard error."""
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(_JsonLines())
    for name in ("itemcurve.service", "uvicorn", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [output], False
        log.setLevel(level)


class _JsonLines(logging.Formatter):
    """One line of JSON per record."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        message = record.getMessage()
        line: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "source": record.name,
        }
        if message.startswith("{"):
            line |= json.loads(message)
        else:
            line["message"] = message
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            # Where, not with what: values may be somebody's data.
            line["error"] = type(error).__name__
            line["where"] = self._where(record)
        return json.dumps(line)

    def _where(self, record: logging.LogRecord) -> list[str]:
        trace = record.exc_info[2] if record.exc_info else None
        found = []
        while trace is not None:
            code = trace.tb_frame.f_code
            found.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
            trace = trace.tb_next
        return found[-12:]
