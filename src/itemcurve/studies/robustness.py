"""Robustness by difficulty over many data sets (Fabra-Boluda et al., 2024).

Difficulties come from our own pool under cross-validation, where the paper has up to 2,000 runs of
OpenML; they are fitted on one scale per data set, where its code fits chunks of items apart.
"""

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from itemcurve.analysis.profiles import RobustnessProfiles, robustness_profiles
from itemcurve.analysis.system_curves import SystemCurves
from itemcurve.analysis.taxonomy import Taxonomy, taxonomy
from itemcurve.evaluation.difficulty import Difficulty, estimate_difficulty
from itemcurve.evaluation.difficulty_prediction import check_difficulty
from itemcurve.evaluation.pools import Pool
from itemcurve.evaluation.random_pools import random_pool
from itemcurve.evaluation.robust_families import robust_families
from itemcurve.evaluation.robustness import robustness
from itemcurve.studies.contract import Report, StudyResult
from itemcurve.studies.planar_shapes import measure_shapes
from itemcurve.studies.robustness_data import QUICK_SETS, SETS, LoadedSet, load_set

if TYPE_CHECKING:
    import pandas

QUICK_ROWS = 1_000
CLUSTERS = 5


@dataclass(frozen=True, eq=False)
class SetResult:
    """One data set: its difficulties in numbers, and the curves of all models.

    Attributes
    ----------
    spearman : of difficulty predicted for rows left out: learnt, 5 nearest neighbours.
    """

    data: LoadedSet
    summary: dict[str, float]
    spearman: tuple[float, float]
    curves: SystemCurves


@dataclass(frozen=True, eq=False)
class RobustnessStudy:
    """Everything the tables, claims and pictures are made from.

    Attributes
    ----------
    profiles, trees : by kind: `dan`, `dad`, `dand`.
    shapes : moons, circles and a line: distances of the hardest and easiest to the other class.
    is_quick : whether six small data sets and eight models stand for all.
    """

    sets: tuple[SetResult, ...]
    profiles: dict[str, RobustnessProfiles]
    trees: dict[str, Taxonomy]
    shapes: "pandas.DataFrame"
    is_quick: bool

    @property
    def curves(self) -> list[SystemCurves]:
        """Of all data sets."""
        return [one.curves for one in self.sets]


def reproduce_robustness(
    data: Path,
    *,
    seeds: int | None = None,
    report: Report = print,
    work: Path | None = None,
    quick: bool = False,
) -> StudyResult:
    """Run the study: table 3, the data of figures 6 to 11, appendix A, and the claims.

    Parameters
    ----------
    data : folder with `data/table1`.
    seeds : classifiers of each of the ten algorithms in the pool: 20, or 3 when quick.
    work : folder that keeps finished trainings, so that an interrupted run resumes.
    quick : six data sets of at most 1,000 rows, eight models, 3 folds.
    """
    from itemcurve.studies.robustness_claims import judge_claims
    from itemcurve.studies.robustness_pictures import list_pictures
    from itemcurve.studies.robustness_tables import list_tables

    with ExitStack() as stack:
        # Without a folder of its own the two models of difficulty still share their trainings.
        kept = work or Path(stack.enter_context(TemporaryDirectory()))
        study = run_study(data, seeds, report, kept / "answers", quick)
    claims = judge_claims(study)
    held = claims["verdict"].value_counts().to_dict()
    report(", ".join(f"{count} {verdict}" for verdict, count in held.items()))
    return StudyResult(
        "Robustness to noise by difficulty",
        {**list_tables(study), "claims": claims},
        {
            "data_sets": [one.data.source.name for one in study.sets],
            "status": {one.data.source.name: one.data.source.status for one in study.sets},
            "missing": "artificial-characters",
            "models": list(study.profiles["dand"].respondents),
            "quick": quick,
        },
        list_pictures(study),
    )


def run_study(
    data: Path, seeds: int | None, report: Report, cache: Path, quick: bool
) -> RobustnessStudy:
    """Measure every data set, then profiles and taxonomies over all."""
    pool = calibration_pool(seeds, quick)
    shapes = measure_shapes(pool, cache, 200 if quick else 500)
    report("moons, circles and line measured")
    chosen = [one for one in SETS if not quick or one.name in QUICK_SETS]
    loaded = [load_set(data, one, QUICK_ROWS if quick else None) for one in chosen]
    # Trainings cost about so much: what is left is told in these units.
    costs = [len(one.y) * (20 + one.X.shape[1]) * (5 + len(set(one.y))) for one in loaded]
    started, found = time.monotonic(), []
    for place, one in enumerate(loaded):
        found.append(_measure(one, pool, cache, quick))
        share = sum(costs[: place + 1]) / sum(costs)
        left = (time.monotonic() - started) * (1 - share) / share
        report(f"{one.source.name}: {place + 1} of {len(loaded)}, about {left / 60:.1f} min left")
    curves = [one.curves for one in found]
    profiles = {kind: robustness_profiles(curves, kind) for kind in ("dan", "dad", "dand")}
    trees = {
        kind: taxonomy(profile, min(CLUSTERS, len(profile.respondents) - 1))
        for kind, profile in profiles.items()
    }
    return RobustnessStudy(tuple(found), profiles, trees, shapes, quick)


def calibration_pool(seeds: int | None, quick: bool) -> Pool:
    """Give the respondents that difficulty comes from; quick ones leave out gradient boosting."""
    pool = random_pool(10 * (seeds or (3 if quick else 20)))
    if not quick:
        return pool
    kept = [n for n, name in enumerate(pool.names) if not name.startswith("Gradient")]
    return Pool(tuple(pool.names[n] for n in kept), tuple(pool.estimators[n] for n in kept))


def _measure(one: LoadedSet, pool: Pool, cache: Path, quick: bool) -> SetResult:
    settings: dict[str, Any] = {
        "cv": 3 if quick else 5,
        "prepare": "always",
        "n_jobs": -1,
        "cache": cache,
    }
    difficulty: Difficulty = estimate_difficulty(
        one.X, one.y, pool, on_failure="ignore", **settings
    )
    curves = robustness(
        robust_families(one.X.shape[1], quick=quick),
        one.X,
        one.y,
        difficulty=difficulty,
        name=one.source.name,
        **settings,
    )
    curves = replace(curves, complexity=one.complexity)
    check = check_difficulty(difficulty, cv=3 if quick else 5)
    return SetResult(one, difficulty.summary(), check.spearman, curves)
