"""Claims of the Γ paper about the model itself: identities, checked by numbers."""

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve_studies.study.claims import Claim, judge

_EXACT = 1e-9


def judge_model() -> list[Claim]:
    """Judge G1 to G4."""
    return [_guessing_error(), _easy_and_hard(), _steepness(), _link_to_beta3()]


def _bank(discrimination: list[float], difficulty: list[float], size: float) -> Bank:
    return Bank.from_parameters(
        "gamma", discrimination=discrimination, difficulty=difficulty, error_size=size
    )


def _logit(share: float) -> float:
    return float(np.log(share) - np.log1p(-share))


def _guessing_error() -> Claim:
    """E[e] = c at θ = δ; 0 and ∞ at the ends, mirrored for a < 0."""
    slopes, shares = [0.5, 1.0, 2.0, -1.0], [0.1, 0.4, 0.7, 0.4]
    bank = _bank(slopes, shares, 2.4)
    at = np.diag(bank.expected_response([_logit(share) for share in shares]))
    low, high = bank.expected_response([-15.0, 15.0])
    gap = float(np.abs(at - 2.4).max())
    rises = (low[:3] > 1e3).all() and (high[:3] < 1e-2).all() and low[3] < 1e-2 and high[3] > 1e3
    return Claim(
        "G1",
        "The expected error is c at ability = difficulty, goes to 0 and infinity at the ends",
        "exact",
        f"largest gap to c {gap:.0e}; limits {'as said' if rises else 'differ'} (mirrored, a < 0)",
        judge(gap < _EXACT and bool(rises)),
    )


def _easy_and_hard() -> Claim:
    """Errors at ability 0.5 against c = 2.4."""
    easy, hard = _bank([1.0, 1.0], [0.2, 0.7], 2.4).expected_response([0.0])[0]
    return Claim(
        "G2",
        "At ability 0.5 an easier item has an expected error below c, a harder one above",
        "c = 2.4, a = 1, difficulty 0.2 and 0.7",
        f"{easy:.2f} and {hard:.2f}",
        judge(bool(easy < 2.4 < hard)),
    )


def _steepness() -> Claim:
    """Errors just below and above difficulty 0.5 for a = 0.5 and 2."""
    below, above = _bank([0.5, 2.0], [0.5, 0.5], 2.4).expected_response([-0.4, 0.4])
    holds = bool(below[1] > below[0] and above[1] < above[0])
    return Claim(
        "G3",
        "Larger discrimination: larger errors below the difficulty, smaller above",
        "a = 0.5, 2 at difficulty 0.5",
        f"ability 0.4: {below[0]:.2f}, {below[1]:.2f}; ability 0.6: {above[0]:.2f}, {above[1]:.2f}",
        judge(holds),
    )


def _link_to_beta3() -> Claim:
    """1/(1 + E e/c) against the curve of β³; the mean score against the score of the mean."""
    slopes, shares = [0.5, 1.0, 2.0], [0.2, 0.5, 0.8]
    points = np.linspace(-4.0, 4.0, 41)
    beta3 = Bank.from_parameters("beta3", discrimination=slopes, difficulty=shares)
    errors = Bank.from_parameters("gamma-normalised", discrimination=slopes, difficulty=shares)
    from_errors = 1 / (1 + errors.expected_response(points))
    gap = float(np.abs(from_errors - beta3.expected_response(points)).max())
    at = np.diag(beta3.expected_response([_logit(share) for share in shares]))
    half = float(np.abs(at - 0.5).max())
    jensen = float(np.mean(1 / (1 + np.random.default_rng(0).gamma(1.0, 1.0, 100_000))))
    return Claim(
        "G4",
        "1/(1 + normalised curve) is the curve of β³; 0.5 is the level of the mean predictor",
        "exact",
        f"largest gap {gap:.0e}, at the difficulty {half:.0e} from 0.5",
        judge(gap < _EXACT and half < _EXACT),
        "Of the curves, not of responses: for Gamma(1, 1) errors the mean of 1/(1 + e) is "
        f"{jensen:.3f}, not 0.5. Equation 8 leaves out a factor c in the rate.",
    )
