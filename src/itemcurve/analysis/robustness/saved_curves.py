"""Curves of κ read back from the run folder that `itemcurve robustness --out` wrote."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.robustness.system_curves import SystemCurves
from itemcurve.errors import EvaluationError
from itemcurve.storage.json_documents import unpack_json
from itemcurve.storage.run_manifest import MANIFEST
from itemcurve.storage.tables import unpack_table

if TYPE_CHECKING:
    import pandas

_DOCUMENT = "robustness.json"
_VERDICTS = "robustness_verdicts.json"


def read_saved_curves(run: Path) -> SystemCurves:
    """Give the curves of a run, named after its folder: κ with intervals, without predictions."""
    path = run / _DOCUMENT
    if not path.is_file():
        raise _refusal(run, _DOCUMENT)
    document = unpack_json(path.read_bytes(), str(path))
    table = unpack_table(document, str(path))
    notes = document.get("notes", {})
    complexity = float(notes.get("complexity", float("nan")))
    return _from_table(table, run.name, complexity)


def read_saved_verdicts(run: Path) -> "pandas.DataFrame":
    """Give the verdicts of a run: what noise changed on its easiest and hardest rows."""
    path = run / _VERDICTS
    if not path.is_file():
        raise _refusal(run, _VERDICTS)
    return unpack_table(unpack_json(path.read_bytes(), str(path)), str(path))


def _refusal(run: Path, missing: str) -> EvaluationError:
    """Say what the folder is instead, and never to write over it."""
    inner = run / "runs"
    what, advice = (
        "is a folder without a run",
        "Make a run with: itemcurve robustness data.csv --out RUN.",
    )
    if (run / MANIFEST).is_file():
        what = "is a run of another command"
    elif inner.is_dir():
        what = "is what itemcurve taxonomy wrote"
        advice = f"Give the runs of single tables that lie in it: {inner}/*"
    return EvaluationError(
        "Run folders must be those of itemcurve robustness;",
        f"{str(run)!r} {what}: there is no {missing}.",
        advice,
    )


def _from_table(table: "pandas.DataFrame", name: str, complexity: float) -> SystemCurves:
    respondents = tuple(dict.fromkeys(table["respondent"]))
    shares = tuple(float(share) for share in sorted(set(table["share"])))
    bins = sorted(set(table["bin"]))
    # As `SystemCurves.frame` writes them: respondents, then bins, then shares.
    shape = len(respondents), len(bins), len(shares)
    kappa, lower, upper = (
        table[column].to_numpy(np.float64).reshape(shape)
        for column in ("kappa", "kappa_lower", "kappa_upper")
    )
    difficulty = table.drop_duplicates("bin").sort_values("bin")["difficulty"]
    nothing = np.zeros(0, dtype=np.intp)
    return SystemCurves(
        name,
        respondents,
        difficulty.to_numpy(np.float64),
        shares,
        kappa,
        lower,
        upper,
        0.9,
        (),
        nothing,
        np.zeros((len(respondents), 0), dtype=np.intp),
        np.zeros((len(respondents), 0), dtype=np.intp),
        nothing,
        nothing,
        complexity,
    )
