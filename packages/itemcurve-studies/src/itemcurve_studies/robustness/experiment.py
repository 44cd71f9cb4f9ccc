"""The experiment: difficulties and curves of every data set, then profiles over all."""

import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.robustness.kappa_profiles import (
    KappaProfiles,
    kappa_profiles,
)
from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.analysis.robustness.taxonomy import Taxonomy, taxonomy
from itemcurve.evaluation.collecting.answer_cache import content_key
from itemcurve.evaluation.difficulty.difficulty_prediction import check_difficulty
from itemcurve.evaluation.difficulty.instance_difficulty import Difficulty
from itemcurve.evaluation.difficulty.robustness import join_curves
from itemcurve_studies.robustness.calibration_pool import calibration_pool
from itemcurve_studies.robustness.data import (
    QUICK_SETS,
    SETS,
    LoadedSet,
    is_there,
    load_set,
    training_cost,
)
from itemcurve_studies.robustness.kept_sets import pack_set, unpack_set
from itemcurve_studies.robustness.pieces.trainings import estimate_from_pieces, name_classes
from itemcurve_studies.robustness.planar_curves import PlanarShape, measure_planar
from itemcurve_studies.robustness.planar_shapes import measure_shapes
from itemcurve_studies.robustness.set_results import SetResult
from itemcurve_studies.robustness.size import Size
from itemcurve_studies.study.contract import Report
from itemcurve_studies.study.finished_parts import FinishedParts

if TYPE_CHECKING:
    import pandas

CLUSTERS = 5


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
    costs = [training_cost(one) for one in loaded]
    order = sorted(range(len(loaded)), key=lambda place: costs[place])
    started, done, found = time.monotonic(), 0, {}
    for count, place in enumerate(order, 1):
        one = loaded[place]
        found[place] = measure_set(one, size, work)
        done += costs[place]
        left = (time.monotonic() - started) * (sum(costs) - done) / done
        report(f"{one.source.name}: {count} of {len(loaded)}, about {left / 60:.1f} min left")
    return [found[place] for place in range(len(loaded))]


def measure_set(one: LoadedSet, size: Size, work: Path) -> SetResult:
    """Measure a data set, or read what was found before."""
    parts = FinishedParts(work / "parts")
    name = size.name_set(one.source.name)
    return unpack_set(one, parts.arrays(name, lambda: pack_set(_put_together(one, size, work))))


def _put_together(one: LoadedSet, size: Size, work: Path) -> SetResult:
    parts = FinishedParts(work / "parts")
    difficulty = estimate_from_pieces(one, size, parts)
    choices = name_classes(one, size, parts)
    draw = partial(join_curves, choices, name=one.source.name, complexity=one.complexity)
    curves = draw(difficulty)
    found = SetResult(
        one,
        np.asarray(difficulty.values),
        np.asarray(difficulty.fit.responses.means(axis=0)),
        difficulty.summary(),
        _check(difficulty, size.folds, work),
        curves,
        curves,
    )
    # The trainings are the same; only the bins differ.
    kept = np.where(found.is_kept, found.difficulty, np.nan)
    return replace(found, paper_curves=draw(kept))


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
