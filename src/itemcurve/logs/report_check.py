"""Whether the rows of a log give the means that its harness reports."""

import numpy as np

from itemcurve.logs.reading.log_rows import SCORED, UNSCORED, Batch, Report

_TOLERANCE = 1e-9


def check_reports(batch: Batch) -> list[str]:
    """List where rows and reports disagree, for people; nothing where they agree."""
    found = [_check(batch, report) for report in batch.reports]
    return list(dict.fromkeys(problem for problem in found if problem))


def _check(batch: Batch, report: Report) -> str:
    """Compare one mean; of a log that was shortened only the number of samples."""
    key = (report.metric, report.filter, report.group)
    codes = [
        code
        for code, measure in enumerate(batch.measures)
        if (measure.metric, measure.filter, measure.group) == key
    ]
    here = (batch.run == report.run) & np.isin(batch.measure, codes)
    count = int(np.count_nonzero(here))
    if report.count is not None and count != report.count:
        errors = int(np.count_nonzero((batch.run == report.run) & (batch.status != SCORED)))
        missing = f", {errors} of them failed or not scored" if errors else ""
        return f"holds {count} of {report.count} samples{missing}"
    if not count or np.any(batch.status[here] == UNSCORED):
        return ""
    mean = _mean(batch, here)
    if abs(mean - report.mean) <= _TOLERANCE * max(1.0, abs(report.mean)):
        return ""
    shown = f"{report.metric} {report.filter}".strip()
    return f"{shown}: the harness reports {report.mean:.6g}, its samples give {mean:.6g}"


def _mean(batch: Batch, here: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
    """Average the repeats of each sample first, as harnesses do."""
    samples = batch.sample[here]
    sums = np.bincount(samples, weights=batch.value[here])
    counts = np.bincount(samples)
    return float(np.mean(sums[counts > 0] / counts[counts > 0]))
