"""Strengths from votes: what is estimated, what is refused, what is said."""

import numpy as np
import pandas
import pytest

import itemcurve as ic
from itemcurve.errors import ConvergenceError, ConvergenceWarning, ModelError, ResponsesError
from itemcurve.pairs.pair_status import PairStatus


@pytest.fixture(scope="module")
def drawn():
    return ic.pairs.simulate_votes(
        respondents=8, votes=6000, ties=0.2, order=0.4, length=0.5, items=300, seed=3
    )


@pytest.fixture(scope="module")
def judged():
    return ic.pairs.simulate_votes(
        respondents=8, votes=6000, judges=5, random_judges=1, order=0.3, items=300, seed=4
    )


def swept():
    """Votes among b, c and e; a won all its votes, d lost all."""
    rows = [("top", "m", "a")] * 10 + [("m", "n", "a"), ("n", "m", "a")] * 10
    rows += [("m", "n", "b"), ("n", "low", "a"), ("low", "n", "b")] * 3
    return pandas.DataFrame(rows, columns=["model_a", "model_b", "winner"])


def test_order_ties_and_style_are_found(drawn):
    fit = ic.fit_pairs(drawn.frame(), style="length")
    assert fit.status is PairStatus.CONVERGED
    assert fit.estimates.gradient < 1e-6
    effects = fit.effects().set_index("effect")
    assert abs(effects.loc["order", "estimate"] - 0.4) < 3 * effects.loc["order", "se"]
    assert abs(effects.loc["ties", "share"] - 0.2) < 0.02
    assert effects.loc["length", "lower"] > 0
    table = fit.frame().set_index("respondent").loc[list(drawn.respondents)]
    assert (np.abs(table["strength"] - drawn.strengths) < 4 * table["strength_se"]).all()
    assert abs(table["strength"].sum()) < 1e-9


def test_sides_turned_round_change_nothing_but_the_sign_of_the_order(drawn):
    table = drawn.frame()
    turned = table.rename(
        columns={
            **{"respondent_a": "respondent_b", "respondent_b": "respondent_a"},
            **{"length_a": "length_b", "length_b": "length_a"},
        }
    )
    turned["winner"] = turned["winner"].replace({"a": "b", "b": "a"})
    first = ic.fit_pairs(table, style="length")
    second = ic.fit_pairs(turned, style="length")
    np.testing.assert_allclose(first.estimates.strengths, second.estimates.strengths, atol=1e-9)
    signs = first.effects().set_index("effect")["estimate"]
    other = second.effects().set_index("effect")["estimate"]
    assert signs["order"] == pytest.approx(-other["order"], abs=1e-9)
    assert signs["length"] == pytest.approx(other["length"], abs=1e-9)


def test_a_weight_is_as_many_votes(drawn):
    table = drawn.frame()[["respondent_a", "respondent_b", "winner"]].head(800)
    twice = ic.fit_pairs(pandas.concat([table, table]))
    weighted = ic.fit_pairs(table.assign(weight=2))
    np.testing.assert_allclose(twice.estimates.covariance, weighted.estimates.covariance)
    np.testing.assert_allclose(twice.estimates.strengths, weighted.estimates.strengths)


def test_both_bad_is_a_tie_and_is_counted_apart(drawn):
    table = drawn.frame()[["respondent_a", "respondent_b", "winner", "item"]]
    some = table.copy()
    places = np.flatnonzero(some["winner"] == "tie")[::2]
    some.loc[places, "winner"] = "both_bad"
    fit, plain = ic.fit_pairs(some), ic.fit_pairs(table)
    np.testing.assert_allclose(fit.estimates.strengths, plain.estimates.strengths, atol=1e-9)
    assert fit.items()["both_bad"].sum() > 0
    assert fit.frame()["both_bad_rate"].between(0.03, 0.2).all()
    dropped = ic.fit_pairs(some, both_bad="drop")
    assert len(dropped.setup.votes) == len(table) - len(places)
    assert f"{len(places):,} ties are left out." in dropped.notes


def test_ties_may_count_half_or_not_at_all(drawn):
    table = drawn.frame()
    half, none = ic.fit_pairs(table, ties="half"), ic.fit_pairs(table, ties="drop")
    assert "ties" not in half.effects()["effect"].tolist()
    assert len(none.setup.votes) == (table["winner"] != "tie").sum()
    assert half.estimates.strengths.std() < none.estimates.strengths.std()


