"""How long a report takes to write, how large it is, how soon a browser shows it."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import itemcurve as ic
from benchmarks.section import Column, Options, Row, Section, show_progress

_CASES = (("2pl", 500, 10_000), ("2pl", 30, 1_000), ("2pl", 2_000, 200), ("2pl-nd", 200, 500))
_SMALL = (("2pl", 60, 100),)
_FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_PAINT = "performance.getEntriesByName('first-contentful-paint')"


def measure(options: Options, cached: list[Row]) -> list[Row]:
    """Write each page twice, keep the quicker time, and open it."""
    rows = []
    for model, respondents, items in _SMALL if options.small else _CASES:
        drawn = ic.simulate(model, respondents=respondents, items=items, seed=1)
        with TemporaryDirectory() as folder:
            run, page = Path(folder) / "run", Path(folder) / "page.html"
            ic.fit(drawn.responses, model, on_failure="ignore").save(run)
            times = [_time(run, page) for _ in range(2)]
            row: Row = {
                "what": f"{model}, {respondents:,} × {items:,}",
                "wall": min(wall for wall, _ in times),
                "cpu": min(cpu for _, cpu in times),
                "megabytes": page.stat().st_size / 1e6,
                "paint": _first_paint(page),
            }
        show_progress(f"  {row}")
        rows.append(row)
    return rows


def _time(run: Path, page: Path) -> tuple[float, float]:
    wall, cpu = perf_counter(), process_time()
    ic.report(run, page)
    return perf_counter() - wall, process_time() - cpu


def _first_paint(page: Path) -> float | None:
    """Seconds from opening the file to the first words; the best of three."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=_FLAGS)
        for _ in range(3):
            opened = browser.new_page()
            opened.goto(page.as_uri())
            # Asked again until known: the page forbids the evaluation that waiting would use.
            while not opened.evaluate(f"{_PAINT}.length"):
                opened.wait_for_timeout(20)
            found.append(opened.evaluate(f"{_PAINT}[0].startTime") / 1000)
            opened.close()
        browser.close()
    return min(found)


SECTION = Section(
    name="pages",
    title="The report",
    notes=(
        "From a run folder to one HTML file (`itemcurve report`), reading the run included, "
        "imports after the first page not. First paint: in Debian's chromium, from disk."
    ),
    columns=(
        Column("what", "model, respondents × items"),
        Column("wall", "seconds", ".2f"),
        Column("cpu", "CPU seconds", ".2f"),
        Column("megabytes", "MB", ".2f"),
        Column("paint", "first paint, s", ".2f"),
    ),
    measure=measure,
)
