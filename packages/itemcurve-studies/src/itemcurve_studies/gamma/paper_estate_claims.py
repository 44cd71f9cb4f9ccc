"""Claims of the Γ paper on Real Estate by its own protocol: single runs of algorithm 1."""

import numpy as np
from numpy.typing import NDArray

from itemcurve_studies.gamma.evidence import places
from itemcurve_studies.gamma.paper_protocol import EstateRuns
from itemcurve_studies.study.claims import judge
from itemcurve_studies.study.second_verdicts import SecondVerdict

Floats = NDArray[np.float64]
HARD_REGION = (-0.8, -0.2)


def judge_runs(runs: EstateRuns) -> list[SecondVerdict]:
    """Judge G17 to G20."""
    return [_hard_region(runs), _negative_pairs(runs), _rank(runs), _network(runs)]


def _over_splits(values: Floats) -> str:
    """Mean over splits with its 95 % interval: seeds of a split are no independent data."""
    means = values.reshape(len(values), -1).mean(axis=1)
    error = 1.96 * means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.nan
    return f"{means.mean() - error:.2f} to {means.mean() + error:.2f} over {len(means)} splits"


def _low_end(values: Floats) -> float:
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean() - 1.96 * error)


def _hard_region(runs: EstateRuns) -> SecondVerdict:
    inside = (runs.component >= HARD_REGION[0]) & (runs.component <= HARD_REGION[1])
    gaps, noise = [], []
    for split, own in enumerate(inside):
        difficulty = runs.difficulty[split].mean(axis=0)
        gaps.append(difficulty[own].mean() - difficulty[~own].mean())
        noise.append(runs.spread[split][own].mean() - runs.spread[split][~own].mean())
    gap, more = np.array(gaps), np.array(noise)
    parts = _low_end(gap) > 0, _low_end(more) > 0
    return SecondVerdict(
        "G17",
        f"difficulty inside − outside {gap.mean():+.3f}, spread of prices {more.mean():+.2f} sd",
        judge(all(parts), any(parts)),
        f"difficulty {_over_splits(gap)}; spread {_over_splits(more)}",
    )


def _negative_pairs(runs: EstateRuns) -> SecondVerdict:
    splits, seeds = runs.discrimination.shape[:2]
    has_pair, negative = np.zeros((splits, seeds)), np.zeros((splits, seeds))
    for split in range(splits):
        e = runs.item_errors[split]
        for seed in range(seeds):
            a, d = runs.discrimination[split, seed], runs.difficulty[split, seed]
            below, above = np.flatnonzero(a < 0), np.flatnonzero(a > 0)
            reversed_pairs = (e[below, None] > e[above]) & (d[below, None] < d[above])
            has_pair[split, seed], negative[split, seed] = reversed_pairs.any(), len(below)
    share = float(has_pair.mean())
    return SecondVerdict(
        "G18",
        f"{share:.0%} of {has_pair.size} runs have such a pair; {negative.mean():.2f} of "
        f"{runs.discrimination.shape[2]} items are negative in a run, {(negative > 0).mean():.0%} "
        "of the runs have one",
        judge(share >= 0.5, share >= 0.05),
        f"share {_over_splits(has_pair)}",
    )


def _rank(runs: EstateRuns) -> SecondVerdict:
    from scipy.stats import spearmanr

    found = np.array(
        [
            [float(spearmanr(ability, errors).statistic) for ability in abilities]
            for abilities, errors in zip(runs.abilities, runs.errors, strict=True)
        ]
    )
    middle = float(np.median(found))
    low, high = np.quantile(found, [0.025, 0.975])
    return SecondVerdict(
        "G19",
        f"median ρ {middle:.2f}; at most −0.7 in {(found <= -0.7).mean():.0%} of {found.size} runs",
        judge(middle <= -0.7, middle <= -0.4),
        f"95 % of the runs in {low:.2f} to {high:.2f}; mean {_over_splits(found)}",
    )


def _network(runs: EstateRuns) -> SecondVerdict:
    network, tree, ridge = places(["Neural network 100", "Decision tree", "Bayesian ridge"])
    errors = np.all(runs.errors[:, network, None] > runs.errors[:, [tree, ridge]], axis=1)
    higher = runs.abilities[..., network, None] > runs.abilities[..., [tree, ridge]]
    both = np.asarray(errors)[:, None] & higher.all(axis=2)
    share = float(both.mean())
    return SecondVerdict(
        "G20",
        f"both in {share:.0%} of {both.size} runs; larger error in {np.mean(errors):.0%} of the "
        f"splits, higher ability in {higher.all(axis=2).mean():.0%} of the runs",
        judge(share >= 0.5, share >= 0.05),
        f"share {_over_splits(both.astype(float))}",
        "Tested by repeated runs of algorithm 1, which never comes to rest: "
        f"{share:.0%} of them show both, so that a single run of unknown seed may.",
    )
