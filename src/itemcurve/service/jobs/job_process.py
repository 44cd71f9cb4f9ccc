"""The process of a job, seen from the service: started, listened to, ended."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

# No password of a database is in its surroundings.
_KEPT_ENVIRONMENT = (
    *("PATH", "PYTHONPATH", "HOME", "LANG", "TMPDIR", "OPENBLAS_NUM_THREADS"),
    # Without them, Python does not start on Windows, or finds no place for files.
    *("SYSTEMROOT", "USERPROFILE", "TEMP", "TMP"),
)
_LONGEST_LINE = 2**16


class JobProcess:
    """A process that does one job; it ends when this one does.

    Parameters
    ----------
    wanted : what to do, as `fit_process` reads it.
    """

    def __init__(self, wanted: Mapping[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "itemcurve.service.jobs.fit_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={k: v for k, v in os.environ.items() if k in _KEPT_ENVIRONMENT},
        )
        self._wanted = json.dumps(wanted).encode() + b"\n"

    def follow(self, tell: Callable[[dict[str, Any]], None]) -> tuple[int, dict[str, Any]]:
        """Listen until it ends; give its exit code and the last thing that it said."""
        last: dict[str, Any] = {}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(self._wanted)
            self._process.stdin.flush()
        while line := self._process.stdout.readline(_LONGEST_LINE):
            with contextlib.suppress(ValueError):
                last = json.loads(line)
                tell(last)
        code = self._process.wait()
        self._process.stdout.close()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        return code, last

    def kill(self) -> None:
        """End it and all that it started."""
        if self._process.poll() is not None:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
