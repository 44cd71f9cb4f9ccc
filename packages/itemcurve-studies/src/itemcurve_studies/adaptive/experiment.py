"""The experiment: data sets calibrated as items, and adaptive tests of held-out classifiers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from itemcurve.datasets.dataset_table import DatasetTable
from itemcurve.estimation.result import FitResult
from itemcurve_studies.adaptive.calibration import MODELS, Inference, calibrate, infer_unseen
from itemcurve_studies.adaptive.left_out_cells import SIGN_SEEDS, compare_signs
from itemcurve_studies.adaptive.sequences import RULES, Sequences, held_out_values, run_sequences
from itemcurve_studies.study.contract import Report

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class MeasureStudy:
    """Everything found for one measure of performance.

    Attributes
    ----------
    fits : by model, of all measurements of the pool; `free` with discriminations of either sign.
    sequences : by model, then rule.
    """

    inference: Inference
    fits: Mapping[str, FitResult]
    free: Mapping[str, FitResult]
    sequences: Mapping[str, Mapping[str, Sequences]]


@dataclass(frozen=True, eq=False)
class AdaptiveStudy:
    """The table and what was found for each measure.

    Attributes
    ----------
    signs : errors on cells left out with positive and with free slopes, see `compare_signs`.
    """

    table: DatasetTable
    measures: Mapping[str, MeasureStudy]
    signs: "pandas.DataFrame"

    @property
    def candidates(self) -> tuple[str, ...]:
        """Names of the held-out classifiers."""
        pairs = zip(self.table.classifiers, self.table.groups, strict=True)
        return tuple(name for name, group in pairs if group == "held out")


def run_adaptive(table: DatasetTable, orders: int, halves: int, report: Report) -> AdaptiveStudy:
    """Calibrate the data sets and test the held-out classifiers, measure by measure."""
    found = {}
    for measure in table.measures:
        found[measure] = _study_measure(table, measure, orders, halves)
        report(f"{measure}: {len(MODELS)} models, {len(RULES)} rules")
    signs = compare_signs(table, min(halves, SIGN_SEEDS))
    report(f"positive and free slopes compared on cells left out, {len(signs)} cases")
    return AdaptiveStudy(table, found, signs)


def _study_measure(table: DatasetTable, measure: str, orders: int, halves: int) -> MeasureStudy:
    responses = table.responses(measure, "pool")
    values = held_out_values(table, measure)
    fits = {name: calibrate(responses, name) for name in MODELS}
    return MeasureStudy(
        infer_unseen(table, measure, halves),
        fits,
        {name: calibrate(responses, name, discrimination="free") for name in MODELS},
        {
            name: {rule: run_sequences(found.bank, values, rule, orders) for rule in RULES}
            for name, found in fits.items()
        },
    )
