"""The dashboard in a browser: all pages, live and frozen; hostile names, files, decisions."""

import re

import numpy as np
import pandas
import pytest
from tests.dashboard.conftest import HOSTILE, first_paint

pytest.importorskip("fastapi", reason="FastAPI is not installed")

from tests.running.http_service import HttpService

import itemcurve as ic
from itemcurve.dashboard.frozen_run import report
from itemcurve.service.run_views import RunViews
from itemcurve.service.settings import ServiceSettings
from itemcurve.store.data_folder import open_store
from itemcurve.store.tokens import make_token

RUN_PAGES = ("leaderboard", "items", "worklist", "health", "tables", "checks")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    opened = open_store(tmp_path_factory.mktemp("service") / "store")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def served(store, exam, second_exam, labelled):
    """A service that shows three runs: its address, and their ids by name of the folder."""
    folders = [exam, second_exam, labelled[0]]
    service = HttpService(store, ServiceSettings(run_folders=folders))
    runs = {entry.path.name: entry.id for entry in RunViews(store, folders).list_all("local")}
    yield f"{service.url}/", runs
    service.stop()


@pytest.fixture(scope="module")
def frozen(tmp_path_factory, exam, labelled):
    folder = tmp_path_factory.mktemp("frozen")
    return {
        "exam": report(exam, folder / "exam.html").as_uri(),
        "run": report(labelled[0], folder / "labelled.html").as_uri(),
    }


def saved(page, press, tmp_path):
    """Press something that gives a file; give its name and where it is."""
    with page.expect_download() as started:
        press()
    path = tmp_path / started.value.suggested_filename
    started.value.save_as(path)
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
@pytest.mark.parametrize("life", ["live", "frozen"])
def test_all_pages_of_a_run_open_and_fit_the_window(life, width, scheme, served, frozen, visit):
    base, run = (served[0], served[1]["exam"]) if life == "live" else (frozen["exam"], "run")
    window = visit(base, width=width, scheme=scheme)
    cards = (("item", HOSTILE), ("item", "javascript:alert(1)"), ("respondent", "model-7"))
    places = [("run", run), *(("run", run, name) for name in RUN_PAGES)]
    for place in [*places, *(("run", run, *card) for card in cards)]:
        page = window.go(*place)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
        assert page.locator(".state.failed").count() == 0, place
        assert page.locator("main h2").count() >= 1, place
        assert page.evaluate("window.hacked") is None
        # Names are text wherever they are: the one picture is the one that was given.
        assert page.locator("img:not(.content), main b b, main i").count() == 0
        assert page.locator("a[href^='javascript']").count() == 0
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 25, 29)"
    assert dark == (scheme == "dark")


def test_pages_of_the_service_open(served, visit):
    base, runs = served
    window = visit(base)
    page = window.go()
    assert page.locator("article.run").count() == 3
    assert page.locator(".news").count() == 0
    page = window.go("compare", runs["exam"], runs["second"])
    assert "60 respondents and 40 items are in both" in page.locator(".said").first.inner_text()
    page = window.go("compare", runs["exam"], runs["exam"], a="model-3", b="model-9")
    assert "model-9 against model-3" in page.locator(".said").inner_text()
    assert "No tests yet" in window.go("sessions").locator("main").inner_text()
    assert "Drop files here" in window.go("upload").locator("main").inner_text()
    assert first_paint(page) < 1000


def test_home_says_what_changed_since_the_last_visit(served, visit):
    window = visit(served[0])
    window.go()
    page = window.page
    page.locator("article.run .tiles").nth(2).wait_for()
    seen = page.evaluate("localStorage.getItem('itemcurve-seen')")
    changed = re.sub(r'"answers":\["[^"]*"', '"answers":["somebody else"', seen, count=1)
    page.evaluate("(text) => localStorage.setItem('itemcurve-seen', text)", changed)
    page.reload()
    page.locator(".news").first.wait_for()
    assert "Who is best? Was somebody else, is" in page.locator(".news").first.inner_text()
    assert page.locator(".news").count() == 1


def test_every_state_has_a_link(served, visit):
    base, runs = served
    window = visit(base)
    page = window.go("run", runs["exam"], "leaderboard")
    page.locator("[data-table=respondents] input").fill("model-1")
    page.locator("[data-table=respondents] th button", has_text="mean response").click()
    link, rows = page.url, page.locator("[data-table=respondents] tbody tr").all_inner_texts()
    assert all("model-1" in row for row in rows)
    again = visit(base)
    again.page.goto(link)
    again.settle()
    found = again.page.locator("[data-table=respondents] tbody tr").all_inner_texts()
    assert found == rows
    page.locator("[data-table=respondents] tbody a").first.click()
    window.settle()
    assert page.locator("h2.name").inner_text().startswith("model-1")
    page.go_back()
    window.settle()
    assert page.url == link


