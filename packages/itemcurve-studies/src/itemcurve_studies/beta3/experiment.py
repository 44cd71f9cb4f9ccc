"""The experiment: everything that the data at hand allow, as rows by table."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from itemcurve_studies.beta3.data import has_digits
from itemcurve_studies.beta3.example_items import measure_examples
from itemcurve_studies.beta3.fresh_draws import run_fresh
from itemcurve_studies.beta3.pairs import detect_in_pairs
from itemcurve_studies.beta3.settings import QUICK, Beta3Settings
from itemcurve_studies.beta3.students.answers import find_sets
from itemcurve_studies.beta3.students.comparison import study_students
from itemcurve_studies.beta3.students.fresh_hold_outs import study_fresh
from itemcurve_studies.beta3.sweep import sweep_noise, sweep_slowly
from itemcurve_studies.study.contract import Report, RunOptions
from itemcurve_studies.study.finished_parts import FinishedParts, Tables, join_parts

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Beta3Study:
    """Everything the tables, claims and pictures are made from.

    Attributes
    ----------
    raw : rows of all experiments, by table.
    settings : how large they were.
    skipped : what was left out because its data are not there, in words.
    """

    raw: Tables
    settings: Beta3Settings
    skipped: list[str]


def run_beta3(options: RunOptions) -> Beta3Study:
    """Run it on `data/core/mnist_*.csv.gz` and `data/students`; what is absent is skipped.

    `seeds` are draws of each data set and hold-outs of each course, 20 and 30 when None.
    """
    settings = QUICK if options.quick else Beta3Settings()
    if options.seeds is not None:
        settings = replace(settings, seeds=options.seeds, hold_outs=options.seeds)
    return run_at_size(options.data, settings, options.report, options.work)


def run_at_size(
    data: Path, settings: Beta3Settings, report: Report, work: Path | None
) -> Beta3Study:
    """Run the study at this size."""
    raw = collect_parts(data, settings, report, FinishedParts(work))
    return Beta3Study(raw, settings, list_absent(data))


def collect_parts(
    data: Path, settings: Beta3Settings, report: Report, parts: FinishedParts
) -> "dict[str, pandas.DataFrame]":
    """Run every experiment that the data allow, and give its rows by table."""
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
    if wanted:
        hold_outs, steps = settings.hold_outs, settings.steps
        done.append(study_fresh(parts, data, wanted, hold_outs, report, steps))
    done.append(measure_examples(parts))
    done.append(run_fresh(parts, data, names, settings.fresh_draws, report))
    return join_parts(done)


def list_absent(data: Path) -> list[str]:
    """Say what is skipped because its data are not there."""
    absent = []
    if not has_digits(data):
        absent.append("MNIST is skipped: no data/core/mnist_*.csv.gz in the data folder")
    if not find_sets(data):
        absent.append("Students are skipped: no answers in data/students of the data folder")
    return absent
