"""Answers that are missing where items are hard."""

import numpy as np

import itemcurve as ic
from itemcurve.analysis.findings.missing_findings import (
    find_cells_answered_twice,
    find_missing_answers,
)


def answers(seed):
    return ic.simulate("2pl", respondents=20, items=150, seed=seed).responses.array()


def fit(values):
    return ic.fit(ic.Responses.from_array(values), "rasch")


def test_who_lacks_what_it_would_have_got_wrong_is_named():
    values = answers(1)
    row = int(np.argmin(np.abs(values.mean(axis=1) - 0.6)))
    wrong = np.flatnonzero(values[row] == 0)
    values[row, wrong[::2]] = np.nan
    found = find_missing_answers(fit(values))
    assert found.severity == "warning"
    assert found.concerned == (fit(values).responses.respondents[row],)
    assert f"lacks {len(wrong[::2])} of 150" in found.message
    assert "IRT015" in [finding.code for finding in ic.findings(fit(values))]


def test_answers_missing_at_random_are_no_finding():
    rng = np.random.default_rng(3)
    alarms = 0
    for seed in range(30):
        values = answers(seed)
        values[rng.random(values.shape) < 0.1] = np.nan
        alarms += find_missing_answers(fit(values)) is not None
    # One in a hundred tests together: three or more of thirty has a probability of 0.003.
    assert alarms < 3


def test_complete_answers_and_parts_that_were_given_out_are_no_finding():
    values = answers(2)
    assert find_missing_answers(fit(values)) is None
    hard = np.argsort(np.nanmean(values, axis=0))[:90]
    values[7, hard] = np.nan
    assert find_missing_answers(fit(values)) is None


def test_a_few_rows_that_stand_twice_are_said_and_repeats_that_are_meant_are_not():
    import pandas

    table = ic.simulate("2pl", respondents=30, items=20, seed=1).responses.frame("long")
    twice = ic.Responses.from_frame(pandas.concat([table, table.iloc[:3]]))
    found = find_cells_answered_twice(ic.fit(twice, "rasch"))
    assert found.message == "3 cells of 600 have more than one response; each counts."
    assert found.concerned == (table["respondent"][0],)
    meant = ic.Responses.from_frame(pandas.concat([table, table]))
    assert find_cells_answered_twice(ic.fit(meant, "rasch")) is None
    assert find_cells_answered_twice(ic.fit(ic.Responses.from_frame(table), "rasch")) is None
