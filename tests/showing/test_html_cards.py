"""Results in notebooks: small, safe, and readable on light and dark."""

import html5lib
import numpy as np
import pandas
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import itemcurve as ic
from itemcurve.showing.html_cards import html_card

HOSTILE = "</td><script>alert(1)</script>"


@pytest.fixture(scope="module", name="results")
def all_results(moons):
    pool = {"logistic": LogisticRegression(), "bayes": GaussianNB(), HOSTILE: GaussianNB()}
    evaluation = ic.evaluate_classifiers(pool, *moons)
    fit = evaluation.fit
    test = ic.AdaptiveTest(fit.bank, respondent=HOSTILE)
    places = np.where(moons.X_test[:, 0] > 0, "right", "left")
    return {
        "fit": fit,
        "evaluation": evaluation,
        "leaderboard": evaluation.leaderboard(),
        "audit": evaluation.audit(),
        "labels": ic.audit_labels(evaluation.predictions),
        "findings": evaluation.findings(),
        "no findings": type(evaluation.findings())(()),
        "strengths": evaluation.strengths(places),
        "session": test,
        "fits": ic.compare(fit, fit),
        "comparison": ic.compare_respondents(evaluation.responses, "logistic", "bayes"),
        "votes": ic.fit_pairs(ic.pairs.simulate_votes(respondents=4, votes=300, seed=1).frame()),
    }


@pytest.mark.parametrize(
    "name",
    [
        "fit",
        "evaluation",
        "leaderboard",
        "audit",
        "labels",
        "findings",
        "no findings",
        "strengths",
        "session",
        "fits",
        "comparison",
        "votes",
    ],
)
def test_every_result_has_a_card_that_is_sound_and_loads_nothing(results, name):
    card = results[name]._repr_html_()
    html5lib.HTMLParser(strict=True).parseFragment(card)
    assert "<script" not in card
    assert "http" not in card
    assert len(card) < 12_000
    # No colour of its own but grey: the page's text and ground shine through.
    assert "#" not in card.split("</style>")[0]


def test_a_leaderboard_shows_ranks_skill_and_references(results):
    card = results["leaderboard"]._repr_html_()
    for word in ("rank", "skill", "90 % interval", "logistic", "Most frequent class"):
        assert word in card


def test_long_tables_are_cut_and_say_so():
    table = pandas.DataFrame({"a": range(30), "b": ["x"] * 30})
    card = html_card("Title", ["One.", ""], table, rows=5, more="All: .frame()")
    assert card.count("<tr>") == 6
    assert "25 more rows." in card
    assert "<p></p>" not in card
    assert "class='number'>29" not in card


def test_gaps_are_empty_and_signs_escaped():
    card = html_card("a < b", (), pandas.DataFrame({"x&y": [np.nan, 0.5]}))
    assert "a &lt; b" in card
    assert "x&amp;y" in card
    assert "nan" not in card
