"""Claims of the paper on robustness: clusters of models, and what each of them is like."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.robustness.kappa_losses import kappa_losses
from itemcurve_studies.robustness import causes
from itemcurve_studies.robustness.experiment import RobustnessStudy
from itemcurve_studies.robustness.tables import quality_table
from itemcurve_studies.study.claims import Claim, judge

if TYPE_CHECKING:
    import pandas

_RULES_AND_TREES = ("C5.0", "JRip", "PART", "RPART", "kNN", "RF rules")


def judge_between(study: RobustnessStudy) -> Claim:
    """R8: the same table."""
    table = _by_kind(study, "avg_bc")
    best = table.idxmax(axis=1) == "dand"
    return Claim(
        "R8",
        "DAND has the largest average between-cluster distance for every number of clusters",
        "0.16 to 0.14, against 0.15-0.12 (DAD), 0.09-0.06 (DAN)",
        f"largest for {best.sum()} of {len(best)}; {_ranges(table)}",
        judge(bool(best.all()), bool(best.mean() > 0.5)),
        "of necessity for the same groups: DAND joins the columns of both, so its distances are "
        "never smaller than theirs",
        is_headline=True,
    )


def judge_silhouette(study: RobustnessStudy) -> Claim:
    """R9: the same table."""
    table = _by_kind(study, "sil_w")
    many = table[table.index >= 5].idxmax(axis=1) == "dand"
    few = table[table.index < 5].idxmax(axis=1) == "dan"
    return Claim(
        "R9",
        "From five clusters on DAND has the largest silhouette, for fewer DAN",
        "0.32 at k = 5 (DAN .29, DAD .26)",
        f"DAND first for {many.sum()} of {len(many)} from five on, DAN for {few.sum()} of "
        f"{len(few)} below; {_ranges(table)}",
        judge(bool(many.all() and few.all()), bool(many.all() or few.all())),
        causes.try_linkages(study, "sil_w"),
        is_headline=True,
    )


def judge_elbow(study: RobustnessStudy) -> Claim:
    """R10: elbow, silhouette."""
    tree = study.trees["dand"]
    best = int(tree.quality.loc[tree.quality["is_best_silhouette"], "clusters"].iloc[0])
    return Claim(
        "R10",
        "About five clusters are best (elbow)",
        "5",
        f"elbow {tree.elbow}, best silhouette {best}, of {len(tree.respondents)} models",
        judge(4 <= tree.elbow <= 6, 4 <= best <= 6),
        causes.try_elbows(study),
        is_headline=True,
    )


def judge_rules_and_trees(study: RobustnessStudy) -> Claim:
    """R11: co-membership; loss by difficulty against that by noise."""
    tree = study.trees["dand"]
    known = [name for name in _RULES_AND_TREES if name in tree.respondents]
    groups = [int(tree.clusters[tree.respondents.index(name)]) for name in known]
    together = max(groups.count(group) for group in set(groups))
    losses = _losses(study)
    flat = float((losses["loss_by_difficulty"] < losses["loss_by_noise"]).loc[known].mean())
    return Claim(
        "R11",
        "Rules, trees and nearest neighbours fall in one group, with flat curves that drop with "
        "noise",
        "prototype PART",
        f"{together} of {len(known)} in one cluster; {flat:.0%} lose less by difficulty than by "
        "noise",
        judge(together == len(known) and flat == 1, together >= 0.6 * len(known) or flat > 0.5),
        f"clusters: {', '.join(f'{n} {g}' for n, g in zip(known, groups, strict=True))}",
        is_headline=True,
    )


def judge_naive_bayes(study: RobustnessStudy) -> Claim:
    """R12: silhouette of its group; rank of its loss by noise."""
    tree = study.trees["dand"]
    cluster = tree.clusters[tree.respondents.index("NB")]
    members = [n for n, c in zip(tree.respondents, tree.clusters, strict=True) if c == cluster]
    rank = int(_losses(study)["loss_by_noise"].rank(ascending=False)["NB"])
    count = len(tree.respondents)
    width = float(tree.silhouettes[tree.clusters == cluster].mean())
    return Claim(
        "R12",
        "Naive Bayes behaves unlike the rest and is highly sensitive to noise",
        "prototype of A2; section 5.4 calls its group resilient to noise",
        f"in a cluster of {len(members)} ({', '.join(members)}), silhouette {width:.2f}; loss "
        f"by noise is number {rank} of {count}, the largest being 1",
        judge(len(members) <= 2 and rank <= count / 3, len(members) <= 2 or rank <= count / 3),
        "the paper contradicts itself: 5.3 says sensitive, 5.4 resilient; "
        f"{causes.describe_parts(study, 'NB')}",
    )


def judge_lvq(study: RobustnessStudy) -> Claim:
    """R13: place in the plane of losses."""
    return _judge_place(
        study,
        "R13",
        "LVQ's group is robust to noise and sensitive to difficulty",
        "LVQ",
        noise_high=False,
        difficulty_high=True,
    )


def judge_conditional_trees(study: RobustnessStudy) -> Claim:
    """R14: place in the plane of losses."""
    return _judge_place(
        study,
        "R14",
        "Conditional trees are hurt more by noise than by difficulty",
        "CI tree",
        noise_high=True,
        difficulty_high=False,
    )


def judge_perceptron(study: RobustnessStudy) -> Claim:
    """R15: place in the plane of losses."""
    return _judge_place(
        study,
        "R15",
        "The perceptron's group is hurt by difficulty, little by noise",
        "MLP",
        noise_high=False,
        difficulty_high=True,
    )


def _judge_place(
    study: RobustnessStudy,
    number: str,
    statement: str,
    name: str,
    *,
    noise_high: bool,
    difficulty_high: bool,
) -> Claim:
    """Compare both losses of a model with the medians over all models."""
    losses = _losses(study)
    own, middle = losses.loc[name], losses.median()
    as_noise = (own["loss_by_noise"] > middle["loss_by_noise"]) == noise_high
    above = own["loss_by_difficulty"] > middle["loss_by_difficulty"]
    as_difficulty = above == difficulty_high
    return Claim(
        number,
        statement,
        "none",
        f"by noise {own['loss_by_noise']:.3f} (median {middle['loss_by_noise']:.3f}), by "
        f"difficulty {own['loss_by_difficulty']:.3f} (median {middle['loss_by_difficulty']:.3f})",
        judge(bool(as_noise and as_difficulty), bool(as_noise or as_difficulty)),
        causes.describe_parts(study, name),
    )


def _losses(study: RobustnessStudy) -> "pandas.DataFrame":
    columns = ["loss_by_difficulty", "loss_by_noise"]
    return kappa_losses(study.curves).set_index("respondent")[columns]


def _by_kind(study: RobustnessStudy, column: str) -> "pandas.DataFrame":
    """Numbers of clusters × kinds of profile, up to one less than there are models."""
    table = quality_table(study).pivot_table(index="clusters", columns="kind", values=column)
    return table.dropna()


def _ranges(table: "pandas.DataFrame") -> str:
    return ", ".join(
        f"{kind.upper()} {np.max(table[kind]):.2f}-{np.min(table[kind]):.2f}"
        for kind in ("dand", "dad", "dan")
    )
