"""A PostgreSQL server of one's own, on a socket in a folder: no port, no password, soon gone."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path


def find_programs() -> Path | None:
    """Give the folder of PostgreSQL's programs; None where there is none."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


class PostgresServer:
    """Started when made; `is_durable` waits for the disk, as a real one does."""

    def __init__(self, *, is_durable: bool = False) -> None:
        programs = find_programs()
        assert programs is not None
        self.programs, self.is_durable = programs, is_durable
        # A path of a socket is short.
        self.folder = Path(tempfile.mkdtemp(prefix="pg"))
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        sync = [] if is_durable else ["--no-sync"]
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", *sync)
        self.start()

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        fsync = "on" if self.is_durable else "off"
        options = f"-c listen_addresses='' -k {self.folder} -c fsync={fsync}"
        log = str(self.folder / "log")
        for attempt in range(20):
            # After a crash, processes that are still ending hold its memory for a moment.
            try:
                self._run("pg_ctl", "-D", self.data, "-w", "-l", log, "-o", options, "start")
            except subprocess.CalledProcessError:
                if attempt == 19:
                    raise
                time.sleep(0.2)
            else:
                return

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self) -> None:
        """End it as a crash does, children and all."""
        first = int((Path(self.data) / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def new_database(self) -> str:
        """Make an empty database; give its URL."""
        name = f"d{uuid.uuid4().hex}"
        self._run("psql", "-h", str(self.folder), "-U", "postgres", "-c", f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def dump(self, url: str, target: str) -> None:
        """Back up a database."""
        self._run("pg_dump", "--format=custom", "--file", target, url)

    def load(self, url: str, source: str) -> None:
        """Fill an empty database from a back-up, which is then gone."""
        self._run("pg_restore", "--dbname", url, source)
        Path(source).unlink()

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        become = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command = [*become, str(self.programs / program), *arguments]
        subprocess.run(
            command, check=check, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
