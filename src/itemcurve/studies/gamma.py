"""Γ-IRT for regression (Moraes, Reinaldo, Prudêncio and Silva Filho): the study of the paper.

Errors become scores 1/(1 + e) that β³ fits, the paper's own route. Every fit is made twice: with
the objective of the published code and by joint MAP, so that a finding of the method is told from
one of the data.
"""

from dataclasses import dataclass
from pathlib import Path

from itemcurve.studies.contract import Report, StudyResult
from itemcurve.studies.gamma_polynomial import DATA_SETS, Polynomial, run_polynomial
from itemcurve.studies.gamma_real_estate import SPLITS, RealEstate, run_real_estate
from itemcurve.studies.gamma_regressors import METHODS


@dataclass(frozen=True, eq=False)
class GammaStudy:
    """Both parts of the study."""

    polynomial: Polynomial
    real_estate: RealEstate


def reproduce_gamma(
    data: Path,
    *,
    seeds: int | None = None,
    report: Report = print,
    work: Path | None = None,
) -> StudyResult:
    """Run the study: data and pictures of figures 5 to 12, table I, and the claims.

    Parameters
    ----------
    data : folder with `data/core/real_estate_valuation.csv`.
    seeds : data sets of the polynomial, 40 when None; Real Estate is split half as often.
    work : folder that keeps finished data sets, so that an interrupted run resumes.
    """
    from itemcurve.studies.claims import claims_frame
    from itemcurve.studies.gamma_ability_claims import judge_abilities
    from itemcurve.studies.gamma_estate_claims import judge_real_estate
    from itemcurve.studies.gamma_item_claims import judge_items
    from itemcurve.studies.gamma_model_claims import judge_model
    from itemcurve.studies.gamma_pictures import list_pictures
    from itemcurve.studies.gamma_tables import list_tables

    count = DATA_SETS if seeds is None else seeds
    splits = SPLITS if seeds is None else max(2, min(SPLITS, seeds // 2))
    estate = run_real_estate(data, splits, report, work)
    study = GammaStudy(run_polynomial(count, report, work), estate)
    claims = claims_frame(
        [
            *judge_model(),
            *judge_items(study.polynomial),
            *judge_abilities(study.polynomial),
            *judge_real_estate(study.real_estate),
        ]
    )
    held = claims["verdict"].value_counts().to_dict()
    report(", ".join(f"{number} {verdict}" for verdict, number in held.items()))
    seconds = study.polynomial.seconds.sum(axis=(0, 1))
    return StudyResult(
        "Γ-IRT for regression: polynomial with noise, and Real Estate",
        {**list_tables(study), "claims": claims},
        {
            "data_sets": count,
            "splits": splits,
            "fits": int(study.polynomial.seconds[..., 0].size),
            "processor_seconds_of_fits": dict(zip(METHODS, seconds.tolist(), strict=True)),
        },
        list_pictures(study),
    )
