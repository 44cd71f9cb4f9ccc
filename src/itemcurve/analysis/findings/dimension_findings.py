"""The finding that one ability is not enough to predict the responses."""

import numpy as np

from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.model_fit.dimension_count import count_abilities
from itemcurve.estimation.result import FitResult

# Beyond these the check looks at a sample anyway; a dense array of all cells may not fit.
_MOST_RESPONDENTS, _MOST_ITEMS = 1_000, 5_000
# From this gain on, what one ability says about single items is often wrong.
_GRAVE = 0.05


def find_more_abilities(fit: FitResult) -> Finding | None:
    """Responses between two ends whose left-out cells several abilities predict better."""
    family = fit.estimates.model.family
    if not family.is_bounded:
        return None
    random = np.random.default_rng(0)
    places = [
        None if count <= most else np.sort(random.choice(count, most, replace=False)).tolist()
        for count, most in zip(fit.responses.shape, (_MOST_RESPONDENTS, _MOST_ITEMS), strict=True)
    ]
    kept = fit.responses if places == [None, None] else fit.responses.take(*places)
    ends = fit.item_ends if places[1] is None else fit.item_ends.of_items(fit.bank.take(places[1]))
    checked = count_abilities(ends.as_share(np.asarray(kept.array(), dtype=float)))
    if checked is None or checked.best == 1:
        return None
    return Finding(
        "IRT014",
        "warning" if checked.gain >= _GRAVE else "note",
        f"{checked} Log-loss {checked.log_loss[0]:.3f} with one, "
        f"{checked.log_loss[checked.dimensions.index(checked.best)]:.3f} with {checked.best}.",
        "Rank by it, but do not choose items for a score by it, and compare abilities within "
        "subjects: respondents differ in what they are good at. itemcurve.fit(…, "
        "dimensions='auto') tells them apart.",
    )
