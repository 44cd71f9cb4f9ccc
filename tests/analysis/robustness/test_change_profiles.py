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


def test_tables_that_do_not_tell_changes_are_refused():
    with pytest.raises(EvaluationError, match="earlier version"):
        change_profiles([verdicts(ONE).drop(columns="changed_hard")])
