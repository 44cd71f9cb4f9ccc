"""β³-IRT for students and classifiers (Chen, Silva Filho, Prudêncio, Diethe and Flach 2019).

Follows the text where it differs from the published code. Every fit is made in the paper's way
(`published`) and under log-loss (`log-loss`, what `evaluate_classifiers` does), side by side.
"""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve.studies.beta3_data import has_digits
from itemcurve.studies.beta3_settings import QUICK, Beta3Settings
from itemcurve.studies.contract import Report, StudyResult
from itemcurve.studies.finished_parts import FinishedParts, Tables, join_parts

if TYPE_CHECKING:
    import pandas


def reproduce_beta3(
    data: Path,
    *,
    seeds: int | None = None,
    report: Report = print,
    work: Path | None = None,
    quick: bool = False,
) -> StudyResult:
    """Run the study: tables 1 to 3, the data of figures 3 to 9, and claims B1 to B17.

    Parameters
    ----------
    data : folder with `data/core/mnist_*.csv.gz` and `data/students`; what is absent is skipped.
    seeds : draws of each data set and hold-outs of each course; 20 and 30 when None.
    work : folder that keeps finished parts, so that an interrupted run resumes.
    quick : fewer and smaller parts, for a few minutes.
    """
    settings = QUICK if quick else Beta3Settings()
    if seeds is not None:
        settings = replace(settings, seeds=seeds, hold_outs=seeds)
    return run_beta3(data, settings, report, work)


def run_beta3(
    data: Path, settings: Beta3Settings, report: Report, work: Path | None
) -> StudyResult:
    """Run the study at this size."""
    from itemcurve.studies.beta3_ability_claims import list_ability_claims
    from itemcurve.studies.beta3_item_claims import list_item_claims
    from itemcurve.studies.beta3_pictures import list_pictures
    from itemcurve.studies.beta3_tables import list_tables
    from itemcurve.studies.claims import claims_frame
    from itemcurve.studies.student_claims import list_student_claims

    raw = collect_parts(data, settings, report, FinishedParts(work))
    claims = [*list_student_claims(raw), *list_item_claims(raw), *list_ability_claims(raw)]
    claims.sort(key=lambda claim: int(claim.claim[1:]))
    judged = claims_frame(claims)
    held = judged["verdict"].value_counts().to_dict()
    report(", ".join(f"{count} {verdict}" for verdict, count in held.items()))
    tables = list_tables(raw)
    notes = {name: str(value) for name, value in asdict(settings).items()}
    return StudyResult(
        "β³-IRT for students and classifiers",
        {**tables, "claims": judged},
        {**notes, "skipped": list_absent(data)},
        list_pictures(tables),
    )


def collect_parts(
    data: Path, settings: Beta3Settings, report: Report, parts: FinishedParts
) -> "dict[str, pandas.DataFrame]":
    """Run every experiment that the data allow, and give its rows by table."""
    from itemcurve.studies.beta3_pairs import detect_in_pairs
    from itemcurve.studies.beta3_sweep import sweep_noise, sweep_slowly
    from itemcurve.studies.student_answers import find_sets
    from itemcurve.studies.students import study_students

    for reason in list_absent(data):
        report(reason)
    names = ("moons", "clusters", "mnist") if has_digits(data) else ("moons", "clusters")
    known = find_sets(data)
    wanted = [n for n in known if settings.student_sets is None or n in settings.student_sets]
    done: list[Tables] = []
    if wanted:
        done.append(study_students(parts, data, wanted, settings.hold_outs, report, settings.steps))
    done.append(sweep_noise(parts, data, names, settings, report))
    if has_digits(data):
        done.append(detect_in_pairs(parts, data, settings, report))
    done.append(sweep_slowly(parts, data, names, settings, report))
    return join_parts(done)


def list_absent(data: Path) -> list[str]:
    """Say what is skipped because its data are not there."""
    from itemcurve.studies.student_answers import find_sets

    absent = []
    if not has_digits(data):
        absent.append("MNIST is skipped: no data/core/mnist_*.csv.gz in the data folder")
    if not find_sets(data):
        absent.append("Students are skipped: no answers in data/students of the data folder")
    return absent
