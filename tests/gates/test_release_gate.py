"""The gate: three verdicts, and what they rest on."""

import numpy as np
import pytest

import itemcurve as ic
from itemcurve.errors import ModelError, ResponsesError


def responses(answers, name="m"):
    return ic.Responses.from_array(np.array([answers], dtype=float), [name])


def change(answers, gained=0, lost=0):
    new = np.array(answers, dtype=float)
    new[np.flatnonzero(new == 0)[:gained]] = 1
    new[np.flatnonzero(np.array(answers) == 1)[:lost]] = 0
    return new


@pytest.mark.parametrize(
    ("gained", "lost", "verdict", "code"),
    [(5, 4, "ship", 0), (5, 40, "regression", 10), (20, 28, "cannot tell", 11)],
)
def test_there_are_three_verdicts(answers, gained, lost, verdict, code):
    new = responses(change(answers, gained, lost))
    found = ic.gate(responses(answers), new, margin=0.03)
    assert (found.verdict, found.exit_code) == (verdict, code)
    assert (found.comparison.n_better, found.comparison.n_worse) == (gained, lost)
    assert (found.more_items is not None) == (verdict == "cannot tell")
    assert str(found).startswith(verdict.upper())


def test_worse_within_the_margin_is_shipped(answers):
    large = answers * 25
    found = ic.gate(responses(large), responses(change(large, 0, 60)), margin=0.01)
    assert found.upper < 0
    assert found.verdict == "ship"


def test_as_many_more_items_as_it_says_would_tell(answers):
    new = change(answers, 20, 28)
    found = ic.gate(responses(answers), responses(new), margin=0.03)
    times = (400 + found.more_items) // 400 + 1
    again = ic.gate(responses(answers * times), responses(np.tile(new, times)), margin=0.03)
    assert again.verdict != "cannot tell"


def test_identical_runs_of_few_items_cannot_tell_and_say_how_many_would():
    few = responses([1, 0] * 25)
    found = ic.gate(few, few, margin=0.01)
    assert found.verdict == "cannot tell"
    times = (50 + found.more_items) // 50 + 1
    many = responses([1, 0] * 25 * times)
    assert ic.gate(many, many, margin=0.01).verdict == "ship"
    assert ic.gate(few, few, margin=0.0).more_items is None


def test_a_verdict_that_hangs_on_missing_answers_is_not_clear(answers):
    new = np.array(answers, dtype=float)
    new[:40] = np.nan
    found = ic.gate(responses(answers), responses(new), margin=0.02)
    assert found.verdict == "cannot tell"
    assert "if missing answers are left out" in found.reason
    assert found.more_items is None
    assert "Ask again what failed" in str(found)
    out = ic.gate(responses(answers), responses(new), margin=0.02, missing="leave-out")
    worst = ic.gate(responses(answers), responses(new), margin=0.02, missing="worst")
    assert (out.verdict, worst.verdict) == ("ship", "regression")


def test_items_never_asked_are_not_missing(answers):
    full = ic.Responses.from_array([answers], ["m"], [f"q{n}" for n in range(400)])
    part = full.take(None, list(range(300)))
    found = ic.gate(full, part, margin=0.05)
    assert found.verdict == "ship"
    assert found.comparison.missing.apart == (100, 0)
    assert found.comparison.as_worst is None


def test_a_gate_that_is_asked_again_and_again_has_wider_intervals(answers):
    once = ic.gate(responses(answers), responses(change(answers, 8, 8)), margin=0.05)
    often = ic.gate(
        responses(answers), responses(change(answers, 8, 8)), margin=0.05, sequential=True
    )
    assert often.lower < once.lower
    assert often.upper > once.upper


def test_logs_of_two_runs_are_judged_with_words_and_answers(write_run, answers):
    new = change(answers, 2, 60).tolist()
    found = ic.gate(write_run("old", answers), write_run("new", new), margin=0.01, cache=False)
    assert found.verdict == "regression"
    assert (found.comparison.a, found.comparison.b) == ("model (old)", "model (new)")
    worse = found.flips("worse")
    assert len(worse) == 60
    assert worse["text"].iloc[0].startswith("toy ")
    assert "What is" in worse["text"].iloc[0]
    assert {"baseline_answer", "candidate_answer"} <= set(worse.columns)


def test_tasks_can_be_the_clusters(write_run, answers):
    old, new = write_run("old", answers), write_run("new", change(answers, 2, 3).tolist())
    with pytest.raises(ResponsesError, match="2 clusters at least"):
        ic.gate(old, new, margin=0.05, clusters="task", cache=False)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"margin": -0.1}, "margin from 0 on"),
        ({"margin": float("nan")}, "margin from 0 on"),
        ({"margin": 0.1, "significance": 0.7}, "significance between 0 and 0.5"),
        ({"margin": 0.1, "missing": "ignore"}, "missing 'ignore'"),
        ({"margin": 0.1, "metrics": "acc"}, "given is 'metrics'"),
    ],
)
def test_wrong_settings_are_refused(settings, words):
    few = responses([1, 0, 1])
    with pytest.raises(ModelError, match=words):
        ic.gate(few, few, **settings)


@pytest.mark.parametrize("factor", [100, 5])
def test_sides_on_different_scales_are_refused(answers, factor):
    with pytest.raises(ResponsesError, match="same scale"):
        ic.gate(responses(answers), responses(factor * np.array(answers)), margin=0.01)


def test_losses_are_judged_from_below():
    random = np.random.default_rng(3)
    old = random.gamma(2.0, 0.3, size=500)
    worse = ic.gate(responses(old), responses(old + 0.1), margin=0.05, is_higher_better=False)
    assert worse.verdict == "regression"
    better = ic.gate(responses(old), responses(old * 0.4), margin=0.05, is_higher_better=False)
    assert better.verdict == "ship"
    assert better.comparison.score_b < better.comparison.score_a


def test_items_that_one_side_lost_where_they_are_hard_are_missing(answers):
    names = [f"q{n}" for n in range(400)]
    full = ic.Responses.from_array([answers], ["m"], names)
    # As good as the other; half of what it would have got wrong is not in its log at all.
    new = change(answers, gained=30, lost=30)
    kept = [n for n in range(400) if new[n] or n % 2]
    part = ic.Responses.from_array([new[kept]], ["m"], [names[n] for n in kept])
    found = ic.gate(full, part, margin=0.02)
    assert found.verdict == "cannot tell"
    assert found.hangs_on_missing
    assert "harder" in str(found)
    worst = found.comparison.as_worst
    assert worst.n_items == 400
    assert worst.difference == 0
    out = ic.gate(full, part, margin=0.02, missing="leave-out")
    assert out.verdict == "ship"
    assert out.comparison.difference > 0.03
