"""Whether the rows of a log give the means that its harness reports."""

import numpy as np

from itemcurve.logs.reading.log_rows import SCORED, UNSCORED, LogRows, ReportedMean

_TOLERANCE = 1e-9


def check_reports(log: LogRows) -> list[str]:
    """List where rows and reports disagree, for people; nothing where they agree."""
    found = [_check(log, report) for report in log.reports]
    return list(dict.fromkeys(problem for problem in found if problem))


def _check(log: LogRows, report: ReportedMean) -> str:
    """Compare one mean; of a log that was shortened only the number of samples."""
    key = (report.metric, report.filter, report.group)
    codes = [
        code
        for code, measure in enumerate(log.measures)
        if (measure.metric, measure.filter, measure.group) == key
    ]
    here = (log.run == report.run) & np.isin(log.measure, codes)
    count = int(np.count_nonzero(here))
    if report.count is not None and count != report.count:
        errors = int(np.count_nonzero((log.run == report.run) & (log.status != SCORED)))
        missing = f", {errors} of them failed or not scored" if errors else ""
        return f"holds {count} of {report.count} samples{missing}"
    if not count or np.any(log.status[here] == UNSCORED):
        return ""
    mean = _mean(log, here)
    if abs(mean - report.mean) <= _TOLERANCE * max(1.0, abs(report.mean)):
        return ""
    shown = f"{report.metric} {report.filter}".strip()
    return f"{shown}: the harness reports {report.mean:.6g}, its samples give {mean:.6g}"


def _mean(log: LogRows, here: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
    """Average the repeats of each sample first, as harnesses do."""
    samples = log.sample[here]
    sums = np.bincount(samples, weights=log.value[here])
    counts = np.bincount(samples)
    return float(np.mean(sums[counts > 0] / counts[counts > 0]))
