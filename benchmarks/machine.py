"""Facts about the machine that make a timing readable; nothing that names it."""

import datetime
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def describe_machine() -> dict[str, str]:
    """Cores, processor, versions, date and how busy the machine was."""
    facts = {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "cores": str(os.cpu_count()),
        "processor": _processor(),
        "load": f"{os.getloadavg()[0]:.1f}",
        "Python": platform.python_version(),
    }
    return facts | {name: _version(name) for name in ("numpy", "scipy", "itemcurve")}


def peak_memory_mb() -> float:
    """Peak resident memory of this process.

    VmHWM starts anew with each program; getrusage's ru_maxrss is inherited from the parent.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("Peak memory is read from /proc, which this system lacks.")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
