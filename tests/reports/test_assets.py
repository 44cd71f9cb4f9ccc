"""The page in a browser: opens from disk, linked pictures, tables, colours, keyboard."""

import re

import pandas
import pytest
from tests.reports.conftest import HOSTILE, first_paint

ITEMS = '[data-table="items"]'
RESPONDENTS = '[data-table="respondents"]'


def rows(page, table, column):
    return page.locator(f"{table} tbody tr td:nth-child({column})").all_inner_texts()


def heading(page, table, name):
    return page.locator(f"{table} th button", has_text=re.compile(f"^{re.escape(name)}$")).first


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_from_disk_and_fits_the_window(width, scheme, written, open_page):
    page = open_page(written.page, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#detail svg path.line").count() == 1
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")


def test_hostile_names_are_shown_and_not_run(written, open_page):
    page = open_page(written.page)
    page.locator(f"{ITEMS} input").fill("onerror")
    page.locator(f"{ITEMS} button.item").first.click()
    assert page.locator("#detail h3").inner_text() == HOSTILE
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


def test_a_click_on_an_item_shows_its_curve(written, open_page):
    page = open_page(written.page)
    page.locator(f"{ITEMS} input").fill("item 20")
    page.locator(f"{ITEMS} button.item").first.click()
    assert page.locator("#detail h3").inner_text() == "item 20"
    assert page.locator("#detail circle.seen").count() >= 10
    assert "verdict:" in page.locator("#detail").inner_text()
    assert page.locator(f"{ITEMS} tr.chosen").count() == 1


def test_a_click_in_the_picture_chooses_and_hovering_names(written, open_page):
    page = open_page(written.page)
    canvas = page.locator("#scatter")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    before = page.locator("#detail h3").inner_text()
    shown = set()
    for x in range(60, int(box["width"]) - 10, 12):
        page.mouse.move(box["x"] + x, box["y"] + box["height"] * 0.45)
        if page.locator("#tip").is_visible():
            shown.add(page.locator("#tip").inner_text())
            name = page.locator("#tip").inner_text().split(" · ")[0]
            page.mouse.click(box["x"] + x, box["y"] + box["height"] * 0.45)
            assert page.locator("#detail h3").inner_text() == name
    assert len(shown) > 2
    assert page.locator("#detail h3").inner_text() != before


def test_a_click_on_a_respondent_shows_what_surprised(written, open_page):
    page = open_page(written.page)
    assert not page.locator("#who").is_visible()
    page.locator(f"{RESPONDENTS} button.who").nth(3).click()
    name = page.locator(f"{RESPONDENTS} button.who").nth(3).inner_text()
    assert page.locator("#who h3").inner_text() == name
    item = page.locator("#who button.item").first
    chosen = item.inner_text()
    item.click()
    assert page.locator("#detail h3").inner_text() == chosen


def test_every_item_has_a_link(written, open_page):
    page = open_page(written.page)
    page.locator(f"{ITEMS} input").fill("item 20")
    page.locator(f"{ITEMS} button.item").first.click()
    assert page.url.endswith("#item=item%2020")
    page.goto(written.page.as_uri() + "#item=item%2033")
    page.locator("#detail h3", has_text=re.compile("^item 33$")).wait_for()


def test_headings_are_explained_to_mouse_and_keyboard(written, open_page):
    page = open_page(written.page)
    heading(page, ITEMS, "outfit").hover()
    assert "squared residual" in page.locator("#meaning").inner_text()
    heading(page, RESPONDENTS, "ability").focus()
    assert "How able a respondent is" in page.locator("#meaning").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("#meaning").is_visible()


def test_tables_can_be_saved_as_they_are_shown(written, open_page, tmp_path):
    page = open_page(written.page)
    page.locator(f"{ITEMS} input").fill("item 2")
    with page.expect_download() as started:
        page.locator(f"{ITEMS} .save").click()
    started.value.save_as(tmp_path / "items.csv")
    table = pandas.read_csv(tmp_path / "items.csv")
    assert started.value.suggested_filename == "items.csv"
    assert len(table) == int(page.locator(f"{ITEMS} .count").inner_text().split(" ")[0])
    assert all("2" in name for name in table["item"])
    assert {"difficulty", "discrimination", "verdict"} <= set(table.columns)


def test_tables_sort_both_ways(written, open_page):
    page = open_page(written.page)
    button = heading(page, ITEMS, "difficulty")
    for expected in ("descending", "ascending"):
        button.click()
        values = [float(text.replace("−", "-")) for text in rows(page, ITEMS, 5)]
        assert values == sorted(values, reverse=expected == "descending")
        cell = page.locator(f"{ITEMS} th[aria-sort={expected}]")
        assert cell.inner_text().startswith("difficulty")


def test_words_sort_with_numbers_in_them(written, open_page):
    page = open_page(written.page)
    heading(page, RESPONDENTS, "respondent").click()
    found = [name for name in rows(page, RESPONDENTS, 2) if name.startswith("model-")]
    assert found[:3] == ["model-2", "model-3", "model-4"]


def test_tables_search_and_turn_pages(written, open_page):
    page = open_page(written.page)
    assert len(rows(page, RESPONDENTS, 2)) == 15
    page.locator(f"{RESPONDENTS} .pager button", has_text="Next").click()
    assert rows(page, RESPONDENTS, 1)[0] == "16"
    page.locator(f"{RESPONDENTS} input").fill("MODEL-7")
    names = rows(page, RESPONDENTS, 2)
    assert names
    assert all("model-7" in name for name in names)
    assert "of 80 rows" in page.locator(f"{RESPONDENTS} .count").inner_text()
    page.locator(f"{RESPONDENTS} input").fill("nothing like it")
    assert rows(page, RESPONDENTS, 2) == []


def test_the_first_rows_are_the_same_with_and_without_the_script(written, open_page, browser):
    context = browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(written.page.as_uri())
    page = open_page(written.page)
    for table in (ITEMS, RESPONDENTS):
        for column in (1, 3, 4, 5):
            assert rows(still, table, column) == rows(page, table, column)
    assert "Without JavaScript" in still.locator("noscript").inner_text()
    context.close()


def test_verdicts_can_be_hidden(written, open_page):
    page = open_page(written.page)
    page.locator("#legend button", has_text="suspect label").click()
    assert "suspect label" not in " ".join(rows(page, ITEMS, 2))
    page.locator("#legend button", has_text="suspect label").click()
    assert "suspect label" in " ".join(rows(page, ITEMS, 2))


def test_dark_colours_can_be_chosen(written, open_page):
    page = open_page(written.page)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert page.locator("#theme").inner_text() == "Light"
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_everything_works_by_keyboard(written, open_page):
    page = open_page(written.page)
    page.locator("#scatter").focus()
    first = page.locator("#detail h3").inner_text()
    page.keyboard.press("ArrowRight")
    second = page.locator("#detail h3").inner_text()
    page.keyboard.press("ArrowRight")
    third = page.locator("#detail h3").inner_text()
    assert len({first, second, third}) == 3
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "detail"
    heading(page, RESPONDENTS, "ability").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    values = [float(text) for text in rows(page, RESPONDENTS, 4)]
    assert values == sorted(values)
    page.locator(f"{ITEMS} button.item").nth(2).focus()
    name = page.locator(f"{ITEMS} button.item").nth(2).inner_text()
    page.keyboard.press("Enter")
    assert page.locator("#detail h3").inner_text() == name
    page.locator("#theme").focus()
    page.keyboard.press("Space")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_tab_reaches_every_part(written, open_page):
    page = open_page(written.page)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"skip", "theme", "scatter"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_prints_on_white_without_its_controls(scheme, written, open_page):
    page = open_page(written.page, scheme=scheme)
    page.emulate_media(media="print")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert not page.locator(f"{ITEMS} .tools").is_visible()
    assert page.locator("#detail svg").is_visible()


def test_first_paint_comes_within_a_second(written, open_page):
    page = open_page(written.page)
    assert first_paint(page) < 1000
