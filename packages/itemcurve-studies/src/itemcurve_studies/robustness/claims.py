"""Claims of the paper on robustness; here those on difficulty, curves and data sets."""

from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.robustness.class_makeup import class_makeup, noise_destinations
from itemcurve.analysis.robustness.curve_verdicts import DIFFICULTY, VERDICTS
from itemcurve.analysis.robustness.kappa_losses import kappa_losses, loss_table
from itemcurve_studies.robustness import causes
from itemcurve_studies.robustness import group_claims as groups
from itemcurve_studies.robustness.experiment import RobustnessStudy
from itemcurve_studies.robustness.tables import data_set_table, join_sets, verdict_table
from itemcurve_studies.study.claims import Claim, claims_frame, judge, skip

if TYPE_CHECKING:
    import pandas


# With fewer moves the most frequent destination is large by chance.
_FEWEST_MOVES = 10


def judge_claims(study: RobustnessStudy) -> "pandas.DataFrame":
    """Give one row per claim: the paper's value, ours, verdict and tested cause."""
    rules = (
        judge_range,
        judge_spread,
        judge_extremes,
        judge_fall,
        judge_kinds,
        judge_destinations,
        judge_easy_bins,
        groups.judge_between,
        groups.judge_silhouette,
        groups.judge_elbow,
        groups.judge_rules_and_trees,
        groups.judge_naive_bayes,
        groups.judge_lvq,
        groups.judge_conditional_trees,
        groups.judge_perceptron,
        judge_complex,
        judge_complexity,
        judge_shapes,
        judge_agreement,
    )
    if not study.sets:
        reason = "no data set of table 1 is in the data folder"
        numbers = range(1, len(rules) + 1)
        return claims_frame(
            judge_shapes(study) if rules[n - 1] is judge_shapes else skip(f"R{n}", reason)
            for n in numbers
        )
    return claims_frame(rule(study) for rule in rules)


def judge_range(study: RobustnessStudy) -> Claim:
    """R1: share per data set."""
    outside = data_set_table(study)["outside"]
    return Claim(
        "R1",
        "Difficulties outside [−6, 6] are rare",
        "below 0.1 % of instances",
        f"at most {outside.max():.2%} of a data set, mean {outside.mean():.2%}",
        judge(bool(outside.max() < 0.001), bool(outside.mean() < 0.01)),
        causes.count_alike(study.sets),
    )


def judge_spread(study: RobustnessStudy) -> Claim:
    """R2: standard deviation and skewness per data set."""
    table = data_set_table(study)
    near = table["sd"].between(0.6, 1.6)
    return Claim(
        "R2",
        "Difficulty has a standard deviation near 1 on most data sets, mostly bell-shaped",
        "about 1",
        f"{near.sum()} of {len(table)} between 0.6 and 1.6, median {table['sd'].median():.2f}; "
        f"|skewness| below 1 on {(table['skewness'].abs() < 1).sum()}",
        judge(bool(near.mean() > 0.5), bool(table["sd"].median() < 2)),
        "in logits, where the paper's code fits slopes that take up spread; "
        f"{causes.try_without_constant(study)}",
    )


def judge_extremes(study: RobustnessStudy) -> Claim:
    """R3: means and their order."""
    table = data_set_table(study).set_index("data_set")["mean"].sort_values()
    hardest, easiest = str(table.index[-1]), str(table.index[0])
    return Claim(
        "R3",
        "analcatdata_dmft is the hardest on average, nursery the easiest",
        "1.33 ± 1.12; −2.50 ± 1.56",
        f"hardest {hardest} {table.iloc[-1]:.2f}, easiest {easiest} {table.iloc[0]:.2f}; "
        f"nursery {table.get('nursery', np.nan):.2f}",
        judge(
            hardest == "analcatdata_dmft" and easiest == "nursery", hardest == "analcatdata_dmft"
        ),
        causes.rank_by_answers(study),
        is_headline=True,
    )


def judge_fall(study: RobustnessStudy) -> Claim:
    """R4: every model and bin."""
    is_one = all((one.kappa[:, :, 0] == 1).all() for one in study.curves)
    falls = [one.kappa[:, :, -1].mean(axis=1) < 1 for one in study.curves]
    share = float(np.concatenate(falls).mean())
    means = np.mean([one.kappa.mean(axis=(0, 1)) for one in study.curves], axis=0)
    is_steady = bool((np.diff(means) < 0).all())
    return Claim(
        "R4",
        "κ = 1 everywhere at λ = 0 and falls as λ grows",
        "1",
        f"{'1 everywhere' if is_one else 'not 1 everywhere'}; lower at the largest share for "
        f"{share:.0%} of models × data sets; mean κ {', '.join(f'{m:.3f}' for m in means)}",
        judge(is_one and share > 0.99 and is_steady, is_one and is_steady),
        causes.count_unmoved(study),
    )


def judge_kinds(study: RobustnessStudy) -> Claim:
    """R5: share of each verdict."""
    shares = verdict_table(study)["verdict"].value_counts(normalize=True)
    told = {word: float(shares.get(word, 0.0)) for word in VERDICTS}
    return Claim(
        "R5",
        "Four kinds of system curves; the most common: noise hurts hard bins most",
        "most common",
        ", ".join(f"{word} {share:.0%}" for word, share in told.items()),
        judge(max(told, key=lambda word: told[word]) == DIFFICULTY, told[DIFFICULTY] > 0.25),
        causes.try_margins(study),
        is_headline=True,
    )


