"""Robustness by difficulty over many data sets (Fabra-Boluda et al., 2024).

Table 3, the data of figures 6 to 11, appendices A and B, and claims R1 to R19. Difficulties come
from our own pool under cross-validation, where the paper has up to 2,000 runs of OpenML; they are
fitted on one scale per data set, where its code fits chunks of items apart.
"""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from itemcurve_studies.robustness.claims import judge_claims
from itemcurve_studies.robustness.data_sources import SOURCES
from itemcurve_studies.robustness.experiment import RobustnessStudy, run_study
from itemcurve_studies.robustness.paper_claims import judge_by_paper
from itemcurve_studies.robustness.pictures import list_pictures
from itemcurve_studies.robustness.rules import RULES
from itemcurve_studies.robustness.size import choose_size
from itemcurve_studies.robustness.tables import list_tables, with_size
from itemcurve_studies.study.contract import Reproduction, RunOptions

if TYPE_CHECKING:
    import pandas


def _run(options: RunOptions) -> RobustnessStudy:
    """Run it on the data sets of `data/table1`.

    `seeds` are classifiers of each of the ten algorithms in the pool: 5, or 3 when quick. Quick
    are six data sets, eight models and 3 folds. `rows` of each data set are a stratified sample,
    1,000 when None.
    """
    size = choose_size(options.rows, options.seeds, quick=options.quick)
    with ExitStack() as stack:
        # Without a folder of its own the two models of difficulty still share their trainings.
        work = options.work or Path(stack.enter_context(TemporaryDirectory()))
        return run_study(options.data, size, options.report, work)


def _judge(study: RobustnessStudy) -> "pandas.DataFrame":
    return with_size(judge_claims(study), study)


def _notes(study: RobustnessStudy) -> dict[str, Any]:
    return {
        "size": study.size.describe(),
        "data_sets": [one.data.source.name for one in study.sets],
        "status": {one.data.source.name: one.data.source.status for one in study.sets},
        "missing": "artificial-characters",
        "models": list(study.profiles["dand"].respondents) if study.sets else [],
        "quick": study.size.is_quick,
    }


reproduce_robustness = Reproduction(
    run=_run,
    title="Robustness to noise by difficulty",
    tables=list_tables,
    claims=_judge,
    notes=_notes,
    pictures=list_pictures,
    scope=lambda study: study.size.describe(),
    takes_rows=True,
    sources=SOURCES,
    rules=RULES,
    by_paper=judge_by_paper,
)