def test_tables_and_pictures_can_be_taken_along(served, visit, tmp_path):
    window = visit(served[0])
    page = window.go("run", served[1]["exam"], "items")
    table = saved(page, lambda: page.locator("[data-table=items] .save").click(), tmp_path)
    found = pandas.read_csv(table)
    assert len(found) == 40
    # Hostile to spreadsheets, too: nothing begins like a formula.
    assert not found["item"].str.match(r"[=+\-@]").any()
    for kind, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        for place in (("items",), ("item", "item 9")):
            page = window.go("run", served[1]["exam"], *place)
            button = page.locator("figure .take button", has_text=kind).first
            path = saved(page, lambda button=button: button.click(), tmp_path)
            assert path.read_bytes().startswith(start)
            assert len(path.read_bytes()) > 2000


def test_names_like_formulas_are_saved_as_text(visit, tmp_path):
    """A spreadsheet runs what begins with = + - @; negative numbers stay numbers."""
    formulas = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\ttab", 'plain, "quoted"']
    drawn = ic.simulate("2pl", respondents=60, items=6, seed=1).responses.array()
    ic.fit(ic.Responses.from_array(drawn, items=formulas), "2pl").save(tmp_path / "run")
    window = visit(report(tmp_path / "run", tmp_path / "page.html").as_uri())
    page = window.go("run", "run", "items")
    path = saved(page, lambda: page.locator("[data-table=items] .save").click(), tmp_path)
    found = pandas.read_csv(path)
    assert set(found["item"]) == {*(f"'{name}" for name in formulas[:5]), formulas[5]}
    assert found["difficulty"].dtype.kind == "f"
    assert (found["difficulty"] < 0).any()


def test_a_lasso_lists_the_items_within(served, visit, exam):
    window = visit(served[0])
    page = window.go("run", served[1]["exam"], "items")
    canvas = page.locator("#map")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    middle, height = box["x"] + box["width"] / 2, box["height"] - 8
    corners = [(0, 4), (middle - box["x"], 4), (middle - box["x"], height), (0, height)]
    page.locator("button", has_text="Lasso").click()
    page.mouse.move(box["x"] + corners[0][0] + 1, box["y"] + corners[0][1])
    page.mouse.down()
    for x, y in corners[1:]:
        page.mouse.move(box["x"] + x, box["y"] + y, steps=5)
    page.mouse.up()
    page.locator("h3", has_text="Items in the choice").wait_for()
    window.settle()
    shown = int(page.locator("[data-table=items] .count").inner_text().split()[0])
    difficulty = ic.load(exam).items["difficulty"].to_numpy()
    low, high = difficulty.min(), difficulty.max()
    assert shown == (difficulty < (low + high) / 2).sum()
    assert "lasso=" in page.url
    canvas.focus()
    page.keyboard.press("Escape")
    page.locator("[data-table=items] .count", has_text="40 rows").wait_for()


def test_a_click_on_the_map_opens_the_card(served, visit, exam):
    window = visit(served[0])
    page = window.go("run", served[1]["exam"], "items")
    table = ic.load(exam).items
    x, y = table["difficulty"].to_numpy(), table["discrimination"].to_numpy()
    gaps = np.hypot((x[:, None] - x) / np.ptp(x), (y[:, None] - y) / np.ptp(y))
    np.fill_diagonal(gaps, 9)
    lonely = int(gaps.min(axis=1).argmax())
    box = page.locator("#map").bounding_box()
    share_x = (x[lonely] - x.min() + 0.06 * np.ptp(x)) / (1.12 * np.ptp(x))
    share_y = (y.max() + 0.06 * np.ptp(y) - y[lonely]) / (1.12 * np.ptp(y))
    at = {"x": share_x * box["width"], "y": share_y * box["height"]}
    page.locator("#map").click(position=at)
    page.locator("h2.name").wait_for()
    assert page.locator("h2.name").inner_text() == table["item"][lonely]


