"""Tables that show what matters at 80 columns."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.showing.text_tables import text_table


@pytest.fixture(scope="module", name="evaluation")
def standard_pool(moons):
    return ic.evaluate_classifiers(ic.pools.standard_classifiers(), *moons)


def test_printed_results_fit_eighty_columns(evaluation):
    groups = np.arange(len(evaluation.responses.items)) % 3
    for result in (
        evaluation,
        evaluation.leaderboard(),
        evaluation.audit(),
        ic.audit_labels(evaluation.predictions),
        evaluation.strengths(groups),
        ic.compare(evaluation.fit, evaluation.fit),
    ):
        assert max(map(len, str(result).splitlines())) <= 80, result


def test_a_printed_leaderboard_has_ranks_tiers_skill_and_who_is_first(evaluation):
    lines = str(evaluation.leaderboard()).splitlines()
    assert lines[0].split()[:4] == ["rank", "respondent", "tier", "skill"]
    first = evaluation.leaderboard().respondents[0]
    assert first in lines[1]
    assert f"{first} is first, with skill" in "\n".join(lines)


def test_an_audit_prints_the_labels_to_look_at(evaluation):
    text = str(evaluation.audit())
    assert "label → likely" in text
    assert text.count("next in line") + text.count("suspect label") >= 10


def test_wide_cells_are_cut_at_their_end_and_numbers_stay_whole():
    table = pandas.DataFrame(
        {"name": ["n" * 70, "m"], "value": ["1.5", "20.25"], "t": ["x" * 50] * 2}
    )
    lines = text_table(table).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("nnn")
    assert "20.25" in lines[2]
    assert text_table(table.head(0)) == "(no rows)"
    assert text_table(table, rows=1).endswith("… 1 more")
