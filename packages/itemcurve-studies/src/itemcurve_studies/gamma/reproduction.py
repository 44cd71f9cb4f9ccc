"""Γ-IRT for regression (Moraes, Reinaldo, Prudêncio and Silva Filho): the study of the paper.

Data and pictures of figures 5 to 12, table I, and claims G1 to G20. Errors become scores 1/(1 + e)
that β³ fits, the paper's own route. Every fit is made twice: with the objective of the published
code and by joint MAP, so that a finding of the method is told from one of the data.
"""

from typing import TYPE_CHECKING, Any

from itemcurve_studies.gamma.ability_claims import judge_abilities
from itemcurve_studies.gamma.data_sources import SOURCES
from itemcurve_studies.gamma.estate_claims import judge_real_estate
from itemcurve_studies.gamma.experiment import GammaStudy
from itemcurve_studies.gamma.item_claims import judge_items
from itemcurve_studies.gamma.model_claims import judge_model
from itemcurve_studies.gamma.paper_claims import judge_by_paper
from itemcurve_studies.gamma.paper_protocol import run_averages, run_estate
from itemcurve_studies.gamma.pictures import list_pictures
from itemcurve_studies.gamma.polynomial import DATA_SETS, run_polynomial
from itemcurve_studies.gamma.real_estate import SPLITS, run_real_estate
from itemcurve_studies.gamma.regressors import METHODS
from itemcurve_studies.gamma.rules import RULES
from itemcurve_studies.gamma.tables import list_tables
from itemcurve_studies.study.claims import claims_frame, skip
from itemcurve_studies.study.contract import Reproduction, RunOptions
from itemcurve_studies.study.data_sources import find_missing

if TYPE_CHECKING:
    import pandas


def _run(options: RunOptions) -> GammaStudy:
    """Run it on a polynomial, and on Real Estate where that is there.

    `seeds` are data sets of the polynomial, 40 when None; Real Estate is split half as often.
    """
    seeds, report, work, data = options.seeds, options.report, options.work, options.data
    splits = None if seeds is None else max(2, min(SPLITS, seeds // 2))
    has_houses = not find_missing(data, SOURCES)
    return GammaStudy(
        run_polynomial(DATA_SETS if seeds is None else seeds, report, work),
        run_real_estate(data, splits or SPLITS, report, work) if has_houses else None,
        run_averages(seeds, report, work),
        run_estate(data, splits, report, work) if has_houses else None,
    )


def _judge(study: GammaStudy) -> "pandas.DataFrame":
    houses = study.real_estate
    reason = "the Real Estate data are not in the data folder"
    missing = [skip(f"G{number}", reason) for number in range(17, 21)]
    return claims_frame(
        [
            *judge_model(),
            *judge_items(study.polynomial),
            *judge_abilities(study.polynomial),
            *(missing if houses is None else judge_real_estate(houses)),
        ]
    )


def _notes(study: GammaStudy) -> dict[str, Any]:
    seconds = study.polynomial.seconds.sum(axis=(0, 1))
    return {
        "data_sets": len(study.polynomial.x),
        "splits": 0 if study.real_estate is None else len(study.real_estate.component),
        "fits": int(study.polynomial.seconds[..., 0].size),
        "processor_seconds_of_fits": dict(zip(METHODS, seconds.tolist(), strict=True)),
    }


reproduce_gamma = Reproduction(
    run=_run,
    title="Γ-IRT for regression: polynomial with noise, and Real Estate",
    tables=list_tables,
    claims=_judge,
    notes=_notes,
    pictures=list_pictures,
    quick_seeds=4,
    sources=SOURCES,
    rules=RULES,
    by_paper=judge_by_paper,
)
