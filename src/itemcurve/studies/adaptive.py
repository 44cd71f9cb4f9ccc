"""Benchmarks by adaptive testing (Song and Flach 2021) on our own table of data sets.

Information is exact, and every data set may be asked: the paper's code estimates information from
65,536 draws and leaves the first data set out. Abilities are posterior means; the paper's, found
by stochastic gradients, are those of maximum likelihood.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from itemcurve.datasets.dataset_table import DatasetTable, load_dataset_table
from itemcurve.estimation.result import FitResult
from itemcurve.studies.adaptive_calibration import MODELS, Inference, calibrate, infer_unseen
from itemcurve.studies.adaptive_courses import RULES, Courses, held_out_values, run_courses
from itemcurve.studies.contract import Report, StudyResult

ORDERS, HALVES = 20, 10


@dataclass(frozen=True, eq=False)
class MeasureStudy:
    """Everything found for one measure of performance.

    Attributes
    ----------
    fits : by model, of all measurements of the pool; `free` with discriminations of either sign.
    courses : by model, then rule.
    """

    inference: Inference
    fits: Mapping[str, FitResult]
    free: Mapping[str, FitResult]
    courses: Mapping[str, Mapping[str, Courses]]


@dataclass(frozen=True, eq=False)
class AdaptiveStudy:
    """The table and what was found for each measure."""

    table: DatasetTable
    measures: Mapping[str, MeasureStudy]

    @property
    def candidates(self) -> tuple[str, ...]:
        """Names of the held-out classifiers."""
        pairs = zip(self.table.classifiers, self.table.groups, strict=True)
        return tuple(name for name, group in pairs if group == "held out")


def reproduce_adaptive(
    data: Path | None = None,
    *,
    seeds: int | None = None,
    report: Report = print,
    work: Path | None = None,
) -> StudyResult:
    """Run the study: tables I to IV, data and pictures of figures 1 and 2, and the claims.

    Parameters
    ----------
    data : not used; the table comes with the project.
    seeds : random orders and random halves, 20 and 10 when None.
    work : not used; the study takes minutes.
    """
    from itemcurve.studies.adaptive_claims import judge_claims
    from itemcurve.studies.adaptive_pictures import list_pictures
    from itemcurve.studies.adaptive_tables import list_tables

    table = load_dataset_table()
    study = run_adaptive(table, seeds or ORDERS, min(seeds or HALVES, HALVES), report)
    claims = judge_claims(study)
    held = claims["verdict"].value_counts().to_dict()
    report(", ".join(f"{number} {verdict}" for verdict, number in held.items()))
    return StudyResult(
        "Adaptive testing with data sets as items",
        {**list_tables(study), "claims": claims},
        {
            "data_sets": len(table.datasets),
            "complete_splits": len(table.complete_splits),
            "repeated_cells": next(iter(study.measures.values())).inference.repeated,
            "random_orders": seeds or ORDERS,
        },
        list_pictures(study),
    )


def run_adaptive(table: DatasetTable, orders: int, halves: int, report: Report) -> AdaptiveStudy:
    """Calibrate the data sets and test the held-out classifiers, measure by measure."""
    found = {}
    for measure in table.measures:
        found[measure] = _study_measure(table, measure, orders, halves)
        report(f"{measure}: {len(MODELS)} models, {len(RULES)} rules")
    return AdaptiveStudy(table, found)


def _study_measure(table: DatasetTable, measure: str, orders: int, halves: int) -> MeasureStudy:
    responses = table.responses(measure, "pool")
    values = held_out_values(table, measure)
    fits = {name: calibrate(responses, name) for name in MODELS}
    return MeasureStudy(
        infer_unseen(table, measure, halves),
        fits,
        {name: calibrate(responses, name, discrimination="free") for name in MODELS},
        {
            name: {rule: run_courses(found.bank, values, rule, orders) for rule in RULES}
            for name, found in fits.items()
        },
    )
