"""Benchmarks by adaptive testing (Song and Flach 2021) on our own table of data sets.

Tables I to IV, data and pictures of figures 1 and 2, and claims A1 to A13. Information is exact,
and every data set may be asked: the paper's code estimates information from 65,536 draws and leaves
the first data set out. Abilities are posterior means; the paper's, found by stochastic gradients,
are those of maximum likelihood.
"""

from typing import Any

from itemcurve.datasets.dataset_table import load_dataset_table
from itemcurve_studies.adaptive.claims import judge_claims
from itemcurve_studies.adaptive.experiment import AdaptiveStudy, run_adaptive
from itemcurve_studies.adaptive.paper_claims import judge_by_paper
from itemcurve_studies.adaptive.pictures import list_pictures
from itemcurve_studies.adaptive.rules import RULES
from itemcurve_studies.adaptive.tables import list_tables
from itemcurve_studies.study.contract import Reproduction, RunOptions

ORDERS, HALVES = 20, 10


def _run(options: RunOptions) -> AdaptiveStudy:
    """Run it on the table that comes with itemcurve; it takes minutes, and keeps no parts.

    `seeds` are random orders and random halves, 20 and 10 when None.
    """
    seeds = options.seeds
    orders, halves = seeds or ORDERS, min(seeds or HALVES, HALVES)
    return run_adaptive(load_dataset_table(), orders, halves, options.report)


def _notes(study: AdaptiveStudy) -> dict[str, Any]:
    first = next(iter(study.measures.values()))
    return {
        "data_sets": len(study.table.datasets),
        "complete_splits": len(study.table.complete_splits),
        "repeated_cells": first.inference.repeated,
        "random_orders": next(iter(first.sequences.values()))["random"].asked.shape[1],
    }


reproduce_adaptive = Reproduction(
    run=_run,
    title="Adaptive testing with data sets as items",
    tables=list_tables,
    claims=judge_claims,
    notes=_notes,
    pictures=list_pictures,
    quick_seeds=3,
    rules=RULES,
    by_paper=judge_by_paper,
)
