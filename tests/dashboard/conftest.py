"""Runs with hostile names for the dashboard, live and frozen."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import numpy as np
import pandas
import pytest

from itemcurve.datasets.simulation import simulate
from itemcurve.estimation.fit import fit
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


SUBJECTS = ("algebra", "<i>history</i>", "logic")
# One pixel.
PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhg"
    "GAWjR9awAAAABJRU5ErkJggg=="
)


def write_run(folder, *, seed=1, wrong=(11,)):
    """Sixty respondents and forty items; keys of some are wrong, some names are hostile."""
    drawn = simulate("2pl", respondents=60, items=40, seed=1).responses.array()
    noise = np.random.default_rng(seed).random(drawn.shape) < 0.02
    drawn = np.where(noise, 1 - drawn, drawn)
    drawn[:, list(wrong)] = 1 - drawn[:, list(wrong)]
    items = [HOSTILE, "javascript:alert(1)", *(f"item {i}" for i in range(3, 41))]
    names = [HOSTILE + "&amp;", "javascript:alert(2)", *(f"model-{i}" for i in range(3, 61))]
    fit(Responses.from_array(drawn, respondents=names, items=items), "2pl").save(folder)
    content = pandas.DataFrame(
        {
            "item": items,
            "question": [f"What is <b>{i}</b>?" for i in range(40)],
            "group": [SUBJECTS[i % 3] for i in range(40)],
            "image": [PICTURE, "data:text/html;base64,PGI+", *[None] * 38],
        }
    )
    update_run(folder, {"questions": pack_table(content, "Questions <i>asked</i>")}, {})
    return folder


@pytest.fixture(scope="session")
def exam(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("dashboard") / "exam")


@pytest.fixture(scope="session")
def second_exam(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("dashboard") / "second", seed=2, wrong=(11, 20))


@pytest.fixture(scope="session")
def labelled(tmp_path_factory):
    """An evaluation some of whose labels are wrong, and the table it was of."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    import itemcurve as ic

    features, labels = load_breast_cancer(return_X_y=True)
    features, labels = StandardScaler().fit_transform(features)[:200], labels[:200].copy()
    wrong = np.random.default_rng(0).choice(200, 20, replace=False)
    labels[wrong] = 1 - labels[wrong]
    pool = {
        "Logistic regression": LogisticRegression(),
        "Naive Bayes": GaussianNB(),
        "Neighbours": KNeighborsClassifier(),
        "Tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    }
    folder = tmp_path_factory.mktemp("labelled")
    columns = pandas.DataFrame(features).rename(columns=lambda place: f"x{place}")
    columns = columns.rename(columns={"x0": "size"})
    ic.evaluate_classifiers(pool, columns, labels, cv=3, seed=0).save(folder / "run")
    table = pandas.DataFrame({"size": features[:, 0], "label": labels})
    table.to_csv(folder / "table.csv", index=False)
    return folder / "run", folder / "table.csv"


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


@dataclass
class Visit:
    """A page of the dashboard in a browser."""

    page: object
    base: str

    def go(self, *parts, **settings):
        """Go to a place by its link, and wait until it is shown."""
        path = "/".join(quote(part, safe="") for part in parts)
        self.page.goto(f"{self.base}#/{path}" + (f"?{urlencode(settings)}" if settings else ""))
        self.settle()
        return self.page

    def settle(self):
        """Wait until nothing is loading."""
        self.page.wait_for_selector("html[data-ready=true]", timeout=20_000)
        self.page.wait_for_timeout(30)
        self.page.locator(".state.waiting").first.wait_for(state="hidden", timeout=20_000)


@pytest.fixture
def visit(browser):
    """Open the dashboard; afterwards nothing may have been complained about or asked elsewhere."""
    contexts, complaints, elsewhere = [], [], []

    def open_it(base, *, width=1400, scheme="light", height=900, storage=None):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, storage_state=storage
        )
        contexts.append(context)
        page = context.new_page()
        own = (base.partition("#")[0], "data:", "blob:")
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(own) else elsewhere.append(request.url),
        )
        return Visit(page, base)

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []
    assert elsewhere == []
