"""What a leaderboard says."""

import numpy as np

import itemcurve as ic


def test_who_ties_to_the_digit_is_named():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 200)
    mine = np.where(rng.random(200) < 0.1, 1 - labels, labels)
    weak = np.where(rng.random(200) < 0.4, 1 - labels, labels)
    board = ic.from_predictions({"a": mine, "same": mine, "weak": weak}, labels).leaderboard()
    assert "It cannot be told from same." in board.say()
    assert "Clearly behind: weak." in board.say()


def test_an_order_by_ability_speaks_of_ability():
    """What ranks and parts tiers also says who is first; skill may say something else."""
    chance = np.random.default_rng(3)
    labels = chance.integers(0, 2, 150)
    rates = {"a": 0.1, "b": 0.12, "c": 0.2, "d": 0.3, "e": 0.45}
    answers = {
        name: np.where(chance.random(150) < rate, 1 - labels, labels)
        for name, rate in rates.items()
    }
    board = ic.from_predictions(answers, labels, model="2pl").leaderboard()
    table, said = board.frame(), board.say()
    first = table.iloc[0]
    assert said.startswith(f"{first['respondent']} is first, with ability {first['ability']:.2f}")
    near = table["respondent"][(table["tier"] == 1) & (table["rank"] > 1)]
    told = said.split("It cannot be told from ")[1].split(".")[0] if len(near) else ""
    assert told == ", ".join(near)
    assert "Clearly behind" not in said
    assert "By skill, the best constant answer" in said
    brief = board.brief()
    assert {"ability", "skill"} <= set(brief.columns)
    assert brief["ability"].iloc[0] == f"{first['ability']:.3f}"


def test_one_model_alone_is_held_against_the_most_frequent_class():
    """Three quarters are of one class; a model that is right less often is ahead of nobody."""
    rng = np.random.default_rng(1)
    labels = (rng.random(400) < 0.25).astype(int)
    noisy = np.where(rng.random(400) < 0.38, 1 - labels, labels)
    board = ic.from_predictions({"tree": noisy}, labels).leaderboard()
    best = board.references.sort_values("skill").iloc[-1]
    assert best["respondent"] == "Most frequent class"
    assert board.frame()["against_constant"].iloc[0] == "behind"
    assert "all are clearly ahead" not in board.say()
