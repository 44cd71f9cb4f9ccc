"""Claims on robustness by the paper's own protocol: without constants, without our margins."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from itemcurve.analysis.robustness.kappa_losses import loss_table
from itemcurve_studies.robustness.causes import describe_outside
from itemcurve_studies.robustness.data import SETS
from itemcurve_studies.robustness.experiment import RobustnessStudy
from itemcurve_studies.robustness.set_results import FARTHEST
from itemcurve_studies.study.claims import judge
from itemcurve_studies.study.second_verdicts import NOT_RUN, SecondVerdict

Floats = NDArray[np.float64]
# Classifiers of each of the ten algorithms in the pool of the run that decides.
_SEEDS = 20


def judge_by_paper(study: RobustnessStudy) -> list[SecondVerdict]:
    """Judge what the rules by the paper's own protocol judge.

    Their run has all rows, 200 classifiers in the pool and all data sets. Of a smaller one, or one
    that has not ended, what was found stands there with the verdict it would have, as no verdict.
    """
    if not study.sets:
        return []
    rules: tuple[Callable[[RobustnessStudy], SecondVerdict], ...] = (
        _range,
        _spread,
        _extremes,
        _fall,
        _hardest_bin,
    )
    found = [rule(study) for rule in rules] + [
        _compare_losses(study, "R13", "LVQ", by_noise=False),
        _compare_losses(study, "R14", "CI tree", by_noise=True),
        _compare_losses(study, "R15", "MLP", by_noise=False),
    ]
    return found if _is_whole(study) else [_so_far(one, study) for one in found]


def _is_whole(study: RobustnessStudy) -> bool:
    size = study.size
    asked = size.rows is None and size.seeds >= _SEEDS and not size.is_quick
    return asked and len(study.sets) == len(SETS)


def _so_far(one: SecondVerdict, study: RobustnessStudy) -> SecondVerdict:
    told = f"so far, {len(study.sets)} of {len(SETS)} data sets, {study.size.describe()}: "
    return replace(one, measured=f"{told}{one.measured}; by these: {one.verdict}", verdict=NOT_RUN)


def _range(study: RobustnessStudy) -> SecondVerdict:
    found = [np.abs(one.difficulty[one.is_varied]) > FARTHEST for one in study.sets]
    outside, count = int(sum(part.sum() for part in found)), sum(map(len, found))
    share = outside / count
    # Clopper and Pearson's upper end would differ in the last digit only.
    error = 1.96 * np.sqrt(max(share * (1 - share), 1 / count) / count)
    return SecondVerdict(
        "R1",
        f"{outside:,} of {count:,} instances answered both ways ({share:.3%})"
        f"{describe_outside(study.sets)}",
        judge(share < 0.001, share < 0.01),
        f"{max(0.0, share - error):.3%} to {share + error:.3%}",
    )


def _spread(study: RobustnessStudy) -> SecondVerdict:
    from scipy.stats import skew

    parts = [one.difficulty[one.is_kept] for one in study.sets]
    spreads = np.array([part.std(ddof=1) for part in parts])
    skewness = np.array([skew(part) for part in parts])
    near, bell = (spreads >= 0.6) & (spreads <= 1.6), np.abs(skewness) < 1
    most = near.mean() > 0.5, bell.mean() > 0.5
    return SecondVerdict(
        "R2",
        f"{near.sum()} of {len(parts)} between 0.6 and 1.6, median {np.median(spreads):.2f}; "
        f"|skewness| below 1 on {bell.sum()}",
        judge(all(most), any(most)),
        f"quartiles of the sd {_quartiles(spreads)}",
    )


def _extremes(study: RobustnessStudy) -> SecondVerdict:
    parts = {one.data.source.name: one.difficulty[one.is_kept] for one in study.sets}
    means = {name: float(part.mean()) for name, part in parts.items()}
    hardest, easiest = max(means, key=lambda n: means[n]), min(means, key=lambda n: means[n])
    named = hardest, easiest, "nursery"
    told = ", ".join(f"{n} {means[n]:.2f} ± {parts[n].std():.2f}" for n in named if n in means)
    is_hardest = hardest == "analcatdata_dmft"
    return SecondVerdict(
        "R3",
        f"hardest, easiest, nursery: {told}",
        judge(is_hardest and easiest == "nursery", is_hardest),
        "mean ± sd of the instances",
    )


def _fall(study: RobustnessStudy) -> SecondVerdict:
    is_one = all(bool((one.kappa[:, :, 0] == 1).all()) for one in study.paper_curves)
    names = study.profiles["dand"].respondents
    paths = np.array(
        [
            np.mean(
                [one.kappa[one.respondents.index(name)].mean(axis=0) for one in study.paper_curves],
                axis=0,
            )
            for name in names
        ]
    )
    steady = (np.diff(paths, axis=1) < 0).all(axis=1)
    is_mean_steady = bool((np.diff(paths.mean(axis=0)) < 0).all())
    return SecondVerdict(
        "R4",
        f"{'1 everywhere' if is_one else 'not 1 everywhere'} at λ = 0; falls with every share for "
        f"{steady.sum()} of {len(names)} models; mean κ "
        f"{', '.join(f'{value:.3f}' for value in paths.mean(axis=0))}",
        judge(is_one and bool(steady.all()), is_one and is_mean_steady),
        f"κ at λ = 1 of single models {paths[:, -1].min():.3f} to {paths[:, -1].max():.3f}",
    )


def _hardest_bin(study: RobustnessStudy) -> SecondVerdict:
    lowest, more = [], []
    for one in study.paper_curves:
        last = one.kappa[:, :, -1]
        lowest += last.argmin(axis=1).tolist()
        more.append(float((last[:, -1] < last[:, 0]).mean()))
    bins = study.paper_curves[0].kappa.shape[1]
    counts = np.bincount(lowest, minlength=bins)
    shares = np.array(more)
    low, high = _interval(shares)
    parts = bool(counts.argmax() == bins - 1), low > 0.5
    return SecondVerdict(
        "R5",
        f"lowest κ by bin, easiest first: {', '.join(map(str, counts))}; the hardest loses more "
        f"than the easiest in {shares.mean():.0%} of pairs",
        judge(all(parts), any(parts)),
        f"{max(low, 0.0):.0%} to {min(high, 1.0):.0%} over data sets",
    )


def _compare_losses(
    study: RobustnessStudy, claim: str, name: str, *, by_noise: bool
) -> SecondVerdict:
    """A model's two losses, paired over data sets."""
    table = loss_table(study.paper_curves)
    own = table[table["respondent"] == name]
    losses = own[["loss_by_noise", "loss_by_difficulty"]].to_numpy(np.float64)
    gap = (losses[:, 0] - losses[:, 1]) * (1 if by_noise else -1)
    low, high = _interval(gap)
    words = "noise minus difficulty" if by_noise else "difficulty minus noise"
    return SecondVerdict(
        claim,
        f"{name}, {words}: {gap.mean():+.3f}, above 0 on {int((gap > 0).sum())} of {len(gap)} data "
        "sets",
        judge(low > 0, bool(gap.mean() > 0)),
        f"{low:+.3f} to {high:+.3f}, paired over data sets",
    )


def _interval(values: Floats) -> tuple[float, float]:
    """95 % interval of a mean over data sets."""
    from scipy.stats import t

    count = len(values)
    if count < 2:
        return np.nan, np.nan
    width = float(t.ppf(0.975, count - 1)) * values.std(ddof=1) / np.sqrt(count)
    return float(values.mean() - width), float(values.mean() + width)


def _quartiles(values: Floats) -> str:
    return ", ".join(f"{value:.2f}" for value in np.quantile(values, [0.25, 0.5, 0.75]))
