"""Findings about the responses: constant items, few respondents, labels, edges."""

from typing import TYPE_CHECKING

import numpy as np

from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.items.verdicts import LABEL_ERROR, SUSPECT
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.parameters import Role

if TYPE_CHECKING:
    import pandas

# Respondents below which item parameters are mostly prior, by the number estimated per item.
_LEAST = {1: 50, 2: 150, 3: 500, 4: 1000}
# A score or an error tells several times as much as right and wrong.
_LEAST_CONTINUOUS = {1: 10, 2: 20, 3: 40, 4: 100}
_BOUNDARY_SHARE, _MOSTLY_ENDS = 0.01, 0.5


def find_constant_items(fit: FitResult) -> Finding | None:
    """Items that everybody answered alike."""
    means = fit.responses.means(axis=0)
    constant = np.flatnonzero(fit.item_ends.is_end(means))
    if not constant.size:
        return None
    return Finding(
        "IRT001",
        "note",
        f"{count(constant.size, 'item')} of {len(means):,} {verb(constant.size)} answered alike by "
        "everybody.",
        "They tell nothing about who is better; their difficulty comes from the prior. Leave them "
        "out of the comparison or ask more varied respondents.",
        tuple(fit.responses.items[i] for i in constant),
    )


def find_few_respondents(fit: FitResult) -> Finding | None:
    """Fewer respondents than the model's item parameters need."""
    model = fit.estimates.model
    # Each threshold has answers of its own.
    free = min(4, sum(s.is_free and s.role is not Role.THRESHOLD for s in model.parameters))
    needed = (_LEAST_CONTINUOUS if model.family.is_continuous else _LEAST)[max(free, 1)]
    given = fit.responses.shape[0]
    if given >= needed:
        return None
    is_over_items = fit.estimates.over == "items"
    advice = (
        "Abilities and their intervals account for it; read single items by their intervals, not "
        "by their point estimates."
        if is_over_items
        else f"Use {_smaller(fit)}, or collect {needed:,} respondents."
    )
    return Finding(
        "IRT003",
        "note" if is_over_items or given >= needed / 2 else "warning",
        f"{count(given, 'respondent')} tell little of what one item is like "
        f"({count(free, 'parameter')} of it); {needed:,} or more would.",
        advice,
    )


def _smaller(fit: FitResult) -> str:
    """A model of fewer parameters, by name where responses are ordered categories."""
    model = fit.estimates.model
    is_open = isinstance(model, HasCategories) and not (model.is_unordered or model.has_common_gaps)
    return "grsm or rsm (common thresholds)" if is_open else "a model with fewer parameters"


def find_suspect_labels(verdicts: "pandas.DataFrame", is_audited: bool) -> Finding | None:
    """Items that better respondents get wrong."""
    suspect = verdicts[verdicts["verdict"] == SUSPECT]
    if suspect.empty:
        return None
    evidence = LABEL_ERROR if LABEL_ERROR in suspect else "probability_negative"
    ranked = suspect.sort_values(evidence, ascending=False, kind="stable")
    reason = "by the item audit" if is_audited else "better respondents clearly do worse"
    return Finding(
        "IRT006",
        "warning",
        f"{count(len(suspect), 'item')} of {len(verdicts):,} {has(len(suspect))} a suspect label "
        f"({reason}).",
        "Check the label or key of each; correct or drop it and fit again.",
        tuple(ranked["item"]),
    )


def find_edge_abilities(fit: FitResult) -> Finding | None:
    """Respondents with nothing right or nothing wrong, or beyond every item."""
    means = fit.responses.means(axis=1)
    extreme = np.flatnonzero(fit.respondent_ends.is_end(means))
    if not extreme.size:
        return None
    return Finding(
        "IRT007",
        "warning" if extreme.size > 0.1 * len(means) else "note",
        f"{count(extreme.size, 'respondent')} of {len(means):,} {has(extreme.size)} the best or "
        "worst possible score on every item.",
        "Their abilities come from the prior; add items that are hard or easy enough for them.",
        tuple(fit.responses.respondents[i] for i in extreme),
    )


def find_boundary_responses(fit: FitResult) -> Finding | None:
    """Continuous responses at the ends of their range."""
    total = fit.responses.observed_values().size
    share = fit.boundary_responses / total if total else 0.0
    if share < _BOUNDARY_SHARE:
        return None
    kind = fit.estimates.model.boundary.kind
    if share > _MOSTLY_ENDS:
        return Finding(
            "IRT008",
            "warning",
            f"{share:.0%} of responses ({fit.boundary_responses:,}) lie at an end of their range.",
            "Of these a model of shares knows only right and wrong: use a model of right and wrong "
            "(2pl), or one that takes both (fractional-2pl).",
        )
    advice = (
        "They are treated as censored, which keeps the scale honest."
        if kind == "censor"
        else 'Clipping shrinks abilities; fit with boundary="censor".'
    )
    return Finding(
        "IRT008",
        "note" if kind == "censor" else "warning",
        f"{share:.1%} of responses ({fit.boundary_responses:,}) lie at an end of their range.",
        advice,
    )


def count(number: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def verb(number: int) -> str:
    """Is or are."""
    return "is" if number == 1 else "are"


def has(number: int) -> str:
    """Has or have."""
    return "has" if number == 1 else "have"
