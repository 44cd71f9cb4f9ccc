"""The experiment: difficulties and curves of every data set, then profiles over all."""

import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from itemcurve.analysis.robustness.kappa_profiles import (
    KappaProfiles,
    kappa_profiles,
)
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.analysis.robustness.taxonomy import Taxonomy, taxonomy
from itemcurve.evaluation.collecting.answer_cache import content_key
from itemcurve.evaluation.difficulty.difficulty_prediction import check_difficulty
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty, estimate_difficulty
from itemcurve.evaluation.difficulty.robustness import system_curves
from itemcurve_studies.robustness.calibration_pool import calibration_pool
from itemcurve_studies.robustness.data import QUICK_SETS, SETS, LoadedSet, is_there, load_set
from itemcurve_studies.robustness.families import robust_families
from itemcurve_studies.robustness.kept_sets import pack_set, unpack_set
from itemcurve_studies.robustness.planar_curves import PlanarShape, measure_planar
from itemcurve_studies.robustness.planar_shapes import measure_shapes
from itemcurve_studies.robustness.set_results import SetResult
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts

if TYPE_CHECKING:
    import pandas

# A stratified sample of larger data sets, so that the study ends within hours on two cores.
ROWS = 1_000
CLUSTERS = 5


@dataclass(frozen=True)
class Size:
    """How much of the study is run.

    Attributes
    ----------
    rows : of each data set at most; None for all.
    seeds : classifiers of each algorithm in the pool that difficulty comes from.
    is_quick : six data sets and eight models stand for all, with 3 folds for 5.
    """

    rows: int | None
    seeds: int
    is_quick: bool = False

    @property
    def folds(self) -> int:
        """Of the cross-validations."""
        return 3 if self.is_quick else 5

    def describe(self) -> str:
        """Say it in words, as titles do."""
        pool = len(calibration_pool(self.seeds, 1, is_quick=self.is_quick))
        taken = "all rows of each data set"
        if self.rows is not None:
            taken = f"at most {self.rows:,} rows of each data set ({self.rows // 2:,} of wide ones)"
        return f"{taken}, difficulty from {pool} classifiers"


def choose_size(rows: int | None, seeds: int | None, *, quick: bool) -> Size:
    """Give the size asked for; 0 rows are all of them, None the study's own number."""
    return Size((ROWS if rows is None else rows) or None, seeds or (3 if quick else 5), quick)


@dataclass(frozen=True, eq=False)
class RobustnessStudy:
    """Everything the tables, claims and pictures are made from.

    Attributes
    ----------
    sets : those whose data are there; without any there are no profiles either.
    profiles, trees : by kind: `dan`, `dad`, `dand`.
    shapes : moons, circles and a line: distances of the hardest and easiest to the other class.
    size : how much was run.
    planar : the same shapes, point by point, with curves of all families.
    """

    sets: tuple[SetResult, ...]
    profiles: dict[str, KappaProfiles]
    trees: dict[str, Taxonomy]
    shapes: "pandas.DataFrame"
    size: Size
    planar: tuple[PlanarShape, ...] = ()

    @property
    def curves(self) -> list[SystemCurves]:
        """Of all data sets."""
        return [one.curves for one in self.sets]

    @property
    def paper_curves(self) -> list[SystemCurves]:
        """The same as the paper has them: without constants, difficulties within ±6."""
        return [one.paper_curves for one in self.sets]


def run_study(data: Path, size: Size, report: Report, work: Path) -> RobustnessStudy:
    """Measure every data set that is there, then profiles and taxonomies over all."""
    pool = calibration_pool(size.seeds, 2, is_quick=size.is_quick)
    rows = 200 if size.is_quick else 500
    shapes = measure_shapes(pool, work / "answers", rows)
    planar = measure_planar(pool, work / "answers", rows, quick=size.is_quick)
    report("moons, circles and line measured")
    chosen = [one for one in SETS if not size.is_quick or one.name in QUICK_SETS]
    loaded = [load_set(data, one, size.rows) for one in chosen if is_there(data, one)]
    found = _measure_all(loaded, size, report, work)
    curves = [one.curves for one in found]
    profiles = {kind: kappa_profiles(curves, kind) for kind in ("dan", "dad", "dand") if curves}
    trees = {
        kind: taxonomy(profile, min(CLUSTERS, len(profile.respondents) - 1))
        for kind, profile in profiles.items()
    }
    return RobustnessStudy(tuple(found), dict(profiles), dict(trees), shapes, size, planar)


def _measure_all(
    loaded: list[LoadedSet], size: Size, report: Report, work: Path
) -> list[SetResult]:
    """Measure the data sets, quick ones first, and give them in the order of the paper."""
    # Trainings cost about so much: what is left is told in these units.
    costs = [len(one.y) * (20 + one.X.shape[1]) * (5 + len(set(one.y))) for one in loaded]
    order = sorted(range(len(loaded)), key=lambda place: costs[place])
    started, done, found = time.monotonic(), 0, {}
    for count, place in enumerate(order, 1):
        one = loaded[place]
        found[place] = _measure(one, size, work)
        done += costs[place]
        left = (time.monotonic() - started) * (sum(costs) - done) / done
        report(f"{one.source.name}: {count} of {len(loaded)}, about {left / 60:.1f} min left")
    return [found[place] for place in range(len(loaded))]


def _measure(one: LoadedSet, size: Size, work: Path) -> SetResult:
    """Measure a data set, or read what was found before."""
    rows = "all" if size.rows is None else size.rows
    name = f"set-{one.source.name}-{rows}-{size.seeds}-{size.folds}{'-quick' * size.is_quick}"
    found = FinishedParts(work / "parts").arrays(name, lambda: pack_set(_train(one, size, work)))
    return unpack_set(one, found)


def _train(one: LoadedSet, size: Size, work: Path) -> SetResult:
    settings: dict[str, Any] = {
        "cv": size.folds,
        "prepare": "always",
        "n_jobs": -1,
        "cache": work / "answers",
    }
    attributes = one.X.shape[1]
    difficulty = estimate_difficulty(
        one.X,
        one.y,
        calibration_pool(size.seeds, attributes, is_quick=size.is_quick),
        on_failure="ignore",
        **settings,
    )
    families = robust_families(attributes, quick=size.is_quick)
    draw = partial(system_curves, families, one.X, one.y, name=one.source.name, **settings)
    curves = replace(draw(difficulty=difficulty), complexity=one.complexity)
    found = SetResult(
        one,
        np.asarray(difficulty.values),
        np.asarray(difficulty.fit.responses.means(axis=0)),
        difficulty.summary(),
        _check(difficulty, size.folds, work),
        curves,
        curves,
    )
    # The trainings are the same and kept; only the bins differ.
    kept = draw(difficulty=np.where(found.is_kept, found.difficulty, np.nan))
    return replace(found, paper_curves=replace(kept, complexity=one.complexity))


def _check(difficulty: Difficulty, folds: int, work: Path) -> tuple[float, float]:
    """Give how well difficulty is predicted for rows left out; kept like the trainings."""
    import pandas

    known = (difficulty.X, difficulty.y, np.round(difficulty.values, 6))
    key = "-".join(content_key(part)[:16] for part in known)

    def check() -> dict[str, pandas.DataFrame]:
        return {"spearman": check_difficulty(difficulty, cv=folds).frame()}

    found = FinishedParts(work / "parts").tables(f"prediction-{folds}-{key}", check)["spearman"]
    learnt, nearest = found["spearman"]
    return float(learnt), float(nearest)
