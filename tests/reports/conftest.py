"""A run folder with hostile names and two analyses, its report, and a browser to open it in."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas
import pytest

from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
from itemcurve.reports.page import report
from itemcurve.responses.matrix import Responses
from itemcurve.storage.run_folder import update_run
from itemcurve.storage.tables import pack_table

HOSTILE = '</script><img src=x onerror="window.hacked = true">'
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def first_paint(page) -> float:
    """Milliseconds to the first words; asked again until known, because the page forbids eval."""
    asked = "performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)"
    for _ in range(100):
        if found := page.evaluate(asked):
            return found[0]
        page.wait_for_timeout(50)
    raise AssertionError("the page was never painted")


@dataclass(frozen=True)
class Written:
    """A run folder and its report."""

    run: Path
    page: Path


@pytest.fixture(scope="session")
def written(tmp_path_factory) -> Written:
    folder = tmp_path_factory.mktemp("report")
    drawn = simulate("2pl", respondents=80, items=40, seed=1, missing=0.05).responses.array()
    drawn[:, 11] = 1 - drawn[:, 11]
    items = [HOSTILE, "'; alert(1); //", "{{ 7 * 7 }}", *(f"item {i}" for i in range(4, 41))]
    names = [HOSTILE + "&amp;", *(f"model-{i}" for i in range(2, 81))]
    result = fit(Responses.from_array(drawn, respondents=names, items=items), "2pl")
    result.save(folder / "run")
    ranks = np.arange(1, 81)
    board = pandas.DataFrame({"respondent": names, "accuracy": ranks / 80, "tier": ranks % 3})
    other = pandas.DataFrame({"item": [HOSTILE, "item 9"], "note": ["<b>bold</b>", None]})
    update_run(
        folder / "run",
        {
            "leaderboard": pack_table(board, "Leaderboard", {"metric": "accuracy", "folds": 5}),
            "notes-of-mine": pack_table(other, "Notes <i>of</i> mine"),
            "not-a-table": {"anything": 1},
        },
        {},
    )
    page = report(folder / "run", folder / "report.html")
    return Written(folder / "run", page)


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, driven by Playwright; tests skip where either cannot be had."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no chromium; install it with `apt-get install chromium`")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser):
    """Open a page from disk; afterwards nothing may have been complained about or asked for."""
    contexts, complaints, requests = [], [], []

    def open_it(path: Path, *, width: int = 1400, scheme: str = "light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=true]", timeout=20_000)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
