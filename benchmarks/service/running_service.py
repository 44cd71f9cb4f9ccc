"""A service in a process of its own, on either database, with banks of any size."""

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import numpy as np

import itemcurve as ic
from itemcurve.client import Service


def make_bank(size: int) -> ic.Bank:
    """Give items of a 2PL, drawn, with uncertain parameters as those of a fit are."""
    rng = np.random.default_rng(0)
    known = ic.Bank.from_parameters(
        "2pl",
        items=[f"task/{number:06d}" for number in range(size)],
        discrimination=np.exp(rng.normal(0, 0.4, size)),
        difficulty=rng.normal(0, 1, size),
    )
    (part,) = known.parts
    covariance = np.broadcast_to(0.01 * np.eye(2), part.covariance.shape).copy()
    return replace(known, parts=(replace(part, covariance=covariance),))


def free_port() -> int:
    """Give a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class RunningService:
    """`itemcurve serve`, started and stopped."""

    def __init__(self, folder: Path, database: str | None = None, *options: str) -> None:
        self.folder, self.database, self.options = folder, database, options
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        if self.database:
            environment["ITEMCURVE_DATABASE"] = self.database
        command = [sys.executable, "-m", "itemcurve", "serve", str(self.folder), "--quiet"]
        command += ["--data", str(self.folder), "--port", str(self.port), "--rate", "100000"]
        self.process = subprocess.Popen(
            [*command, *self.options], env=environment, stdout=subprocess.DEVNULL
        )
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                with urlopen(f"{self.url}/health", timeout=1):
                    return
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError("the service did not start") from None
                time.sleep(0.05)
        raise TimeoutError("the service did not start")

    def client(self, **settings: float) -> Service:
        return Service(self.url, **settings)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(20)

    def status(self, name: str) -> int:
        """Give a number of /proc, as VmRSS in kB or Threads."""
        assert self.process is not None
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
        raise KeyError(name)

    def descriptors(self) -> int:
        assert self.process is not None
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def cpu_seconds(self) -> float:
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
