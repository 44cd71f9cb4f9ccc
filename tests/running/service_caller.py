"""The service without a socket: requests go straight to the application, in a loop of its own."""

import asyncio
import json
import threading
from dataclasses import dataclass
from urllib.parse import urlsplit

from itemcurve.service.application import make_application


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def kind(self):
        """The word of a problem."""
        assert self.headers["content-type"] == "application/problem+json"
        assert {"type", "title", "status", "detail"} <= set(self.json)
        assert self.json["status"] == self.status
        return self.json["type"].rpartition(":")[2]


class ServiceCaller:
    """An application that runs, and requests to it from any thread."""

    def __init__(self, store, settings) -> None:
        self.store, self.settings = store, settings
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.app = self._run(self._make())
        self.over = self._run(self._start())

    def ask(self, method, path, json_=None, *, body=None, token=None, headers=(), chunks=None):
        """Make a request; `chunks` are bodies with pauses between them, in seconds."""
        own = {"host": "127.0.0.1:8765", "content-type": "application/json", **dict(headers)}
        if token is not None:
            own["authorization"] = f"Bearer {token}"
        content = json.dumps(json_).encode() if json_ is not None else (body or b"")
        parts = chunks if chunks is not None else [(content, 0.0)]
        return self._run(self._ask(method, path, own, parts))

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, json_=None, **more):
        return self.ask("POST", path, {} if json_ is None and "body" not in more else json_, **more)

    def close(self) -> None:
        self._run(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def forget(self) -> None:
        """Let go of all that is in memory, as a restart does."""
        self._run(self._stop())
        self.app = self._run(self._make())
        self.over = self._run(self._start())

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    async def _make(self):
        return make_application(self.store, self.settings)

    async def _start(self):
        over, is_up = asyncio.Event(), asyncio.Event()
        news = iter(["lifespan.startup", "lifespan.shutdown"])

        async def receive():
            kind = next(news)
            if kind == "lifespan.shutdown":
                await over.wait()
            return {"type": kind}

        async def send(message):
            assert "failed" not in message["type"], message
            is_up.set()

        self.life = asyncio.ensure_future(self.app({"type": "lifespan"}, receive, send))
        await is_up.wait()
        return over

    async def _stop(self) -> None:
        self.over.set()
        await self.life

    async def _ask(self, method, path, headers, parts):
        where = urlsplit(path)
        found, waiting = [], list(parts)

        async def receive():
            if not waiting:
                await asyncio.sleep(3600)
            chunk, pause = waiting.pop(0)
            await asyncio.sleep(pause)
            return {"type": "http.request", "body": chunk, "more_body": bool(waiting)}

        async def send(message):
            found.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": where.path,
            "raw_path": where.path.encode(),
            "query_string": where.query.encode(),
            "root_path": "",
            "scheme": "http",
            "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in headers.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8765),
        }
        await self.app(scope, receive, send)
        start = found[0]
        got = {k.decode(): v.decode() for k, v in start["headers"]}
        body = b"".join(m.get("body", b"") for m in found[1:])
        return Reply(start["status"], got, body)
