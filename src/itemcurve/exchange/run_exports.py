"""What a run holds, written to files that are named after it: `leaderboard.md`, `audit.csv`."""

import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from itemcurve.analysis.findings.all_findings import findings
from itemcurve.errors import StorageError
from itemcurve.estimation.groups.saved_population_fit import read_population_fit
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.saving.saved_fit import load
from itemcurve.evaluation.evaluation_result import Evaluation
from itemcurve.evaluation.saved_evaluation import load_evaluation
from itemcurve.exchange import other_run_exports
from itemcurve.exchange.model_card import model_card_section
from itemcurve.exchange.table_files import KINDS, write_table
from itemcurve.reports.other_runs.any_run import other_fit
from itemcurve.storage.atomic_files import write_bytes
from itemcurve.storage.disk import make_folders
from itemcurve.storage.run_folder import read_run

CARD = "model_card"
PAGE = other_run_exports.PAGE


class _Suspects:
    """The first labels to look at: all columns for CSV, what one reads for pages and papers."""

    def __init__(self, audit: Any) -> None:
        self.frame, self.brief = audit.suspects, audit.brief


_OF_EVALUATIONS: dict[str, Callable[[Evaluation], Any]] = {
    "leaderboard": lambda evaluation: evaluation.leaderboard(),
    "audit": lambda evaluation: evaluation.audit(),
    "suspects": lambda evaluation: _Suspects(evaluation.audit()),
    "findings": lambda evaluation: evaluation.findings(),
    "classes": lambda evaluation: evaluation.classes(),
}
_OF_FITS: dict[str, Callable[[FitResult], Any]] = {
    "findings": findings,
    "respondents": lambda fit: fit.respondents,
    "items": lambda fit: fit.items,
}
_OF_POPULATIONS = ("groups", "coefficients", "density")
_OF_OTHERS = other_run_exports.NAMES
NAMES = tuple(dict.fromkeys((*_OF_EVALUATIONS, *_OF_FITS, *_OF_POPULATIONS, *_OF_OTHERS, CARD)))


def check_exports(files: Sequence[Path]) -> None:
    """Raise for a file whose name does not say what it is to hold."""
    for path in files:
        name, kind = path.stem, path.suffix.lower()
        if path.name == PAGE:
            continue
        near = get_close_matches(name, NAMES, 1)
        if name not in NAMES:
            raise StorageError(
                f"Files are named after what they hold: {', '.join(NAMES)}, or {PAGE};",
                f"{path.name!r} is not.",
                f"Did you mean {near[0]}{kind or '.csv'}?" if near else "Use leaderboard.csv.",
            )
        if kind not in KINDS or (name == CARD and kind != ".md"):
            wanted = ".md" if name == CARD else f"one of {', '.join(KINDS)}"
            raise StorageError(
                f"A file of {name} ends in {wanted};",
                f"{path.name!r} does not.",
                f"Use {name}.md.",
            )


def export_run(
    run: str | os.PathLike[str], files: Sequence[Path], respondent: str | None = None
) -> list[Path]:
    """Write tables of a run folder.

    Parameters
    ----------
    files : named after what they hold, as `leaderboard.md`.
    respondent : whose model card; the first of the leaderboard when left out.
    """
    check_exports(files)
    if "evaluation.json" in read_run(run).files:
        return export_evaluation(load_evaluation(run), files, respondent)
    other = other_fit(run)
    if other is not None:
        return other_run_exports.export_other(other, files)
    ordinary = [path for path in files if path.stem not in _OF_POPULATIONS]
    others = [path for path in files if path not in ordinary]
    written = _export_populations(run, others) if others else []
    return written + (export_fit(load(run), ordinary) if ordinary else [])


def _export_populations(run: str | os.PathLike[str], files: Sequence[Path]) -> list[Path]:
    """Write tables that only fits of several populations, or of another density, have."""
    opened = read_run(run)
    known = read_population_fit(opened).tables() if "population.json" in opened.files else {}
    for path in files:
        if path.stem not in known:
            raise StorageError(
                f"{path.stem} is known of fits with groups, covariates or a density;",
                f"this run has {', '.join(known) if known else 'none of them'}.",
                "Leave it out, or fit with --groups, --covariates or --density.",
            )
    return [write_table(known[path.stem][1], path) for path in files]


def export_evaluation(
    evaluation: Evaluation, files: Sequence[Path], respondent: str | None = None
) -> list[Path]:
    """Write tables of an evaluation, as `export_run` does."""
    written = []
    for path in files:
        if path.name == PAGE:
            evaluation.report(path)
            written.append(path)
        elif path.stem == CARD:
            text = model_card_section(evaluation, respondent)
            make_folders(path.parent)
            write_bytes(path, text.encode())
            written.append(path)
        elif path.stem in _OF_EVALUATIONS:
            written.append(write_table(_OF_EVALUATIONS[path.stem](evaluation), path))
        else:
            written += export_fit(evaluation.fit, [path])
    return written


def export_fit(fit: FitResult, files: Sequence[Path]) -> list[Path]:
    """Write tables of a fit; what only evaluations have is refused."""
    for path in files:
        if path.stem not in _OF_FITS and path.name != PAGE:
            is_other = path.stem in _OF_OTHERS
            raise StorageError(
                f"{path.stem} is part of {'ratings or votes' if is_other else 'an evaluation'};",
                "this run is a fit of responses.",
                f"Choose {', '.join(_OF_FITS)}, or make the run by 'itemcurve "
                f"{'judges' if is_other else 'evaluate'}'.",
            )
    return [_write_fit(fit, path) for path in files]


def _write_fit(fit: FitResult, path: Path) -> Path:
    if path.name == PAGE:
        fit.report(path)
        return path
    return write_table(_OF_FITS[path.stem](fit), path)
