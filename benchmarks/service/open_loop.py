"""Requests at a fixed rate whatever the answers do: slow answers do not slow the asking."""

import asyncio
import json
import time
import uuid
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Tested:
    """One simulated respondent."""

    id: str
    items: list[str]
    ability: float
    answers: dict[str, float] = field(default_factory=dict)


@dataclass
class Load:
    """What was measured.

    Attributes
    ----------
    inside : milliseconds from the request read to the response written, as the service says.
    outside : milliseconds from when the request was due to when its answer was read.
    """

    inside: list[float] = field(default_factory=list)
    outside: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def line(self, values: list[float]) -> str:
        if not values:
            return "none"
        quantiles = np.quantile(values, [0.5, 0.9, 0.99, 0.999])
        return " / ".join(f"{value:.1f}" for value in quantiles) + f" (n {len(values)})"


class Connection:
    """One connection that is kept."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.lock = asyncio.Lock()

    async def ask(self, method: str, path: str, body: bytes, key: str) -> tuple[int, dict, float]:
        async with self.lock:
            if self.streams is None:
                self.streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self.streams
            head = (
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                f"Idempotency-Key: {key}\r\n\r\n"
            )
            try:
                writer.write(head.encode() + body)
                answer = await reader.readuntil(b"\r\n\r\n")
                fields = answer.decode().lower().split("\r\n")
                sizes = [f.split(":")[1] for f in fields if f.startswith("content-length:")]
                content = await reader.readexactly(int(sizes[0])) if sizes else b""
                timing = next(f for f in fields if f.startswith("server-timing:"))
            except BaseException:
                writer.close()
                self.streams = None
                raise
            found = json.loads(content) if content else {}
            return int(fields[0].split()[1]), found, float(timing.split("dur=")[1])


async def begin_sessions(
    port: int, mark: str, count: int, *, most: int = 100000, at_once: int = 1
) -> list[Tested]:
    """Begin sessions, some at a time."""
    rng = np.random.default_rng(1)
    connections = [Connection(port) for _ in range(8)]

    async def begin(number: int) -> Tested:
        wanted = {"bank": mark, "respondent": f"r{number}", "seed": number, "next": at_once}
        body = json.dumps({**wanted, "stop": {"max_items": most}}).encode()
        connection = connections[number % len(connections)]
        _, found, _ = await connection.ask("POST", "/v1/sessions", body, uuid.uuid4().hex)
        return Tested(found["id"], found["lease"]["items"], float(rng.normal()))

    return await asyncio.gather(*(begin(number) for number in range(count)))


async def delete_sessions(port: int, tested: list[Tested]) -> None:
    """Delete sessions, one after the other."""
    connection = Connection(port)
    for each in tested:
        await connection.ask("DELETE", f"/v1/sessions/{each.id}", b"", uuid.uuid4().hex)


async def run_load(
    port: int, tested: list[Tested], *, rate: float, seconds: float, connections: int
) -> Load:
    """Answer and get the next items, `rate` times a second."""
    rng, load = np.random.default_rng(2), Load()
    lines = [Connection(port) for _ in range(connections)]
    free = asyncio.Queue[Tested]()
    for each in tested:
        free.put_nowait(each)

    async def step(number: int, due: float) -> None:
        each = await free.get()
        try:
            value = float(rng.random() < 0.6)
            answers = [{"item": item, "value": value} for item in each.items[:1]]
            body = json.dumps({"answers": answers, "next": 1}).encode()
            path = f"/v1/sessions/{each.id}/answers"
            status, found, inside = await lines[number % connections].ask(
                "POST", path, body, uuid.uuid4().hex
            )
            if status != 200:
                load.failures.append(f"{status} {found.get('detail')}")
                return
            each.answers[each.items[0]] = value
            each.items = found["lease"]["items"]
            load.inside.append(inside)
            load.outside.append(1e3 * (time.perf_counter() - due))
        except Exception as error:
            load.failures.append(repr(error))
        finally:
            if each.items:
                free.put_nowait(each)

    start, tasks = time.perf_counter(), []
    for number in range(int(rate * seconds)):
        due = start + number / rate
        wait = due - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        tasks.append(asyncio.create_task(step(number, due)))
    await asyncio.gather(*tasks)
    return load
