"""Findings about ratings and other categories: what was never used, thresholds out of order."""

import numpy as np

from itemcurve.analysis.findings.data_findings import count, has, verb
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.analysis.model_fit.part_fits import part_fits
from itemcurve.estimation.observed_categories import count_categories
from itemcurve.estimation.ratings_as_scores import grades_among
from itemcurve.estimation.result import FitResult
from itemcurve.models.capabilities import HasCategories
from itemcurve.models.formulas.used_categories import column_bits, used_by
from itemcurve.models.parameters import Role

# Of two thresholds in the wrong order, by how many standard errors they must lie apart.
_CLEARLY = 1.645
_MOST_NAMED = 3


def find_unused_categories(fit: FitResult) -> Finding | None:
    """Categories that some items were never given."""
    names, words, left_out, kept, total = [], [], 0, 0, 0
    for _, part in part_fits(fit):
        model = part.estimates.model
        if not isinstance(model, HasCategories):
            continue
        counts = count_categories(part.responses, model.codes)
        has_it = used_by(column_bits(part.estimates.values), len(model.codes))
        total += len(counts)
        left_out += int(((counts == 0) & ~has_it).sum())
        kept += int(((counts == 0) & has_it).sum())
        for item in np.flatnonzero((counts == 0).any(axis=1)):
            missing = [f"{model.codes[k]:g}" for k in np.flatnonzero(counts[item] == 0)]
            names.append(part.responses.items[item])
            words.append(f"{names[-1]} ({', '.join(missing)})")
    if not names:
        return None
    shown = "; ".join(words[:_MOST_NAMED]) + ("; …" if len(words) > _MOST_NAMED else "")
    treated = [
        f"{left_out:,} left out, as those items have a shorter scale" if left_out else "",
        f"{kept:,} kept, with thresholds told by other items" if kept else "",
    ]
    return Finding(
        "IRT016",
        "note",
        f"{count(len(names), 'item')} of {total:,} {verb(len(names))} never given some category: "
        f"{shown}. Of these categories {' and '.join(word for word in treated if word)}.",
        "If a category is merely rare, join it with its neighbour or ask more respondents; if an "
        "item has fewer grades, nothing is to be done.",
        tuple(names),
    )


def find_disordered_thresholds(fit: FitResult) -> Finding | None:
    """Items on which a higher grade is easier to reach than the one below it."""
    names = [name for name, role in fit.estimates.model.columns.items() if role is Role.THRESHOLD]
    if len(names) < 2:
        return None
    places = np.stack([fit.estimates.item_columns[name] for name in names], axis=1)
    errors = np.stack([fit.estimates.item_errors[name] for name in names], axis=1)
    slopes = np.sign(fit.slopes.values)[:, None]
    falls = slopes * (places[:, :-1] - places[:, 1:])
    spread = np.hypot(errors[:, :-1], errors[:, 1:])
    with np.errstate(invalid="ignore"):
        disordered = np.flatnonzero((falls > _CLEARLY * spread).any(axis=1))
    if not disordered.size:
        return None
    return Finding(
        "IRT017",
        "note",
        f"{count(disordered.size, 'item')} of {len(places):,} {has(disordered.size)} thresholds "
        "out of order: some grade is at no ability the most likely one.",
        "Read their category curves; raters may not tell these grades apart. Join them, or "
        "describe them better.",
        tuple(fit.responses.items[item] for item in disordered),
    )


def find_ratings_as_shares(fit: FitResult) -> Finding | None:
    """Grades in a model of shares, which takes them but wastes what they tell."""
    for _, part in part_fits(fit):
        family = part.estimates.model.family
        values = grades_among(part.responses) if family.is_quasi and family.is_bounded else None
        if values is not None:
            return Finding(
                "IRT018",
                "warning",
                f"All responses of {part.estimates.model.name} are one of {len(values)} values, "
                f"evenly apart ({', '.join(f'{v:g}' for v in values)}): grades, it seems.",
                "Use grm or gpcm on the ratings as they are: intervals are shorter and right. "
                "Of shares of right answers in several tries, give every try and use 2pl.",
            )
    return None
