"""Finding answers that are missing where items are hard, and rows that stand twice in a table."""

from typing import Any

import numpy as np

from itemcurve.analysis.findings.data_findings import count, has
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.respondents.paired_differences import adjust_p_values
from itemcurve.estimation.result import FitResult
from itemcurve.numerics.engine import Array

# Who answered less than this share was given a part of the items, as adaptive tests give.
_LEAST_SHARE = 0.5
# Fewer unanswered items than this hardly move anything.
_LEAST_MISSING = 5
_SIGNIFICANCE = 0.01
# Repeats that are meant are those of more cells than this.
_MOST_TWICE = 0.05
# Beyond so many cells the table of who answered what is not built.
_MOST_CELLS = 50_000_000


def find_missing_answers(fit: FitResult) -> Finding | None:
    """Respondents whose unanswered items are harder for the others than those they answered."""
    rows, columns = fit.responses.shape
    if rows * columns > _MOST_CELLS:
        return None
    values = fit.estimates.model.orientation * fit.responses.array()
    unanswered = np.isnan(values).sum(axis=1)
    judged = np.flatnonzero(
        (unanswered >= _LEAST_MISSING) & (unanswered <= (1 - _LEAST_SHARE) * columns)
    )
    if rows < 2 or not judged.size:
        return None
    totals, counts = np.nansum(values, axis=0), (~np.isnan(values)).sum(axis=0)
    p_values = np.array([_p_harder(values[row], totals, counts) for row in judged])
    found = judged[adjust_p_values(p_values, "false-discovery") < _SIGNIFICANCE]
    if not found.size:
        return None
    worst = found[np.argsort(-unanswered[found], kind="stable")]
    names = tuple(fit.responses.respondents[row] for row in worst)
    return Finding(
        "IRT015",
        "warning",
        f"{count(found.size, 'respondent')} of {rows:,} {has(found.size)} no answer mostly where "
        f"items are hard for the others ({names[0]!r} lacks {unanswered[worst[0]]:,} of "
        f"{columns:,}).",
        "If these are timeouts, refusals or crashes, leaving them out flatters who lacks them: ask "
        "again, or count them as wrong.",
        names,
    )


def _p_harder(own: Array, totals: Array, counts: Array) -> float:
    """P-value of the items that one left unanswered being as easy for the others as the rest."""
    from scipy.stats import mannwhitneyu

    lacking = np.isnan(own)
    others = counts - ~lacking
    known = others > 0
    easiness = (totals - np.nan_to_num(own)) / np.maximum(others, 1)
    left_out, answered = easiness[lacking & known], easiness[~lacking & known]
    if not left_out.size or not answered.size:
        return 1.0
    test = mannwhitneyu(left_out, answered, alternative="less", method="asymptotic")
    return float(np.nan_to_num(test.pvalue, nan=1.0))


def find_cells_answered_twice(fit: FitResult) -> Finding | None:
    """A few cells that were answered more than once, among many that were not."""
    from scipy.sparse import coo_array

    rows, columns = fit.responses.shape
    weight: Any = fit.responses.weight()
    if weight is None or rows * columns > _MOST_CELLS:
        return None
    cells = coo_array(weight if hasattr(weight, "nnz") else np.asarray(weight))
    is_twice, counted = cells.data > 1, int((cells.data > 0).sum())
    twice = int(is_twice.sum())
    if not 0 < twice <= _MOST_TWICE * counted or (cells.data != np.round(cells.data)).any():
        return None
    return Finding(
        "IRT024",
        "note",
        f"{count(twice, 'cell')} of {counted:,} {has(twice)} more than one response; each counts.",
        "Drop rows that stand twice by mistake; where answers were repeated on purpose, nothing is "
        "to be done.",
        tuple(fit.responses.respondents[row] for row in np.unique(cells.coords[0][is_twice])),
    )
