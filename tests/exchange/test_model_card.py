"""A section for a model card."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import EvaluationError


def test_a_card_has_the_numbers_of_the_leaderboard(moons, few):
    evaluation = ic.evaluate_classifiers(few, *moons)
    table = evaluation.leaderboard().frame().set_index("respondent")
    for name in few:
        card = ic.exchange.model_card_section(evaluation, name, heading="### Quality")
        assert card.startswith("### Quality\n\nData: 60 items (hold-out")
        assert f"| Accuracy | {table.loc[name, 'accuracy']:.4g} |" in card
        assert f"| {table.loc[name, 'skill']:.3f} ({table.loc[name, 'skill_lower']:.3f} to" in card
        assert f"Rank {table.loc[name, 'rank']} of 4 models" in card
        assert "- Labels: Of 60 labels" in card


def test_the_first_is_taken_where_nobody_is_named(moons, few):
    evaluation = ic.evaluate_classifiers(few, *moons)
    first = evaluation.leaderboard().respondents[0]
    assert ic.exchange.model_card_section(evaluation) == ic.exchange.model_card_section(
        evaluation, first
    )
    with pytest.raises(EvaluationError, match="Choose one of"):
        ic.exchange.model_card_section(evaluation, "somebody")


def test_weak_groups_are_named(moons):
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=400)
    groups = np.where(np.arange(400) < 200, "day", "night")
    right = rng.random(400) < np.where(groups == "day", 0.97, 0.7)
    answers = {"mine": np.where(right, truth, 1 - truth), "other": truth}
    from dataclasses import replace

    evaluation = replace(ic.from_predictions(answers, truth), groups=tuple(groups))
    card = ic.exchange.model_card_section(evaluation, "mine")
    assert "Weaker than elsewhere on: night (" in card
    assert "Weaker" not in ic.exchange.model_card_section(evaluation, "other")


def test_regressors_have_their_own_metrics():
    rng = np.random.default_rng(1)
    y = rng.normal(size=50)
    evaluation = ic.from_predictions({"a": y + 0.1, "b": -y}, y, task="regression")
    card = ic.exchange.model_card_section(evaluation)
    assert "| Mean absolute error | 0.1 |" in card
    assert "always predicting the mean" in card
