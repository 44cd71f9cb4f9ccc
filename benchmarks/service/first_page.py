"""From the start of `itemcurve serve` to its first page, and to the first words in a browser."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.service.running_service import free_port

_FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_PAINT = "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)"


def make_demo(folder: Path) -> Path:
    """Write the run that `make demo` writes."""
    run = folder / "demo" / "run"
    command = [sys.executable, "-m", "itemcurve", "evaluate", "breast_cancer"]
    subprocess.run(
        [*command, "--flip-labels", "0.2", "--out", str(run)], check=True, capture_output=True
    )
    return run


class Start:
    """One start of the service; its page has been read once when this is made.

    Attributes
    ----------
    wall, cpu : seconds until then, those of the process included that starts it.
    """

    def __init__(self, run: Path, data: Path) -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
        command = [sys.executable, "-m", "itemcurve", "serve", str(run), "--quiet"]
        command += ["--port", self.url.rpartition(":")[2], "--data", str(data)]
        started = time.perf_counter()
        self._process = subprocess.Popen(command)
        while not self._is_there():
            time.sleep(0.002)
        self.wall, self.cpu = time.perf_counter() - started, self._cpu()

    def end(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()

    def _is_there(self) -> bool:
        try:
            with urlopen(f"{self.url}/", timeout=5) as page:
                return b"<script" in page.read()
        except (ConnectionError, URLError):
            return False

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_starts(run: Path, data: Path, times: int) -> dict[str, list[float]]:
    """Start it so many times; give seconds on the clock and of the processor."""
    found: dict[str, list[float]] = {"wall": [], "cpu": []}
    for _ in range(times):
        start = Start(run, data)
        start.end()
        found["wall"].append(start.wall)
        found["cpu"].append(start.cpu)
    return found


def measure_paint(run: Path, data: Path, times: int) -> dict[str, list[float]]:
    """Seconds from opening the page to its first words, and to the name of the run."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    start, found = Start(run, data), {"paint": [], "run": []}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=_FLAGS)
        for _ in range(times):
            page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
            opened = time.perf_counter()
            page.goto(start.url)
            page.get_by_text("demo/run").first.wait_for()
            found["run"].append(time.perf_counter() - opened)
            while not (painted := page.evaluate(_PAINT)):
                page.wait_for_timeout(5)
            found["paint"].append(painted[0] / 1e3)
            page.context.close()
        browser.close()
    start.end()
    return found


def say(values: list[float]) -> str:
    """Write a median with the least and the most."""
    return f"{statistics.median(values):.2f} s ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        run, data = make_demo(Path(folder)), Path(folder) / "data"
        starts = measure_starts(run, data, 9)
        print("first page", say(starts["wall"]), "processor", say(starts["cpu"]))
        for name, values in measure_paint(run, data, 9).items():
            print(name, say(values))


if __name__ == "__main__":
    main()
