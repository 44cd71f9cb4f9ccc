import numpy as np
import pytest

from itemcurve.analysis.labels.false_discovery import select_discoveries
from itemcurve.analysis.labels.label_errors import find_label_errors
from itemcurve.analysis.labels.pooled_evidence import contrast_responses, pool_evidence


def simulate_log_odds(
    n_items: int, n_others: int, noise: float, sharpness: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Log-odds against given labels whose truth follows them at this sharpness."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 3, (n_items, n_others + 1))
    chances = np.exp(sharpness * logits)
    chances /= chances.sum(axis=1, keepdims=True)
    truth = (rng.random(n_items)[:, None] > np.cumsum(chances, axis=1)).sum(axis=1)
    wrong = rng.random(n_items) < noise
    step = rng.integers(1, n_others + 1, n_items)
    given = np.where(wrong, (truth + step) % (n_others + 1), truth)
    rows = np.arange(n_items)
    against = logits - logits[rows, given][:, None]
    others = np.array([[k for k in range(n_others + 1) if k != g] for g in given])
    return np.take_along_axis(against, others, axis=1), wrong


@pytest.mark.parametrize("n_others", [1, 4])
@pytest.mark.parametrize("noise", [0.05, 0.2])
def test_probabilities_are_calibrated_and_discoveries_keep_their_rate(n_others, noise):
    gaps, rates = [], []
    for seed in range(8):
        log_odds, wrong = simulate_log_odds(1500, n_others, noise, 1.2, seed)
        found = find_label_errors(log_odds)
        chosen = select_discoveries(found.probabilities, 0.1)
        rates.append((chosen & ~wrong).sum() / max(chosen.sum(), 1))
        place = np.minimum((found.probabilities * 10).astype(int), 9)
        gaps.append(
            sum(
                abs(found.probabilities[place == k].sum() - wrong[place == k].sum())
                for k in range(10)
            )
            / len(wrong)
        )
    assert np.mean(gaps) < 0.03
    assert np.mean(rates) < 0.13


def test_noise_rate_and_sharpness_are_recovered_from_many_items():
    log_odds, wrong = simulate_log_odds(20_000, 1, 0.1, 1.5, seed=1)
    found = find_label_errors(log_odds)
    assert found.noise_rate == pytest.approx(wrong.mean(), abs=0.01)
    assert found.sharpness == pytest.approx(1.5, abs=0.1)
    assert found.noise_rate_sd < 0.01


def test_without_evidence_no_label_is_chosen():
    found = find_label_errors(np.zeros((50, 1)))
    assert not select_discoveries(found.probabilities, 0.1).any()


def test_respondents_who_never_vary_get_no_weight():
    responses = np.random.default_rng(0).random((3, 40))
    responses[1] = 0.7
    weights = pool_evidence(contrast_responses(responses)).weights
    assert weights[1] == 0
    assert pool_evidence(contrast_responses(np.ones((2, 5)))).weights.sum() == 0


def test_copies_of_a_respondent_do_not_count_as_new_evidence():
    rng = np.random.default_rng(1)
    quality = rng.normal(size=300)
    steps = np.stack([quality + rng.normal(size=300) for _ in range(3)]) + 1
    responses = 1 / (1 + np.exp(-steps))
    once = pool_evidence(contrast_responses(responses)).log_odds
    copied = np.concatenate([responses, np.repeat(responses[:1], 10, axis=0)])
    many = pool_evidence(contrast_responses(copied)).log_odds
    assert np.sqrt(np.mean(many**2)) < 1.1 * np.sqrt(np.mean(once**2))


def test_equal_probabilities_are_chosen_together_or_not_at_all():
    probabilities = np.array([0.95, 0.8, 0.8, np.nan])
    assert select_discoveries(probabilities, 0.125).tolist() == [True, False, False, False]
    assert select_discoveries(probabilities, 0.15).tolist() == [True, True, True, False]
    assert not select_discoveries(probabilities, 0.01).any()
