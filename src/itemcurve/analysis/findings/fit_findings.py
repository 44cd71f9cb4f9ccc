"""Findings about the fit: convergence, items the model does not describe, dependence, bounds."""

import numpy as np

from itemcurve.analysis.findings.data_findings import count, has, verb
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.model_fit.item_fit import ItemFit
from itemcurve.analysis.model_fit.local_dependence import local_dependence
from itemcurve.estimation.identification.flat_direction import described
from itemcurve.estimation.result import FitResult
from itemcurve.estimation.status import FitStatus

_LEVEL = 0.01
# With fewer respondents residual correlations are noise.
_LEAST_RESPONDENTS = 50


def find_unconverged(fit: FitResult) -> Finding | None:
    """A fit that did not reach a clear maximum."""
    if fit.status is FitStatus.CONVERGED:
        return None
    if fit.status.is_converged:
        open_ones = described(fit.estimates.diagnostics)
        return Finding(
            "IRT002",
            "note",
            f"The fit {fit.status}." + (f" Least determined: {open_ones}." if open_ones else ""),
            "Keep the default priors, or use a model with fewer parameters.",
        )
    return Finding(
        "IRT002",
        "warning",
        f"The fit {fit.status}.",
        f"{fit.status.advice.removesuffix('.')}; do not report these numbers.",
    )


def find_poor_item_fit(statistics: ItemFit) -> Finding | None:
    """Items whose curve does not describe their responses, at a false-discovery rate of 1 %."""
    with np.errstate(invalid="ignore"):
        poor = np.flatnonzero(statistics.p_adjusted < _LEVEL)
    if not poor.size:
        return None
    order = poor[np.argsort(statistics.p_value[poor], kind="stable")]
    total = len(statistics.items)
    return Finding(
        "IRT004",
        "warning" if poor.size > 0.1 * total else "note",
        f"The curves of {count(poor.size, 'item')} of {total:,} do not describe the responses "
        f"({statistics.test}, false-discovery rate {_LEVEL:.0%}).",
        "Look at their curves; a model with guessing, or a second ability, may be needed.",
        tuple(statistics.items[i] for i in order),
    )


def find_local_dependence(fit: FitResult) -> Finding | None:
    """Pairs of items that agree beyond what ability explains."""
    if fit.responses.shape[0] < _LEAST_RESPONDENTS:
        return None
    dependence = local_dependence(fit, pairs=100)
    number = dependence.n_dependent
    if not number:
        return None
    total = len(fit.responses.items)
    compared = "" if dependence.n_items == total else f" among {dependence.n_items:,} compared"
    more = " or more" if number == len(dependence.q3) else ""
    return Finding(
        "IRT005",
        "note",
        f"{count(number, 'pair')}{more} of items{compared} {verb(number)} answered alike beyond "
        f"what ability explains (Q3 up to {dependence.q3[0]:.2f}).",
        "Look for duplicates and items that share a text; count such a group as one item.",
        tuple(
            f"{first} & {second}"
            for first, second in zip(dependence.first, dependence.second, strict=True)
        )[:number],
    )


def find_bounds(fit: FitResult) -> Finding | None:
    """Items with a parameter at the edge of its range."""
    stuck = np.flatnonzero(fit.estimates.at_bound)
    if not stuck.size:
        return None
    return Finding(
        "IRT009",
        "note",
        f"{count(stuck.size, 'item')} of {len(fit.responses.items):,} {has(stuck.size)} a "
        "parameter at the edge of its range; its standard error is unknown.",
        "Keep the default priors, or hold that parameter.",
        tuple(fit.responses.items[i] for i in stuck),
    )