def test_a_judge_at_random_is_found_and_counts_for_nothing(judged):
    fit = ic.fit_pairs(judged.frame(), judges="own")
    table = fit.judges().set_index("judge")
    random = table.loc["judge_5"]
    assert random["discrimination_lower"] < 0.1
    assert random["discrimination_upper"] < 0.2
    mean = np.average(table["discrimination"], weights=table["votes"])
    assert mean == pytest.approx(1.0, abs=1e-12)
    assert (table["discrimination"].drop("judge_5") > 1.0).all()
    # In the units of the average judge, one of five at random: 0.8 of what the others see.
    expected = 0.8 * judged.strengths
    error = np.abs(fit.estimates.strengths - expected) / fit.strength_errors
    assert error.max() < 4
    assert [finding.code for finding in fit.findings()] == ["IRT031", "IRT033"]


def test_difficulty_of_an_item_is_found_against_a_reference():
    rng = np.random.default_rng(0)
    strengths, hard = rng.normal(0, 1, 30), rng.normal(0, 1.2, 200)
    model, item = (part.ravel() for part in np.meshgrid(np.arange(30), np.arange(200)))
    chance = 1 / (1 + np.exp(-(strengths[model] - hard[item])))
    votes = {
        "model_a": ["reference"] * len(model),
        "model_b": [f"m{code:02d}" for code in model],
        "item": [f"i{code:03d}" for code in item],
        "winner": np.where(rng.random(len(model)) < chance, "b", "a"),
    }
    fit = ic.fit_pairs(votes, items="own")
    assert fit.setup.reference == "reference"
    table = fit.items()
    assert np.corrcoef(table["difficulty"], hard)[0, 1] > 0.9
    assert 1.0 < fit.estimates.spreads["item_difficulty"] < 1.4
    found = dict(zip(fit.respondents, fit.estimates.strengths, strict=True))
    own = np.array([found[f"m{code:02d}"] for code in range(30)])
    assert np.corrcoef(own, strengths)[0, 1] > 0.97
    slope = np.polyfit(strengths, own, 1)[0]
    assert 0.9 < slope < 1.15
    # Win rates are averages over items: those of the reference are what they were.
    board = fit.frame().set_index("respondent")
    assert board.loc["reference", "expected_win_rate"] == pytest.approx(
        board.loc["reference", "win_rate"], abs=0.01
    )


def test_items_that_saw_one_pair_have_no_discrimination():
    votes = {"model_a": list("xxyy"), "model_b": list("yzzx"), "winner": list("abab")}
    with pytest.raises(ModelError, match="the typical item has 1"):
        ic.fit_pairs({**votes, "item": list("pqrs")}, items="own")


def test_who_won_everything_has_a_status_and_one_end_of_an_interval():
    with pytest.warns(ConvergenceWarning, match=r"no finite strength \(low, top\)"):
        fit = ic.fit_pairs(swept())
    assert fit.status is PairStatus.UNBOUNDED
    table = fit.frame().set_index("respondent")
    assert table.loc["top", "strength"] == np.inf
    assert np.isfinite(table.loc["top", "lower"])
    assert table.loc["low", "strength"] == -np.inf
    assert np.isfinite(table.loc["low", "upper"])
    assert table.index[0] == "top"
    with pytest.raises(ConvergenceError, match=r"prior=2\.0"):
        ic.fit_pairs(swept(), on_failure="raise")


def test_the_end_of_that_interval_is_the_exact_one_of_a_clean_record():
    fit = ic.fit_pairs(swept(), order=False, on_failure="ignore")
    strengths = dict(zip(fit.respondents, fit.estimates.strengths, strict=True))
    lower = fit.frame().set_index("respondent").loc["top", "lower"]
    chance = 1 / (1 + np.exp(-(lower - strengths["m"])))
    assert chance**10 == pytest.approx(0.05)


def test_a_prior_makes_all_finite():
    fit = ic.fit_pairs(swept(), prior=2.0, order=False)
    assert fit.status is PairStatus.CONVERGED
    assert np.isfinite(fit.estimates.strengths).all()
    assert fit.frame()["respondent"].tolist()[0] == "top"


def test_pieces_are_refused_or_left_out():
    rows = [("x", "y", "a"), ("y", "x", "a"), ("x", "y", "tie"), ("x", "z", "b"), ("z", "x", "b")]
    rows += [("p", "q", "a"), ("q", "p", "a")]
    votes = pandas.DataFrame(rows, columns=["model_a", "model_b", "winner"])
    with pytest.raises(
        ResponsesError, match=r"2 pieces with no vote between them: 3: x, y, z; 2: p"
    ):
        ic.fit_pairs(votes)
    fit = ic.fit_pairs(votes, pieces="largest")
    assert fit.respondents == ("x", "y", "z")
    assert "2 respondents are left out" in fit.notes[0]