def judge_destinations(study: RobustnessStudy) -> Claim:
    """R6: share of the most frequent destination, hard against easy bins."""
    table = join_sets(study, noise_destinations)
    last = int(table["bin"].max())
    pairs = table[table["bin"].isin([1, last])].pivot_table(
        index=["data_set", "respondent"], columns="bin", values=["moves", "to_share"]
    )
    fewest = pairs["moves"].to_numpy(np.float64).min(axis=1)
    enough = pairs[fewest >= _FEWEST_MOVES]["to_share"]
    hard, easy = float(enough[last].mean()), float(enough[1].mean())
    return Claim(
        "R6",
        "In the hardest bins noise moves predictions toward a single class",
        "none",
        f"the most frequent destination takes {hard:.0%} of moves in the hardest bin, {easy:.0%} "
        f"in the easiest, over {len(enough)} of {len(pairs)} pairs with at least "
        f"{_FEWEST_MOVES} moves in both",
        judge(hard > 0.5 and hard > easy, hard > easy),
        causes.count_destinations(study, _FEWEST_MOVES),
    )


def judge_easy_bins(study: RobustnessStudy) -> Claim:
    """R7: class share in the easiest bin against the κ loss there."""
    from scipy.stats import spearmanr

    makeup = join_sets(study, class_makeup)
    easiest = makeup[makeup["bin"] == 1].groupby("data_set", sort=False)["share"].max()
    losses = loss_table(study.curves).groupby("data_set", sort=False)["loss_easy"].mean()
    found = float(spearmanr(easiest, losses.loc[easiest.index]).statistic)
    return Claim(
        "R7",
        "Where easy bins lose κ, one class dominates them",
        "none",
        f"Spearman {found:.2f} of the largest class share and the loss in the easiest bin, over "
        f"{len(easiest)} data sets",
        judge(found > 0.3, found > 0),
    )


def judge_complex(study: RobustnessStudy) -> Claim:
    """R16: paired differences per model."""
    table = kappa_losses(study.curves, split=True)
    gaps: dict[str, Any] = {}
    for name in ("loss_by_difficulty", "loss_by_noise"):
        parts = table.pivot_table(index="respondent", columns="part", values=name)
        gaps[name] = (parts["simple"] - parts["complex"]).dropna().to_numpy(np.float64)
    count = len(gaps["loss_by_noise"])
    means = np.array([float(own.mean()) for own in gaps.values()])
    better = (gaps["loss_by_difficulty"] > 0) & (gaps["loss_by_noise"] > 0)
    told = ", ".join(
        f"{name.removeprefix('loss_').replace('_', ' ')} {own.mean():+.3f} ± "
        f"{1.645 * own.std(ddof=1) / np.sqrt(count):.3f}"
        for name, own in gaps.items()
    )
    return Claim(
        "R16",
        "Almost all groups lose less κ, by noise and by difficulty, on complex data sets",
        "none",
        f"simple minus complex: {told}; less on complex in both for {better.sum()} of {count}",
        judge(bool(better.mean() >= 0.75), bool((means > 0).all())),
        causes.try_rows_used(study),
        is_headline=True,
    )


def judge_complexity(study: RobustnessStudy) -> Claim:
    """R17: within 0.005 on complete data sets (half a unit of the last digit printed)."""
    table = data_set_table(study)
    complete = table[table["status"] == "complete"]
    gap = (complete["complexity"] - complete["published"]).abs()
    return Claim(
        "R17",
        "Complexity is attributes × classes / instances, the class column counting",
        "0 to 7.14",
        f"largest difference {gap.max():.4f} over {len(complete)} complete data sets",
        judge(bool((gap <= 0.005 + 1e-9).all())),
    )


def judge_shapes(study: RobustnessStudy) -> Claim:
    """R18: distance of hardest against easiest decile; skewness."""
    table = study.shapes
    nearer = table["hardest"] < table["easiest"]
    bell = (table["skewness"].abs() < 1) & (table["excess_kurtosis"].abs() < 2)
    return Claim(
        "R18",
        "Moons, circles, linear: the hardest instances lie at the boundary; difficulties are "
        "roughly normal",
        "none",
        f"hardest decile nearer in {nearer.sum()} of {len(table)} (1PL and β³); roughly normal in "
        f"{bell.sum()}",
        judge(bool(nearer.all() and bell.all()), bool(nearer.all())),
        f"99 % of the answers agree on {table['constant'].mean():.0%} of the instances, which lie "
        "together at the easy end",
        is_headline=True,
    )


def judge_agreement(study: RobustnessStudy) -> Claim:
    """R19: Kendall's W of model ranks over data sets."""
    losses = loss_table(study.curves).pivot_table(
        index="data_set", columns="respondent", values="loss_by_noise"
    )
    ranks = losses.dropna(axis=1).rank(axis=1)
    sets, models = ranks.shape
    spread = float(((ranks.sum() - ranks.sum().mean()) ** 2).sum())
    agreement = 12 * spread / (sets**2 * (models**3 - models))
    return Claim(
        "R19",
        "Models that are robust on one data set may not be on another",
        "none",
        f"Kendall's W {agreement:.2f} over {sets} data sets and {models} models",
        judge(agreement < 0.7, agreement < 0.9),
    )
