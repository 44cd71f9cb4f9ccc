"""Two runs side by side, as `compare_respondents` compares each respondent with itself."""

import pytest

import itemcurve as ic
from itemcurve.dashboard.run_comparison import compare_runs, compare_two
from itemcurve.dashboard.run_documents import RunDocuments
from itemcurve.reports.source import read_source


@pytest.fixture(scope="module")
def both(exam, second_exam):
    return [RunDocuments(read_source(path)) for path in (exam, second_exam)]


def column(table, name):
    return next(c["cells"] for c in table["columns"] if c["name"] == name)


def test_respondents_and_items_that_changed_come_first(both, exam, second_exam):
    first, second = both
    found = compare_runs(first.source, second.source, (first.ranked, second.ranked))
    assert found["words"][0].startswith("60 respondents and 40 items are in both.")
    table = found["respondents"]
    name = column(table, "respondent")[0]
    expected = ic.compare_respondents(
        ic.load(exam).responses, name, name, others=ic.load(second_exam).responses
    )
    assert column(table, "difference")[0] == pytest.approx(expected.difference, abs=1e-5)
    gaps = [abs(gap) for gap in column(table, "difference")]
    assert gaps == sorted(gaps, reverse=True)
    changed = [
        (item, now)
        for item, before, now in zip(
            *(column(found["items"], n) for n in ("item", "verdict_before", "verdict_now")),
            strict=True,
        )
        if before != now
    ]
    assert ("item 21", "suspect label") in changed
    assert column(found["items"], "item")[: len(changed)] == [item for item, _ in changed]


def test_one_against_one_lists_the_items_on_which_they_differ(both, exam):
    first, _ = both
    found = compare_two(first.source, "model-3", first.source, "model-9")
    responses = ic.load(exam).responses
    a, b = (responses.select([name]).array()[0] for name in ("model-3", "model-9"))
    differing = [item for item, x, y in zip(responses.items, a, b, strict=True) if x != y]
    assert sorted(column(found["flips"], "item")) == sorted(differing)
    assert found["words"][0].startswith("model-9 against model-3")
