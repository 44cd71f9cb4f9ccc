"""Claims of the Γ paper about the items of the polynomial: G5 to G10."""

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.evidence import is_above, judge_both, say_both, say_mean
from itemcurve_studies.gamma.polynomial import SIGMAS, Polynomial
from itemcurve_studies.gamma.regressors import METHODS
from itemcurve_studies.study.claims import Claim

Floats = NDArray[np.float64]

# Regions of standardised x that the paper names.
HARD, ENDS = (0.4, 1.0), 1.25
_MIDDLE, _LAST = 10, 20
_CLIPPED = (
    "The exception is the rank correlation of joint MAP at the smallest noise, where difficulties "
    "differ by a few hundredths and the priors decide; the published objective has none."
)


def judge_items(study: Polynomial) -> list[Claim]:
    """Judge G5 to G10."""
    return [
        _regions(study),
        _difficulty_rises(study),
        _discrimination_falls(study),
        _negative_correlation(study),
        _first_negative(study),
        _examples(study),
    ]


def region_means(values: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Mean over the items of a region, for each data set (data sets × items both)."""
    return np.asarray(np.where(inside, values, 0.0).sum(axis=1) / inside.sum(axis=1))


def correlate_items(study: Polynomial, method: int, kind: str) -> Floats:
    """Correlation of difficulty and discrimination (data sets × levels)."""
    from scipy.stats import rankdata

    pair = [study.difficulty[:, :, method], study.discrimination[:, :, method]]
    if kind == "spearman":
        pair = [rankdata(values, axis=-1) for values in pair]
    a, b = (values - values.mean(axis=-1, keepdims=True) for values in pair)
    return np.asarray((a * b).sum(-1) / np.sqrt((a**2).sum(-1) * (b**2).sum(-1)))


def _regions(study: Polynomial) -> Claim:
    inside = (study.x >= HARD[0]) & (study.x <= HARD[1])
    ends = np.abs(study.x) > ENDS
    holds, texts = [], []
    for method in range(len(METHODS)):
        values = study.difficulty[:, 0, method]
        gap = region_means(values, inside) - region_means(values, ends)
        hardest = values >= np.quantile(values, 0.9, axis=1, keepdims=True)
        share = (hardest & inside).sum() / hardest.sum()
        holds.append(is_above(gap) and share > 0.5)
        texts.append(f"inside − ends {say_mean(gap)}, {share:.0%} of the hardest tenth inside")
    return Claim(
        "G5",
        "Without noise hard items lie in x ∈ [0.4, 1.0], easy ones at |x| > 1.25",
        "intervals of standardised x",
        say_both(texts),
        judge_both(holds),
        ""
        if all(holds)
        else "The interval holds 17 % of the items; targets near their mean "
        "have large normalised errors, which is what is hard.",
    )


def _difficulty_rises(study: Polynomial) -> Claim:
    ends = np.abs(study.x) > ENDS
    holds, more, texts = [], [], []
    for method in range(len(METHODS)):
        values = study.difficulty[:, :, method]
        changes = [values[:, level] - values[:, 0] for level in (_MIDDLE, _LAST)]
        centre = [region_means(change, ~ends) for change in changes]
        outer = [region_means(change, ends) for change in changes]
        left = region_means(changes[1], study.x < -ENDS).mean()
        right = region_means(changes[1], study.x > ENDS).mean()
        rises = all(is_above(change) for change in centre)
        steady = all(abs(o.mean()) < c.mean() / 2 for o, c in zip(outer, centre, strict=True))
        holds.append(rises and steady)
        more.append(all(is_above(c - o) for o, c in zip(outer, centre, strict=True)))
        texts.append(
            f"centre +{centre[0].mean():.3f}, +{say_mean(centre[1])}; "
            f"ends {outer[0].mean():+.3f}, {say_mean(outer[1])} (σ = 0.25, 0.5), of which left "
            f"{left:+.3f}, right {right:+.3f}"
        )
    return Claim(
        "G6",
        "Noise makes the centre harder and does not change the ends notably",
        "none",
        say_both(texts),
        judge_both(holds, all(more)),
        ""
        if all(holds)
        else "The centre rises more, but the ends rise too, the left one most: its targets lie "
        "nearer to their mean, so that the same noise weighs more. Difficulties of two levels "
        "share no scale but that of the priors (G13).",
        is_headline=True,
    )


def _discrimination_falls(study: Polynomial) -> Claim:
    from scipy.stats import spearmanr

    holds, texts = [], []
    for method in range(len(METHODS)):
        means = study.discrimination[:, :, method].mean(axis=(0, 2))
        trend = float(spearmanr(SIGMAS, means).statistic)
        easier = correlate_items(study, method, "spearman").mean(axis=0)
        holds.append(trend < -0.9 and bool((easier < 0).all()))
        texts.append(
            f"{means[0]:.2f} → {means[_MIDDLE]:.2f} → {means[_LAST]:.2f} (trend ρ {trend:.2f}), "
            f"ρ with difficulty {easier.min():.2f} to {easier.max():.2f}"
        )
    return Claim(
        "G7",
        "Noise lowers discrimination; easier items discriminate more",
        "none",
        say_both(texts),
        judge_both(holds),
        "" if all(holds) else _CLIPPED,
        is_headline=True,
    )


def _negative_correlation(study: Polynomial) -> Claim:
    holds, texts = [], []
    for method in range(len(METHODS)):
        found = [correlate_items(study, method, kind) for kind in ("pearson", "spearman")]
        means = [each.mean(axis=0) for each in found]
        holds.append(all(bool((each < 0).all()) for each in means))
        texts.append(
            f"Pearson {means[0].min():.2f} to {means[0].max():.2f}, Spearman {means[1].min():.2f} "
            f"to {means[1].max():.2f}, negative in {np.mean(found[0] < 0):.0%} of the fits"
        )
    return Claim(
        "G8",
        "Difficulty and discrimination correlate negatively at every level of noise",
        "sign",
        say_both(texts),
        judge_both(holds),
        "" if all(holds) else _CLIPPED,
        is_headline=True,
    )


def _first_negative(study: Polynomial) -> Claim:
    holds, texts = [], []
    for method in range(len(METHODS)):
        share = (study.discrimination[:, :, method] < 0).mean(axis=(0, 2))
        first = SIGMAS[np.flatnonzero(share > 0)]
        holds.append(bool(len(first) and first[0] == SIGMAS[-1]))
        begins = f"first at σ = {first[0]:g}" if len(first) else "none at any level"
        texts.append(f"{begins}, share {share[_MIDDLE]:.2%} at 0.25, {share[_LAST]:.2%} at 0.5")
    return Claim(
        "G9",
        "The first item with negative discrimination appears at the largest noise only",
        "σ = 0.5",
        say_both(texts),
        judge_both(holds),
        "The paper shows one data set at three levels. How many are negative depends on how hard "
        "the prior N(1, 1) holds: the published objective weighs it as much as all responses of "
        "the item, joint MAP as one more.",
    )


def pick_examples(study: Polynomial) -> tuple[int, int]:
    """Give an item of the hard region and one of the ends: the middle one by difficulty of each."""
    values = study.difficulty[0, _MIDDLE, 0]
    chosen = []
    for inside in ((study.x[0] >= HARD[0]) & (study.x[0] <= HARD[1]), np.abs(study.x[0]) > ENDS):
        members = np.flatnonzero(inside)
        chosen.append(int(members[np.argsort(values[members])[len(members) // 2]]))
    return chosen[0], chosen[1]


def _examples(study: Polynomial) -> Claim:
    hard, easy = pick_examples(study)
    holds, texts = [], []
    for method in range(len(METHODS)):
        d = study.difficulty[0, _MIDDLE, method, [hard, easy]]
        a = study.discrimination[0, _MIDDLE, method, [hard, easy]]
        holds.append(bool(d[0] > d[1] and a[0] < a[1]))
        texts.append(f"difficulty {d[0]:.2f} and {d[1]:.2f}, discrimination {a[0]:.2f}, {a[1]:.2f}")
    return Claim(
        "G10",
        "A difficult item with low and an easy one with high discrimination",
        "difficulty 0.70 and 0.27; discrimination printed as 52 and 89",
        say_both(texts),
        judge_both(holds),
        "The decimal points of the paper's discriminations seem to be lost.",
    )
