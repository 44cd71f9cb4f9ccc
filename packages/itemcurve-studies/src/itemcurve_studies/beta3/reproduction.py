"""β³-IRT for students and classifiers (Chen, Silva Filho, Prudêncio, Diethe and Flach 2019).

Tables 1 to 3, the data of figures 3 to 9, and claims B1 to B17. Follows the text where it differs
from the published code. Every fit is made in the paper's way (`published`) and under log-loss
(`log-loss`, what `evaluate_classifiers` does), side by side.
"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from itemcurve_studies.beta3.ability_claims import list_ability_claims
from itemcurve_studies.beta3.data_sources import SOURCES
from itemcurve_studies.beta3.experiment import Beta3Study, run_beta3
from itemcurve_studies.beta3.item_claims import list_item_claims
from itemcurve_studies.beta3.paper_claims import judge_by_paper
from itemcurve_studies.beta3.pictures import list_pictures
from itemcurve_studies.beta3.rules import RULES
from itemcurve_studies.beta3.students.claims import list_student_claims
from itemcurve_studies.beta3.tables import list_tables
from itemcurve_studies.study.claims import claims_frame
from itemcurve_studies.study.contract import Reproduction

if TYPE_CHECKING:
    import pandas


def judge_claims(study: Beta3Study) -> "pandas.DataFrame":
    """Give one row per claim, in the order of their numbers."""
    raw = study.raw
    claims = [*list_student_claims(raw), *list_item_claims(raw), *list_ability_claims(raw)]
    # "B3 δ reversed" stands after "B3".
    return claims_frame(sorted(claims, key=lambda claim: int(claim.claim.split()[0][1:])))


def _notes(study: Beta3Study) -> dict[str, Any]:
    settings = {name: str(value) for name, value in asdict(study.settings).items()}
    return {**settings, "skipped": study.skipped}


reproduce_beta3 = Reproduction(
    run=run_beta3,
    title="β³-IRT for students and classifiers",
    tables=lambda study: list_tables(study.raw),
    claims=judge_claims,
    notes=_notes,
    pictures=lambda study: list_pictures(list_tables(study.raw)),
    sources=SOURCES,
    rules=RULES,
    by_paper=judge_by_paper,
)
