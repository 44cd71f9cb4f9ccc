"""Claims of the Γ paper about Real Estate: G17 to G20."""

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.fit import fit
from itemcurve.responses.matrix import Responses
from itemcurve_studies.gamma.evidence import is_above, judge_both, places, say_both, say_mean
from itemcurve_studies.gamma.item_claims import region_means
from itemcurve_studies.gamma.real_estate import RealEstate
from itemcurve_studies.gamma.regressors import METHODS, REFERENCES, RESPONDENTS
from itemcurve_studies.study.claims import Claim

Floats = NDArray[np.float64]

HARD_REGION = (-0.8, -0.2)
_N = len(RESPONDENTS)


def judge_real_estate(study: RealEstate) -> list[Claim]:
    """Judge G17 to G20."""
    return [_hard_region(study), _negative_pairs(study), _rank(study), _network(study)]


def _hard_region(study: RealEstate) -> Claim:
    inside = (study.component >= HARD_REGION[0]) & (study.component <= HARD_REGION[1])
    noise = region_means(study.spread, inside) - region_means(study.spread, ~inside)
    holds, texts = [], []
    for method in range(len(METHODS)):
        values = study.difficulty[:, method]
        gap = region_means(values, inside) - region_means(values, ~inside)
        holds.append(is_above(gap) and is_above(noise))
        texts.append(f"difficulty inside − outside {say_mean(gap)}")
    return Claim(
        "G17",
        "The hardest region of Real Estate is its noisiest, first component in [−0.8, −0.2]",
        "interval",
        f"{say_both(texts)}; spread of prices inside − outside {say_mean(noise)} sd; "
        f"{inside.mean():.0%} of the houses inside",
        judge_both(holds, is_above(noise)),
        ""
        if all(holds)
        else "The interval's place depends on how features are scaled before the "
        "component is taken, which the paper does not say; ours are as they are.",
    )


def count_reversals(study: RealEstate, method: int) -> tuple[int, int, int]:
    """Items with negative discrimination, pairs that run against their errors, and all such pairs.

    A pair runs against its errors when the item of negative discrimination has the larger mean
    normalised error and yet the lower difficulty.
    """
    negative = reversed_pairs = pairs = 0
    for split in range(len(study.errors)):
        a, d, e = (
            study.discrimination[split, method],
            study.difficulty[split, method],
            study.item_errors[split],
        )
        below, above = np.flatnonzero(a < 0), np.flatnonzero(a > 0)
        larger = e[below, None] > e[above]
        negative += len(below)
        pairs += int(larger.sum())
        reversed_pairs += int((larger & (d[below, None] < d[above])).sum())
    return negative, reversed_pairs, pairs


def _count_alone(study: RealEstate) -> int:
    """Items of negative discrimination without the three references."""
    count = 0
    for scores in study.scores[:, : _N - len(REFERENCES)]:
        responses = Responses.from_array(scores)
        found = fit(
            responses, "beta3", method=METHODS["joint"], boundary="clip", on_failure="ignore"
        )
        count += int((found.items["discrimination"] < 0).sum())
    return count


def _negative_pairs(study: RealEstate) -> Claim:
    holds, texts = [], []
    total = study.discrimination[:, 0].size
    for method in range(len(METHODS)):
        negative, found, pairs = count_reversals(study, method)
        holds.append(found > 0)
        texts.append(f"{negative} of {total} items negative, {found} of {pairs} pairs")
    return Claim(
        "G18",
        "An item with larger errors can have lower difficulty when its discrimination is negative",
        "difficulty 0.49 / 0.76, discrimination −0.27 / 0.51",
        say_both(texts),
        judge_both(holds),
        "Optimal and Worst agree with ability on every item and pull its discrimination up. "
        f"Tested: joint MAP of the ten regressors alone has {_count_alone(study)} negative items.",
    )


def _rank(study: RealEstate) -> Claim:
    from scipy.stats import spearmanr

    def correlate(errors: Floats, method: int) -> Floats:
        pairs = zip(study.abilities[:, method], errors, strict=True)
        return np.array([spearmanr(*pair).statistic for pair in pairs])

    holds, clear, texts = [], [], []
    medians = np.median(1 / study.scores - 1, axis=2)
    for method in range(len(METHODS)):
        found = correlate(study.errors, method)
        holds.append(bool(found.mean() < -0.7 and np.quantile(found, 0.95) < 0))
        clear.append(bool(found.mean() < -0.4))
        low, high = np.quantile(found, [0.05, 0.95])
        typical = correlate(medians, method).mean()
        texts.append(
            f"ρ = {found.mean():.2f}, 90 % of the splits in [{low:.2f}, {high:.2f}]; with the "
            f"median error {typical:.2f}"
        )
    return Claim(
        "G19",
        "Ability and mean normalised error correlate strongly and negatively",
        "value in the figure only",
        say_both(texts),
        judge_both(holds, all(clear)),
        ""
        if all(holds)
        else "The mean normalised error is dominated by the few houses whose price is near the "
        "mean. Tested: with each respondent's median error instead it is strong.",
        is_headline=True,
    )


def _network(study: RealEstate) -> Claim:
    network, tree, ridge = places(["Neural network 100", "Decision tree", "Bayesian ridge"])
    holds, texts, some = [], [], False
    errors = study.errors[:, network, None] > study.errors[:, [tree, ridge]]
    for method in range(len(METHODS)):
        values = study.abilities[:, method]
        higher = values[:, network, None] > values[:, [tree, ridge]]
        both = (errors & higher).all(axis=1)
        gaps = [values[:, network] - values[:, other] for other in (tree, ridge)]
        holds.append(bool(both.mean() > 0.5))
        some = some or bool(both.any())
        texts.append(
            f"both in {both.mean():.0%} of the splits; ability minus the tree's "
            f"{say_mean(gaps[0])}, minus the ridge's {say_mean(gaps[1])}"
        )
    return Claim(
        "G20",
        "The network has a larger error than tree and Bayesian ridge and yet a higher ability",
        "order",
        f"larger error than both in {errors.all(axis=1).mean():.0%} of {len(errors)} splits; "
        + say_both(texts),
        judge_both(holds, some),
        ""
        if all(holds)
        else "The paper shows one split of unknown seed. The larger error is there, "
        "the higher ability is not.",
    )
