"""The page as a file: complete, valid, safe, and honest about what it shows."""

import re
import shlex
import time

import html5lib
import pandas
import pytest
from tests.catalogue import MODELS
from tests.reports.conftest import HOSTILE

import itemcurve as ic
from itemcurve.cli.main import run as run_command
from itemcurve.errors import ModelError, StorageError
from itemcurve.reports.page import report


@pytest.fixture(scope="module")
def text(written):
    return written.page.read_text("utf-8")


def parsed(text):
    """Parse strictly: anything that is not valid HTML raises."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def test_the_page_is_valid_and_complete(text):
    tree = parsed(text)
    sections = [element.get("id") for element in tree.iter("section")]
    assert sections == [
        *("summary", "respondents", "items", "scale"),
        *("analysis-leaderboard", "analysis-notes-of-mine", "methods"),
    ]
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    targets = [link.get("href")[1:] for link in tree.iter("a")]
    assert set(targets) <= set(ids)


def test_nothing_is_loaded_from_anywhere(text):
    tree = parsed(text)
    for element in tree.iter():
        assert element.get("src") is None
        assert not (element.get("href") or "#").startswith(("http", "//", "file"))
    assert "default-src 'none'" in text
    assert "@import" not in text
    assert "url(" not in text


def test_hostile_names_stay_names(text):
    assert HOSTILE not in text
    assert "<img" not in text
    assert "<b>bold</b>" not in text
    assert "<i>of</i>" not in text
    assert "{{ 7 * 7 }}" in text
    assert len(re.findall("</script>", text)) == 3


def test_the_summary_speaks_in_sentences(text):
    tree = parsed(text)
    summary = next(element for element in tree.iter("section") if element.get("id") == "summary")
    words = " ".join("".join(summary.itertext()).split())
    assert "80 respondents answered 40 items" in words
    assert "is best, with an ability of" in words
    assert "has a suspect label" in words
    assert "IRT006 · suspect labels" in words
    assert "Read the results with care" in words


def test_tiers_of_the_leaderboard_stand_beside_abilities(text):
    tree = parsed(text)
    section = next(e for e in tree.iter("section") if e.get("id") == "respondents")
    assert "tier" in [heading.text for heading in section.iter("th")]


def test_the_command_repeats_the_fit(written, text, tmp_path, monkeypatch):
    command = next(element.text for element in parsed(text).iter("code"))
    words = shlex.split(command)
    assert words[:2] == ["itemcurve", "fit"]
    monkeypatch.chdir(tmp_path)
    assert run_command([*words[1:], "--quiet"]) == 0
    again = ic.load(tmp_path / "again")
    assert again.log_likelihood == ic.load(written.run).log_likelihood


def test_the_same_run_gives_the_same_page(written, text, tmp_path):
    again = report(written.run, tmp_path / "again.html")
    assert again.read_text("utf-8") == text


@pytest.mark.parametrize("model", MODELS)
def test_every_model_has_a_valid_page(model, fitted, tmp_path):
    page = fitted(model).report(tmp_path / "page.html")
    text = page.read_text("utf-8")
    parsed(text)
    assert "nan" not in re.sub("<script.*", "", text, flags=re.DOTALL).lower().split()


def test_tables_and_mutes_can_be_given(fitted, tmp_path):
    audit = pandas.DataFrame(
        {"item": ["item_02"], "verdict": ["suspect label"], "label_error_probability": [0.9]}
    )
    page = report(
        fitted("beta3"),
        tmp_path / "page.html",
        title="Mine & yours",
        tables={"audit": audit},
        mute=("IRT008",),
    )
    text = page.read_text("utf-8")
    assert "<title>Mine &amp; yours</title>" in text
    assert "IRT008" not in text
    assert "by the item audit" in text
    assert 'id="analysis-audit"' in text
    section = next(e for e in parsed(text).iter("section") if e.get("id") == "items")
    assert "label error probability" in [heading.text for heading in section.iter("th")]


def test_what_is_no_fit_is_refused(tmp_path, fitted):
    with pytest.raises(ModelError, match="a fit or the path"):
        report(42, tmp_path / "page.html")
    with pytest.raises(StorageError, match="no folder"):
        report(tmp_path / "nowhere", tmp_path / "page.html")
    with pytest.raises(ModelError, match="IRT123"):
        report(fitted("2pl"), tmp_path / "page.html", mute=("IRT123",))
    with pytest.raises((StorageError, OSError)):
        report(fitted("2pl"), tmp_path / "no folder" / "page.html")


def test_the_function_is_not_hidden_by_its_folder(fitted, tmp_path):
    import itemcurve.reports.page  # noqa: F401 - importing it must not change ic.report

    assert callable(ic.report)


@pytest.mark.slow
def test_a_large_page_is_small_and_quick(tmp_path):
    drawn = ic.simulate("2pl", respondents=500, items=10_000, seed=1)
    ic.fit(drawn.responses, "2pl").save(tmp_path / "run")
    started = time.perf_counter()
    page = ic.report(tmp_path / "run", tmp_path / "report.html")
    seconds = time.perf_counter() - started
    assert page.stat().st_size < 2_000_000
    # 10 s on a quiet machine; tests share theirs.
    assert seconds < 20
