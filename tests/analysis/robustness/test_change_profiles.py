"""Groups by the share of changed predictions, which means the same whatever the classes."""

import numpy as np
import pandas
import pytest

from itemcurve.analysis.robustness.change_profiles import change_profiles
from itemcurve.analysis.robustness.taxonomy import taxonomy
from itemcurve.analysis.robustness.taxonomy_words import say_groups
from itemcurve.errors import EvaluationError


def verdicts(rows):
    names = ("respondent", "changed_easy", "changed_hard", "is_constant")
    table = pandas.DataFrame(rows, columns=names)
    return table.assign(
        changed=(table["changed_easy"] + table["changed_hard"]) / 2,
        accuracy=0.8,
        accuracy_noisy=0.7,
    )


ONE = [
    ("a", 0.0, 0.1, False),
    ("b", 0.02, 0.12, False),
    ("c", 0.2, 0.6, False),
    ("d", 0.3, 0.5, False),
    ("always", 0.0, 0.0, True),
]
OTHER = [("a", 0.1, 0.3, False), ("c", 0.2, 0.4, False), ("always", 0.0, 0.0, True)]


def test_shares_are_averaged_over_the_tables_that_have_a_model():
    found = change_profiles([verdicts(ONE), verdicts(OTHER)])
    assert found.respondents == ("a", "b", "c", "d")
    assert found.constant == ("always",)
    np.testing.assert_allclose(found.values, [[0.05, 0.2], [0.02, 0.12], [0.2, 0.5], [0.3, 0.5]])
    assert found.frame()["data_sets"].tolist() == [2, 1, 2, 1]


def test_groups_say_what_they_mean_and_which_to_avoid():
    profiles = change_profiles([verdicts(ONE), verdicts(OTHER)])
    said = "\n".join(say_groups(taxonomy(profiles, 2), profiles))
    assert "weak to difficulty" in said
    assert "c and d" in said
    assert "For hard rows under noise avoid group" in said
    assert "one class is all they ever predict: always." in said


def test_groups_that_lose_alike_on_hard_rows_are_not_told_apart():
    rows = [(name, 0.1 * n, 0.3, False) for n, name in enumerate("abcd")]
    profiles = change_profiles([verdicts(rows)])
    assert "no group stands out" in say_groups(taxonomy(profiles, 2), profiles)[-1]


def tell(rows, clusters=2):
    """Sentences on models: changed on easy and hard rows, accuracy there, commonest class."""
    table = verdicts([(name, easy, hard, False) for name, easy, hard, *_ in rows])
    noisy, right, narrow = (np.array([row[place] for row in rows]) for place in (3, 4, 5))
    table = table.assign(
        accuracy_noisy=noisy,
        accuracy_hard=0.3,
        accuracy_hard_noisy=right,
        one_class=0.6,
        one_class_noisy=narrow,
    )
    profiles = change_profiles([table])
    return "\n".join(say_groups(taxonomy(profiles, clusters), profiles))


def test_members_whose_own_word_differs_from_that_of_their_group_are_named():
    said = tell(
        [
            ("a", 0.0, 0.08, 0.8, 0.2, 0.6),
            ("b", 0.0, 0.06, 0.8, 0.2, 0.6),
            ("c", 0.0, 0.14, 0.8, 0.2, 0.6),
            ("d", 0.1, 0.6, 0.7, 0.1, 0.6),
        ]
    )
    assert "robust to both" in said
    assert "by itself another: c (weak to difficulty)." in said


def test_a_group_that_is_unsteady_but_no_less_right_is_not_to_be_avoided():
    steady = [(name, 0.0, 0.02 * n, 0.8, 0.1, 0.6) for n, name in enumerate("abc")]
    said = tell([*steady, ("d", 0.1, 0.6, 0.75, 0.3, 0.6)])
    assert "avoid" not in said
    assert "but not less often right (of these rows 30% are right with noise, and 10%)" in said
    said = tell([*steady, ("d", 0.1, 0.6, 0.75, 0.05, 0.6)])
    assert "avoid group" in said
    assert "of these rows 5% are right with noise, and 10%" in said


def test_accuracy_that_rises_towards_a_constant_answer_is_not_praised():
    steady = [(name, 0.0, 0.02 * n, 0.8, 0.1, 0.6) for n, name in enumerate("abc")]
    said = tell([*steady, ("d", 0.1, 0.6, 0.85, 0.3, 0.95)])
    assert "no robustness: d (accuracy 0.80 to 0.85, commonest class 60% to 95%" in said
    assert "no robustness" not in tell([*steady, ("d", 0.1, 0.6, 0.85, 0.3, 0.6)])


def test_a_prototype_between_groups_is_said_to_be_typical_of_none():
    hard = (0.251, 0.35, 0.17, 0.16, 0.15, 0.05, 0.04)
    said = tell([(f"m{n}", 0.0, value, 0.8, 0.2, 0.6) for n, value in enumerate(hard)], 3)
    assert "lies between groups and is typical of none: m0 (-0.08)." in said


def test_runs_without_accuracy_on_hard_rows_are_still_grouped():
    profiles = change_profiles([verdicts(ONE), verdicts(OTHER)])
    assert profiles.frame()["accuracy_hard_noisy"].isna().all()
    assert "look at accuracy too" in "\n".join(say_groups(taxonomy(profiles, 2), profiles))


def test_tables_that_do_not_tell_changes_are_refused():
    with pytest.raises(EvaluationError, match="earlier version"):
        change_profiles([verdicts(ONE).drop(columns="changed_hard")])
