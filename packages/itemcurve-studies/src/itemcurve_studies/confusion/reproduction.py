"""The IRT confusion matrix on Heart-Statlog (Cardoso et al., Standing on the shoulders of giants).

Tables 1 to 3, the data of figures 3 to 8, and claims C1 to C17. Follows the text: abilities rest on
all items. The paper's code estimates them from the half of the items with the larger
discrimination, and parses item parameters from a print of three decimals.
"""

from typing import Any

from itemcurve_studies.confusion.claims import judge_claims
from itemcurve_studies.confusion.data_sources import SOURCES
from itemcurve_studies.confusion.experiment import ConfusionStudy, run_study
from itemcurve_studies.confusion.paper_claims import judge_by_paper
from itemcurve_studies.confusion.pictures import list_pictures
from itemcurve_studies.confusion.rules import RULES
from itemcurve_studies.confusion.tables import list_tables
from itemcurve_studies.study.contract import Reproduction, RunOptions


def _run(options: RunOptions) -> ConfusionStudy:
    """Run it on `data/core/heart_statlog.csv.gz`.

    `seeds` are classifiers of each of the ten algorithms in the pool, 20 when None.
    """
    rounds = 20 if options.seeds is None else options.seeds
    return run_study(options.data, rounds, options.report, options.work)


def _notes(study: ConfusionStudy) -> dict[str, Any]:
    return {
        "pool": len(study.fit.responses.respondents),
        "model": study.fit.model,
        "prior": study.fit.settings["prior"],
        "recommendation": list(study.recommendation.sentences),
    }


reproduce_confusion = Reproduction(
    run=_run,
    title="The IRT confusion matrix on Heart-Statlog",
    tables=list_tables,
    claims=judge_claims,
    notes=_notes,
    pictures=list_pictures,
    quick_seeds=3,
    sources=SOURCES,
    rules=RULES,
    by_paper=judge_by_paper,
    needs="all",
)
