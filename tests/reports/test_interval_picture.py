"""The picture of the first screen."""

import pandas
import pytest

from itemcurve.reports.interval_picture import draw_skills


def board(constant):
    return pandas.DataFrame(
        {
            "rank": [1, 2, 3, None],
            "respondent": ["a", "b", "c", "Always yes"],
            "skill": [0.9, 0.88, 0.7, constant],
            "skill_lower": [0.86, 0.84, 0.66, constant - 0.02],
            "skill_upper": [0.94, 0.92, 0.74, constant + 0.02],
            "behind_best": [0.0, 0.02, 0.2, 0.9 - constant],
            "behind_best_p": [1.0, 0.4, 1e-6, 1e-9],
            "against_constant": ["ahead", "ahead", "ahead", "level"],
        }
    )


def test_respondents_are_told_from_the_best_or_not():
    picture = draw_skills(board(0.6))
    assert [(row.name, row.kind) for row in picture.rows] == [
        ("a", "best"),
        ("b", "near"),
        ("c", "behind"),
    ]
    first = picture.rows[0]
    assert first.lower < first.middle < first.upper <= 100
    # 0.6 to 0.94 and 3 % on either side.
    assert first.middle == pytest.approx(100 * (0.9 - 0.5898) / 0.3604, abs=0.1)


def test_a_constant_answer_is_a_line_where_it_is_near_and_words_where_it_is_far():
    near, far = draw_skills(board(0.6)), draw_skills(board(0.1))
    assert (near.line.text, near.far) == ("Always yes", "")
    assert far.line is None
    assert far.far == "Always yes, which never looks at an item, has 0.100"
    assert min(row.lower for row in far.rows) < 5
