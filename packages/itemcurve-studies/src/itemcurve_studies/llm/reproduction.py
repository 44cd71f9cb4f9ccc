"""Language models on real benchmarks: a new model's score from 50 of its answers.

Two protocols: models held out at random, and models better than all that were calibrated on
(calibration on the worst half, prediction of the best 30 %).
"""

from typing import TYPE_CHECKING, Any

from itemcurve_studies.llm.data_sources import SOURCES
from itemcurve_studies.llm.experiment import LlmStudy, run_llm
from itemcurve_studies.llm.matrices import N_ASKED, PROTOCOLS
from itemcurve_studies.study.contract import Reproduction

if TYPE_CHECKING:
    import pandas


def judge_bars(study: LlmStudy) -> "pandas.DataFrame":
    """What `guarded` must do, the plainest estimator for both protocols, and whether it did."""
    import pandas

    summary = study.summary
    errors = summary.set_index(["protocol", "estimator"])["mae"]
    rivals = min(errors["better", "sample-mean"], errors["better", "ridge-aipw"])
    bars = [
        ("error, random models", errors["random", "guarded"], errors["random", "ridge"], "ridge"),
        ("error, better models", errors["better", "guarded"], rivals, "sample mean, ridge-AIPW"),
    ]
    rows = [
        {"claim": claim, "found": value, "bar": f"≤ {bar:.2f} ({who})", "holds": value <= bar}
        for claim, value, bar, who in bars
    ]
    for column, what in (("coverage", "score"), ("ability_coverage", "ability")):
        cover = summary.set_index(["protocol", "estimator"])[column]
        for protocol in PROTOCOLS:
            value = cover[protocol, "guarded"]
            claim = f"90 % intervals of {what}, {protocol} models"
            row = {"claim": claim, "found": value, "bar": "0.86 to 0.94"}
            rows.append({**row, "holds": 0.86 <= value <= 0.94})
    return pandas.DataFrame(rows)


def _notes(study: LlmStudy) -> dict[str, Any]:
    matrices = sorted(set(study.matrices["matrix"]))
    return {"seeds": study.seeds, "items_asked": N_ASKED, "matrices": matrices}


reproduce_llm = Reproduction(
    run=run_llm,
    title="Scores of language models from 50 answers",
    tables=lambda study: {"summary": study.summary, "matrices": study.matrices},
    claims=judge_bars,
    notes=_notes,
    quick_seeds=2,
    sources=SOURCES,
    needs="any",
)
