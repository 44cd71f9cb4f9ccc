"""Items that differ between groups, in reports."""

import numpy as np
import pandas as pd
import pytest

import itemcurve as ic
from itemcurve.analysis.keeping.kept_analyses import KeptAnalyses
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.groups import Groups
from itemcurve.reports.difference_section import (
    CURVES,
    DIFFERENCES,
    KEPT,
    difference_tables,
    draw_differences,
    look_for_differences,
)
from itemcurve.reports.sections import analysis_sections
from itemcurve.reports.source import read_source
from itemcurve.storage.run_folder import read_whole
from itemcurve.storage.tables import unpack_table


def draw(shift=2.0, respondents=400):
    """Answers of two groups; the first item is easier for the second."""
    rng = np.random.default_rng(1)
    labels = ["early"] * (respondents // 2) + ["late"] * (respondents // 2)
    late = np.array(labels) == "late"
    logits = rng.normal(size=respondents)[:, None] - rng.normal(size=8)
    logits[:, 0] += shift * late
    answers = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).astype(float)
    return ic.Responses.from_array(answers, items=[f"q{k}" for k in range(8)]), labels


@pytest.fixture(scope="module")
def fit():
    responses, labels = draw()
    return ic.fit(responses, "2pl", groups=labels)


def section_of(source):
    return next(s for s in analysis_sections(source) if s.title.startswith("Items that differ"))


def test_a_fit_with_groups_says_which_items_differ_and_what_to_do(fit):
    source = read_source(fit)
    section = section_of(source)
    notes = dict(section.notes)
    assert list(notes) == sorted(notes)
    assert notes["found"] == "1 of 8 items differ between groups: q0."
    assert notes["how much"].startswith("q0: late +")
    assert notes["what to do"].startswith("Read these items first.")
    assert "early (200), late (200)" in notes["tested by"]
    page = RunDocuments(source).page()
    assert page["steps"][-1].startswith("1 of 8 items differ between groups: q0.")
    assert [each["title"] for each in page["analyses"][0]["pictures"]] == ["q0"]


def test_both_curves_are_drawn_apart_as_the_item_differs(fit):
    (picture,) = section_of(read_source(fit)).pictures
    early, late = picture.traces
    assert (early.name, late.name) == ("early", "late")
    lows, highs = (
        [float(point.split(",")[1]) for point in trace.path[1:].split("L")]
        for trace in (early, late)
    )
    # Pixels count from the top; at the very end of the scale the curves may cross.
    most = len(lows) * 2 // 3
    assert all(b < a for a, b in zip(lows[:most], highs[:most], strict=True))
    assert len(early.dots) >= 5
    assert picture.caption.startswith("late +")


def test_without_a_difference_the_most_telling_item_is_drawn_and_nothing_is_to_do():
    responses, labels = draw(shift=0.0, respondents=120)
    source = read_source(ic.fit(responses, "2pl", groups=labels))
    section = section_of(source)
    advice = dict(section.notes)["what to do"]
    assert advice.startswith("Compare the groups by all items.")
    assert "large differences only" in advice
    assert len(section.pictures) == 1
    assert not any("differ" in step for step in RunDocuments(source).page()["steps"])


def test_a_run_keeps_what_was_found(fit, tmp_path):
    fit.save(tmp_path / "run")
    ic.report(tmp_path / "run", tmp_path / "page.html")
    opened = read_whole(tmp_path / "run", lambda run: run)
    kept = KeptAnalyses(opened).find(KEPT)
    assert unpack_table(kept[DIFFERENCES], DIFFERENCES)["item"][0] == "q0"
    assert set(kept) == {DIFFERENCES, CURVES}


def test_fits_that_cannot_tell_have_no_section(fit):
    responses, labels = draw()
    plain = ic.fit(responses, "2pl", covariates=pd.DataFrame({"size": np.arange(400.0)}))
    assert look_for_differences(plain) == {}
    freed = ic.fit(responses, "2pl", groups=Groups(labels, free=["q0"]))
    assert look_for_differences(freed) == {}


def test_tables_of_strangers_are_drawn_only_where_they_are_sound(fit):
    responses, labels = draw()
    documents = difference_tables(ic.dif(responses, labels, test="score"))
    table, curves = (unpack_table(documents[name], name) for name in (DIFFERENCES, CURVES))
    assert len(draw_differences(curves, table)) == 1
    assert draw_differences(None, table) == []
    assert draw_differences(curves.drop(columns="is_there"), table) == []
    assert draw_differences(curves.assign(expected="high"), table) == []
    assert draw_differences(curves, table.assign(lower="low")) == []
    assert draw_differences(curves.head(0), table) == []
