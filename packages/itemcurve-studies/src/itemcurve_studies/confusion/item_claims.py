"""Claims C1 to C4 of the paper on the IRT confusion matrix: what the items are like."""

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.confusion.experiment import ConfusionStudy
from itemcurve_studies.study.claims import Claim, judge

_DRAWS = 4_000


def judge_level(study: ConfusionStudy) -> Claim:
    """C1: signs of means and medians; means of an unregularised fit are driven by outliers."""
    a, b, c = (study.summary.parameters[n] for n in ("discrimination", "difficulty", "guessing"))
    return Claim(
        "C1",
        "Not very difficult, discriminates well: mean difficulty negative, mean discrimination "
        "positive",
        "b −2.677 (median −1.600), a 3.131 (2.619), c .202 (.081)",
        f"b {b.mean():.3f} ({np.median(b):.3f}), a {a.mean():.3f} ({np.median(a):.3f}), "
        f"c {c.mean():.3f} ({np.median(c):.3f})",
        judge(bool(b.mean() < 0 < a.mean() and np.median(b) < 0 < np.median(a))),
    )


def judge_negative_share(study: ConfusionStudy) -> Claim:
    """C2: a share of 15 to 35 %."""
    a = study.summary.parameters["discrimination"]
    share = float((a < 0).mean())
    low, high = _negative_interval(a, study.fit.items["discrimination_se"].to_numpy())
    return Claim(
        "C2",
        "About a quarter of the items have negative discrimination",
        "24.7 % (20 of 81)",
        f"{share:.1%} ({(a < 0).sum()} of {a.size}), 90 % interval {low:.1%} to {high:.1%}",
        judge(0.15 <= share <= 0.35),
        is_headline=True,
    )


def judge_guessing(study: ConfusionStudy) -> Claim:
    """C3: class means with a rank test; majority items without guessing in the plain fit."""
    minority = study.heart.y_test == 1
    c = study.summary.parameters["guessing"]
    p_value = study.summary.p_values["guessing"]
    plain = study.plain.items["guessing"].to_numpy()[~minority]
    is_higher = bool(c[minority].mean() > c[~minority].mean() and p_value < 0.05)
    return Claim(
        "C3",
        "Minority items have higher guessing; most majority items have none",
        "9 majority items (11 % of all) above 0",
        f"means {c[minority].mean():.3f} and {c[~minority].mean():.3f}, rank test p {p_value:.3f}; "
        f"without priors {(plain > 0.01).sum()} of {plain.size} majority items above .01",
        judge(is_higher and (plain > 0.01).mean() < 0.5, is_higher),
        "the guessing of an item that nearly everybody hits is not determined: under the prior "
        "none is 0, and the flat maximum without priors leaves most of them above 0",
        is_headline=True,
    )


def judge_easy_outliers(study: ConfusionStudy) -> Claim:
    """C4: minority items below the lower quartile by three interquartile ranges."""
    minority = study.heart.y_test == 1
    counts = [
        count_easy_outliers(fit.items["difficulty"].to_numpy(), minority)
        for fit in (study.fit, study.plain)
    ]
    return Claim(
        "C4",
        "Three minority items are outliers in easiness",
        "3",
        f"{counts[0]} under the default prior, {counts[1]} without priors",
        judge(counts[0] == 3, counts[1] == 3),
        "outlying difficulties are those of flat items, b = −e/a with a near 0: they follow the "
        "prior, not the class",
    )


def _negative_interval(a: NDArray[np.float64], error: NDArray[np.float64]) -> tuple[float, float]:
    """Give the 90 % interval of the share of negative slopes, drawing each from its normal."""
    rng = np.random.default_rng(0)
    draws = a + np.nan_to_num(error) * rng.standard_normal((_DRAWS, a.size))
    low, high = np.quantile((draws < 0).mean(axis=1), (0.05, 0.95))
    return float(low), float(high)


def count_easy_outliers(b: NDArray[np.float64], minority: NDArray[np.bool_]) -> int:
    """Count minority items three interquartile ranges below the lower quartile."""
    low, high = np.quantile(b, (0.25, 0.75))
    return int(((b < low - 3 * (high - low)) & minority).sum())
