"""Kills under load: `python -m benchmarks.service.kills --times 100`.

Clients answer as fast as they may and write down what was acknowledged, while the server, or its
database, is ended by SIGKILL again and again. In the end every acknowledged answer must be there
once, with the value that was sent, and every session must go on.
"""

import argparse
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

from tests.running.postgres_server import PostgresServer

from benchmarks.service.figures import keep, make_row
from benchmarks.service.running_service import RunningService, make_bank
from itemcurve.client import RemoteSession, ServiceProblemError


class Client(threading.Thread):
    """One harness that never gives up."""

    def __init__(self, session: RemoteSession, seed: int, is_over: threading.Event) -> None:
        super().__init__()
        self.session, self.random, self.is_over = session, Random(seed), is_over
        self.acknowledged: dict[str, float] = {}
        self.repeated, self.failures = 0, []

    def run(self) -> None:
        while not self.is_over.is_set():
            items = self.session.items or self.session.next()
            if not items:
                return
            value = float(self.random.random() < 0.6)
            try:
                self.session.answer({items[0]: value})
            except ServiceProblemError as error:
                self.failures.append(str(error))
                return
            self.acknowledged[items[0]] = value
            self.repeated += self.session.state.is_repeated
            time.sleep(0.002)


def kill_under_load(kind: str, times: int, pause: float, victim: str) -> dict[str, Any]:
    """Kill the server or the database so many times; give what was found."""
    with tempfile.TemporaryDirectory() as folder:
        database = PostgresServer(is_durable=True) if kind == "postgres" else None
        service = RunningService(Path(folder), database.new_database() if database else None)
        client = service.client(patience=600.0)
        mark = client.add_bank(make_bank(2000)).mark
        is_over = threading.Event()
        clients = [
            Client(service.client(patience=600.0).begin(mark, seed=k), k, is_over) for k in range(8)
        ]
        for each in clients:
            each.start()
        for _ in range(times):
            time.sleep(pause * Random(time.time_ns()).uniform(0.5, 1.5))
            if victim == "database" and database is not None:
                database.kill()
                database.start()
            else:
                service.kill()
                service.start()
        is_over.set()
        for each in clients:
            each.join()
        found = _compare(service, clients)
        service.stop()
        if database is not None:
            database.stop()
    return {"kills": times, **found}


def _compare(service: RunningService, clients: list[Client]) -> dict[str, Any]:
    lost = changed = doubled = unknown = 0
    went_on = 0
    for each in clients:
        record = service.client().session(each.session.id).record()
        items = [answer["item"] for answer in record["answers"]]
        stored = {answer["item"]: answer["response"] for answer in record["answers"]}
        doubled += len(items) - len(stored)
        lost += sum(item not in stored for item in each.acknowledged)
        changed += sum(stored.get(i, v) != v for i, v in each.acknowledged.items())
        unknown += sum(item not in each.acknowledged for item in stored)
        session = service.client().session(each.session.id)
        before = session.state.answers
        session.answer({session.next()[0]: 1.0})
        went_on += session.state.answers == before + 1
    return {
        "acknowledged": sum(len(each.acknowledged) for each in clients),
        "lost": lost,
        "changed": changed,
        "doubled": doubled,
        "stored, not acknowledged": unknown,
        "repeated requests": sum(each.repeated for each in clients),
        "sessions that go on": went_on,
        "sessions": len(clients),
        "failures": [failure for each in clients for failure in each.failures],
    }


def main() -> None:
    """Read the command line, kill, and say what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between kills")
    given = parser.parse_args()
    for kind, victim in (("sqlite", "server"), ("postgres", "database"), ("postgres", "server")):
        found = kill_under_load(kind, given.times, given.pause, victim)
        print(f"{kind}, {victim} killed: {found}", flush=True)
        said = f"{found['acknowledged']:,} acknowledged, {found['lost']} lost, {found['doubled']} "
        said += f"doubled, {found['sessions that go on']} of {found['sessions']} sessions go on"
        keep([make_row(f"{kind}, the {victim} killed {found['kills']} times", said, "none lost")])
        assert found["lost"] == found["changed"] == found["doubled"] == 0
        assert found["sessions that go on"] == found["sessions"]


if __name__ == "__main__":
    main()
