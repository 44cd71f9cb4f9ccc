"""Chances of candidates, against simulation and by hand."""

import numpy as np
import pytest

from itemcurve.evaluation.search.candidate_race import judge_candidates


def test_chances_are_the_shares_in_which_a_candidate_ends_ahead():
    # Pairs of candidates, mostly of unlike skill: else an early lead is luck more often than told.
    rng = np.random.default_rng(0)
    total, known, pairs = 400, 80, 3_000
    ease = rng.normal(1, 1.5, (pairs, 1, total))
    shift = np.stack([np.zeros(pairs), rng.normal(0, 1.5, pairs)], axis=1)[:, :, None]
    right = (rng.uniform(size=(pairs, 2, total)) < 1 / (1 + np.exp(-ease - shift))).astype(float)
    told, happened = np.empty(pairs), np.empty(pairs)
    for place, answers in enumerate(right):
        standing = judge_candidates(answers[:, :known], total)
        other = 1 - standing.leader
        told[place] = standing.chance[other]
        ahead = answers[other].sum() - answers[standing.leader].sum()
        happened[place] = 0.5 * (np.sign(ahead) + 1)
    for low, high in ((0.0, 0.05), (0.05, 0.2), (0.2, 0.4), (0.4, 0.51)):
        inside = (told >= low) & (told < high)
        assert inside.sum() > 100
        error = np.sqrt(0.25 / inside.sum())
        assert happened[inside].mean() == pytest.approx(told[inside].mean(), abs=3 * error)
    assert happened[told < 0.05].mean() < 0.02


def test_nothing_is_left_to_chance_once_all_rows_are_known():
    right = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1]], float)
    standing = judge_candidates(right, 4)
    assert standing.chance.tolist() == [1.0, 0.0, 0.5]
    assert standing.is_twin.tolist() == [False, False, True]
    assert standing.stays(0.05).tolist() == [True, False, False]


def test_hard_rows_that_all_fail_alike_do_not_matter():
    rng = np.random.default_rng(1)
    right = (rng.uniform(size=(3, 60)) < 0.7).astype(float)
    hard = np.hstack([right, np.zeros((3, 60))])
    plain = judge_candidates(right, 300).chance
    diluted = judge_candidates(hard, 600).chance
    # Same rows that differ, and half of the rows known in both.
    assert diluted == pytest.approx(plain, abs=0.02)


def test_one_row_known_stops_nobody_who_failed_it():
    standing = judge_candidates(np.array([[1.0], [0.0]]), 100)
    assert standing.chance[1] > 0.05
