"""Why claims on robustness do not hold: what was tried, in numbers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from itemcurve.analysis.robustness.class_makeup import class_makeup, noise_destinations
from itemcurve.analysis.robustness.curve_verdicts import DIFFICULTY, VERDICTS
from itemcurve.analysis.robustness.data_complexity import COMPLEX_ABOVE, data_complexity
from itemcurve.analysis.robustness.kappa_losses import kappa_losses
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.analysis.robustness.taxonomy import Linkage, taxonomy
from itemcurve_studies.robustness.experiment import RobustnessStudy
from itemcurve_studies.robustness.set_results import FARTHEST, SetResult

_MARGINS = (0.05, 0.2)
_LINKAGES: tuple[Linkage, ...] = ("average", "ward")


def try_without_constant(study: RobustnessStudy) -> str:
    """Give the spread of difficulty without instances that all, or none, answer right."""
    spreads, shares = [], []
    for one in study.sets:
        spreads.append(float(np.std(one.difficulty[one.is_varied], ddof=1)))
        shares.append(1 - one.is_varied.mean())
    near = sum(0.6 <= spread <= 1.6 for spread in spreads)
    return (
        f"tried without the {np.mean(shares):.0%} of instances that all or none answer right, "
        f"which the paper's code drops: median {np.median(spreads):.2f}, {near} of {len(spreads)} "
        "near 1"
    )


def count_alike(sets: Sequence[SetResult]) -> str:
    """Say how many instances beyond ±6 are answered alike by all, and how far the others lie."""
    values = np.abs(np.concatenate([one.difficulty for one in sets]))
    varied = np.concatenate([one.is_varied for one in sets])
    outside = values > FARTHEST
    if not outside.any():
        return ""
    return (
        f"{int((outside & ~varied).sum()):,} of the {int(outside.sum()):,} are answered alike by "
        "all of the pool, which the paper's code drops; tried without them: the furthest lies at "
        f"±{values[varied].max():.2f}"
    )


def describe_outside(sets: Sequence[SetResult]) -> str:
    """Say what the instances are whose difficulty is beyond ±6 although some answer otherwise."""
    easy = [one.mean_responses[one.is_varied & (one.difficulty < -FARTHEST)] for one in sets]
    hard = [one.mean_responses[one.is_varied & (one.difficulty > FARTHEST)] for one in sets]
    many = [len(below) + len(above) for below, above in zip(easy, hard, strict=True)]
    where = sum(count > 0 for count in many)
    told = [f": on {where} data set{'s' * (where > 1)}"] if where else []
    for parts, end, name in ((easy, min, "easy"), (hard, max, "hard")):
        shares = np.concatenate(parts)
        if len(shares):
            edge = "at least" if name == "easy" else "at most"
            told.append(f"{len(shares):,} {name}, right by {edge} {end(shares):.1%} of the pool")
    return ", ".join(told)


def rank_by_answers(study: RobustnessStudy) -> str:
    """Give the share of right answers of the easiest data sets, beside that of nursery."""
    means = {one.data.source.name: float(one.mean_responses.mean()) for one in study.sets}
    best = sorted(means, key=lambda name: -means[name])
    told = ", ".join(f"{name} {means[name]:.1%}" for name in best[:3])
    return (
        "our pool replaces up to 2,000 runs of OpenML: its right answers are "
        f"{told}, nursery {means.get('nursery', np.nan):.1%} (number "
        f"{best.index('nursery') + 1 if 'nursery' in best else 0})"
    )


def count_unmoved(study: RobustnessStudy) -> str:
    """Say of which kind the models are whose κ is not lower at the largest share of noise."""
    pairs, silent, still, where = 0, 0, 0, []
    for one in study.curves:
        not_lower = np.flatnonzero(one.kappa[:, :, -1].mean(axis=1) >= 1)
        clean, noisy = one.clean[not_lower], one.noisy[not_lower]
        names_one = (clean == clean[:, :1]).all(axis=1)
        stays = (clean == noisy).all(axis=1)
        pairs += len(one.respondents)
        silent += int(names_one.sum())
        still += int((stays & ~names_one).sum())
        where += [f"{one.respondents[place]} on {one.name}" for place in not_lower]
    if not where:
        return ""
    return (
        f"not lower are {len(where)} of {pairs} pairs ({', '.join(where)}): {silent} name one "
        "class for every instance, which noise cannot move. Tested with noise on every instance "
        f"instead of a share: of the others {still} still keep all predictions, "
        f"{len(where) - silent - still} do not"
    )


def try_margins(study: RobustnessStudy) -> str:
    """Give the commonest verdict on curves with other margins."""
    found = []
    for margin in _MARGINS:
        words = [
            word
            for one in study.curves
            for word in one.verdicts(margin, measure="kappa")["verdict"]
        ]
        shares = {word: words.count(word) / len(words) for word in VERDICTS}
        first = max(shares, key=lambda word: shares[word])
        found.append(f"{margin:g}: {DIFFICULTY} {shares[DIFFICULTY]:.0%}, first is {first}")
    hurt = [one.kappa[:, 0, -1] > one.kappa[:, -1, -1] for one in study.curves]
    share = float(np.concatenate(hurt).mean())
    return (
        f"a margin of 0.1 in κ parts the kinds; with others {'; '.join(found)}. Without any margin "
        f"the hardest bin loses more than the easiest in {share:.0%} of pairs"
    )


def count_destinations(study: RobustnessStudy, fewest: int) -> str:
    """Give how the most frequent destination compares with the largest class of the bin."""
    excess = []
    for one in study.curves:
        moves, makeup = noise_destinations(one), class_makeup(one)
        largest = float(makeup.loc[makeup["bin"] == one.n_bins, "share"].max())
        hard = moves[(moves["bin"] == one.n_bins) & (moves["moves"] >= fewest)]["to_share"]
        if len(hard):
            excess.append(float(hard.mean()) - largest)
    return (
        "fewer moves would go to few classes by chance; those pairs are left out. Tried: the most "
        "frequent destination exceeds the largest class of the hardest bin by "
        f"{np.mean(excess):+.2f} on average, on {sum(gap > 0 for gap in excess)} of "
        f"{len(excess)} data sets"
    )


def try_linkages(study: RobustnessStudy, column: str) -> str:
    """Give the best kind of profile by a measure of quality, with other linkages."""
    found = []
    for linkage in _LINKAGES:
        tables = {
            kind: taxonomy(profile, 2, linkage=linkage).quality.set_index("clusters")[column]
            for kind, profile in study.profiles.items()
        }
        many = [k for k in tables["dand"].index if k >= 5]
        first = sum(max(tables, key=lambda kind: tables[kind][k]) == "dand" for k in many)
        found.append(f"{linkage}: DAND first for {first} of {len(many)} from five on")
    return f"tried with other linkages: {'; '.join(found)}"


def try_elbows(study: RobustnessStudy) -> str:
    """Give the elbow with other linkages and kinds of profile."""
    found = [
        f"{kind.upper()} {linkage} {taxonomy(profile, 2, linkage=linkage).elbow}"
        for kind, profile in study.profiles.items()
        for linkage in ("complete", *_LINKAGES)
    ]
    return f"elbow by profile and linkage: {', '.join(found)}"


def describe_parts(study: RobustnessStudy, name: str) -> str:
    """Give both losses of a model as ranks on simple and on complex data sets."""
    table = kappa_losses(study.curves, split=True)
    told = []
    for part in ("simple", "complex"):
        own = table[table["part"] == part].set_index("respondent")
        if name not in own.index:
            continue
        ranks = own[["loss_by_noise", "loss_by_difficulty"]].rank(ascending=False).loc[name]
        told.append(
            f"{part}: number {ranks['loss_by_noise']:.0f} by noise, "
            f"{ranks['loss_by_difficulty']:.0f} by difficulty, of {len(own)}"
        )
    return f"1 losing most; {'; '.join(told)}"


def try_rows_used(study: RobustnessStudy) -> str:
    """Give the differences of simple and complex data sets by the rows that were used."""
    own = [_with_own_complexity(one) for one in study.sets]
    moved = [
        new.name
        for old, new in zip(study.curves, own, strict=True)
        if (old.complexity > COMPLEX_ABOVE) != (new.complexity > COMPLEX_ABOVE)
    ]
    if not moved:
        return "the rows used leave every data set on its side"
    if all(one.complexity > COMPLEX_ABOVE for one in own):
        return "by the rows used every data set is complex"
    table = kappa_losses(own, split=True)
    gaps = []
    for name in ("loss_by_difficulty", "loss_by_noise"):
        parts = table.pivot_table(index="respondent", columns="part", values=name)
        gaps.append(float((parts["simple"] - parts["complex"]).mean()))
    return (
        f"by the rows used {len(moved)} of the simple are complex ({', '.join(moved)}); parted "
        f"so, simple minus complex is {gaps[0]:+.3f} by difficulty and {gaps[1]:+.3f} by noise"
    )


def _with_own_complexity(one: SetResult) -> SystemCurves:
    """Give the curves with the complexity of the rows used instead of all rows."""
    rows, columns = one.data.X.shape
    found = data_complexity(rows, columns + 1, len(one.curves.classes))
    return replace(one.curves, complexity=found)