@pytest.mark.parametrize("life", ["live", "frozen"])
def test_ten_labels_are_decided_and_corrected(life, served, frozen, labelled, visit, tmp_path):
    base, run = (served[0], served[1]["run"]) if life == "live" else (frozen["run"], "run")
    window = visit(base)
    page = window.go("run", run)
    page.locator(".tile", has_text="Which labels to check?").click()
    window.settle()
    items = page.locator(".work").evaluate_all("(rows) => rows.map((row) => row.dataset.item)")[:10]
    # A key decides and goes on.
    for at in range(1, 6):
        page.keyboard.press("w")
        page.locator(".progress", has_text=f"{at} of").wait_for()
    for at, item in enumerate(items[5:], 6):
        row = page.locator(f".work[data-item='{item}']")
        row.locator("button", has_text="Wrong: it is" if at < 10 else "is right").click()
        page.locator(".progress", has_text=f"{at} of").wait_for()
    path = saved(page, lambda: page.locator("button.main").click(), tmp_path)
    found = pandas.read_csv(path, dtype=str).set_index("item")
    changed = found.index[found["given_label"] != found["corrected_label"]]
    assert sorted(changed) == sorted(items[:9])
    assert found.loc[items[9], "decision"] == "the label is right"
    assert set(found.loc[items[:9], "decision"]) == {"wrong label"}
    page.locator("details.correct summary").click()
    page.locator("details.correct input[type=text]").fill("label")
    give = page.locator("details.correct input[type=file]")
    mine = saved(page, lambda: give.set_input_files(labelled[1]), tmp_path)
    before, after = pandas.read_csv(labelled[1], dtype=str), pandas.read_csv(mine, dtype=str)
    assert (before["size"] == after["size"]).all()
    rows = np.flatnonzero((before["label"] != after["label"]).to_numpy())
    assert sorted(rows + 1) == sorted(int(item.rpartition("_")[2]) for item in items[:9])
    # The same rows in another order are another table, whatever labels stand there.
    other = tmp_path / "other.csv"
    before.assign(size=before["size"].to_numpy()[::-1]).to_csv(other, index=False)
    give.set_input_files(other)
    page.locator("details.correct [role=status]", has_text="Nothing was changed").wait_for()
    page.reload()
    window.settle()
    page.locator(".progress", has_text="10 of").wait_for()


def test_words_are_explained_on_hover_and_by_keyboard(frozen, visit):
    page = visit(frozen["exam"]).go("run", "run", "items")
    page.locator("th button", has_text="outfit").hover()
    assert "squared residual" in page.locator("[role=tooltip]").inner_text()
    page.locator("th button", has_text="verdict").focus()
    assert "What an item does" in page.locator("[role=tooltip]").first.inner_text()
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)
    assert page.locator("[role=tooltip]").count() == 0


def test_the_map_obeys_the_keyboard(frozen, visit):
    page = visit(frozen["exam"]).go("run", "run", "items")
    page.locator("#map").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    assert "view=" in page.url
    page.keyboard.press("0")
    assert "view=" not in page.url
    page.keyboard.press("Enter")
    page.locator("h3", has_text="Items in the choice").wait_for()


def test_a_file_is_handed_in_and_fitted(served, visit, tmp_path):
    path = tmp_path / "answers.csv"
    ic.simulate("2pl", respondents=40, items=8, seed=1).responses.frame().to_csv(path, index=False)
    window = visit(served[0])
    page = window.go("upload")
    page.locator("input[type=file]").set_input_files(path)
    page.locator(".steps a", has_text="Open the run").first.wait_for(timeout=60_000)
    page.locator("ul.steps", has_text="answers.csv,").wait_for()
    page.locator(".steps a").first.click()
    window.settle()
    assert "40 respondents" in page.locator("p.facts").inner_text()


def test_a_test_is_followed_as_it_goes_on(served, visit):
    from itemcurve.client import Service

    window = visit(served[0])
    page = window.go("sessions")
    service = Service(served[0].rstrip("/"))
    bank = ic.Bank.from_parameters("2pl", discrimination=1.5, difficulty=np.linspace(-2, 2, 20))
    session = service.begin(service.add_bank(bank).mark, respondent="<b>me</b>")
    page.locator("[data-table=sessions] a", has_text="<b>me</b>").wait_for()
    page.locator("[data-table=sessions] a").first.click()
    window.settle()
    session.answer({session.items[0]: 1.0})
    session.answer({session.items[0]: 0.0})
    page.locator("[data-table=trace] tbody tr").nth(1).wait_for()
    assert page.locator("svg circle").count() == 2


def test_a_token_is_asked_for_and_kept_for_the_tab(store, exam, browser):
    service = HttpService(store, ServiceSettings(is_token_required=True))
    text, work = make_token("a", "test", ("read", "write"), days=1.0)
    store.database.write(work)
    page = browser.new_page()
    page.goto(f"{service.url}/")
    page.locator("input[name=token]").fill(text)
    page.keyboard.press("Enter")
    page.locator("h3", has_text="No runs yet").wait_for()
    page.reload()
    page.locator("h3", has_text="No runs yet").wait_for()
    assert page.evaluate("localStorage.length") == 0
    assert text not in page.url
    page.close()
    service.stop()


def test_a_million_items_pan_smoothly(served, visit):
    from benchmarks.item_map import pan_map

    window = visit(served[0], width=1000)
    # The best of three: what else the machine does must not decide.
    for _ in range(3):
        found = pan_map(window, served[1]["exam"], 1_000_000, seconds=1.0)
        assert (found["width"], found["height"]) == (900, 600)
        if found["frames_per_second"] >= 30:
            return
        window.page.reload()
    # 60 on a quiet machine (`python -m benchmarks.item_map`); tests share theirs.
    assert found["frames_per_second"] > 5