def test_an_order_that_cannot_be_told_is_left_out_or_refused():
    star = {"model_a": ["r"] * 6, "model_b": list("xxyyzz"), "winner": ["a", "b"] * 3}
    assert "The advantage of side a is left out" in ic.fit_pairs(star).notes[0]
    with pytest.raises(ModelError, match="only where sides change"):
        ic.fit_pairs(star, order=True)
    always = {"model_a": ["x", "y"] * 5, "model_b": ["y", "x"] * 5, "winner": ["a"] * 10}
    assert "votes do not determine it" in ic.fit_pairs(always).notes[0]
    with pytest.raises(ModelError, match="order would rise without end"):
        ic.fit_pairs(always, order=True)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ties": "maybe"}, "ties must be one of 'model', 'half', 'drop'"),
        ({"judges": "own"}, "needs a column `judge`"),
        ({"errors": "item"}, "needs a column `item`"),
        ({"order": "yes"}, "order must be one of"),
        ({"prior": 0.0}, "more than 0"),
        ({"level": 90}, "between 0 and 1"),
        ({"reference": "nobody", "items": "same"}, "'nobody' is none"),
        ({"on_failure": "panic"}, "on_failure must be one of"),
        ({"engine": "abacus"}, "must be 'numpy' or 'jax'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, words):
    votes = {"model_a": list("xxy"), "model_b": list("yyx"), "winner": ["a", "b", "a"]}
    with pytest.raises(ModelError, match=words):
        ic.fit_pairs(votes, **settings)


def test_nobody_finite_is_an_error():
    votes = {"model_a": ["x"] * 5, "model_b": ["y"] * 5, "winner": ["a"] * 5}
    with pytest.raises(ResponsesError, match="no strength is finite"):
        ic.fit_pairs(votes)
    assert ic.fit_pairs(votes, prior=2.0).frame()["respondent"].tolist() == ["x", "y"]


def test_votes_on_few_items_that_go_together_have_wider_errors():
    """Each item favours one of two for everybody: votes on it say the same thing over again."""
    rng = np.random.default_rng(1)
    item = np.repeat(np.arange(40), 50)
    leaning = rng.normal(0, 2, 40)[item]
    wins = rng.random(2000) < 1 / (1 + np.exp(-leaning))
    votes = {
        "model_a": ["x"] * 2000,
        "model_b": ["y"] * 2000,
        "winner": np.where(wins, "a", "b"),
        "item": item,
    }
    fit = ic.fit_pairs(votes)
    assert fit.setup.clusters.name == "item"
    assert (fit.strength_errors > 2.5 * fit.estimates.independent_errors).all()
    # The error of a mean over items, by hand: of the log odds of the mean share.
    share = wins.reshape(40, 50).mean(axis=1)
    error = share.std(ddof=1) / np.sqrt(40) / (share.mean() * (1 - share.mean())) / 2
    assert fit.strength_errors[0] == pytest.approx(error, rel=1e-6)


def test_probabilities_have_errors_by_vote():
    rng = np.random.default_rng(2)
    share = rng.beta(5, 4, 4000)
    fit = ic.fit_pairs({"model_a": ["x"] * 4000, "model_b": ["y"] * 4000, "probability_a": share})
    assert fit.setup.clusters.name == "vote"
    mean = share.mean()
    assert fit.estimates.strengths[0] == pytest.approx(np.log(mean / (1 - mean)) / 2, abs=1e-9)
    error = share.std(ddof=1) / np.sqrt(4000) / (mean * (1 - mean)) / 2
    assert fit.strength_errors[0] == pytest.approx(error, rel=1e-6)


def test_both_engines_give_the_same(drawn):
    pytest.importorskip("jax")
    plain = ic.fit_pairs(drawn.frame(), style="length")
    other = ic.fit_pairs(drawn.frame(), style="length", engine="jax")
    np.testing.assert_allclose(plain.estimates.theta, other.estimates.theta, atol=1e-9)


def test_the_summary_says_what_matters(drawn):
    text = ic.fit_pairs(drawn.frame(), style="length").summary()
    assert f"{drawn.best} is first, with strength" in text
    assert "votes follow the order too" in text
    assert "more length wins" in text
    assert "Errors let votes of the same item go together (300)" in text
