"""Findings about fits of several abilities: what to know before reading them apart."""

from collections.abc import Iterable

import numpy as np

from itemcurve.analysis.findings.all_findings import Findings, check_codes
from itemcurve.analysis.findings.data_findings import count
from itemcurve.analysis.findings.finding_kinds import Finding
from itemcurve.estimation.dimensions.dimensions_fit import DimensionsFit

# Abilities whose correlation may be as high as this order respondents alike.
_ONE, _SURE = 0.98, 1.0
# An ability with smaller loadings explains less than a tenth of each of its items.
_LARGE = 0.32


def find_in_abilities(fit: DimensionsFit, mute: Iterable[str] = ()) -> Findings:
    """Give what casts doubt on a fit of several abilities, by code."""
    muted = check_codes(mute)
    found = {
        "IRT001": _find_constant(fit),
        "IRT002": _find_unconverged(fit),
        "IRT050": _find_alike(fit),
        "IRT051": _find_empty(fit),
    }
    kept = (own for code, own in found.items() if own is not None and code not in muted)
    return Findings(tuple(kept))


def _find_constant(fit: DimensionsFit) -> Finding | None:
    means, family = fit.responses.means(axis=0), fit.base.family
    if not family.is_bounded:
        return None
    lowest, highest = family.support
    names = np.array(fit.responses.items)[(means <= lowest) | (means >= highest)]
    if not len(names):
        return None
    return Finding(
        "IRT001",
        "note",
        f"{count(len(names), 'item')} of {len(fit.responses.items):,} answered alike by everybody: "
        "they tell no ability from another.",
        "Leave them out; their loadings are those of the other items on average.",
        tuple(map(str, names)),
    )


def _find_unconverged(fit: DimensionsFit) -> Finding | None:
    if fit.status.is_converged:
        return None
    return Finding("IRT002", "warning", f"The fit {fit.status}.", fit.status.advice)


def _find_alike(fit: DimensionsFit) -> Finding | None:
    """Pairs that the responses hardly tell apart; turned axes are told apart by the rotation."""
    if fit.pattern.is_exploratory:
        return None
    rows, columns = np.tril_indices(fit.pattern.size, -1)
    values = np.abs(fit.correlation[rows, columns])
    errors = fit.correlation_errors.to_numpy()[rows, columns]
    pairs = np.flatnonzero(values + _SURE * errors > _ONE)
    if not pairs.size:
        return None
    first = pairs[np.argmax(values[pairs])]
    one, other = fit.names[columns[first]], fit.names[rows[first]]
    names = {fit.names[place] for pair in pairs for place in (rows[pair], columns[pair])}
    return Finding(
        "IRT050",
        "warning",
        f"{count(len(pairs), 'pair')} of abilities may be one: {one!r} and {other!r} correlate by "
        f"{values[first]:.2f} (± {errors[first]:.2f}), so that responses hardly tell them apart.",
        "Take them for one, or keep them for the sake of the names, and do not read their "
        "difference.",
        tuple(name for name in fit.names if name in names),
    )


def _find_empty(fit: DimensionsFit) -> Finding | None:
    found = np.abs(fit.loadings[list(fit.names)].to_numpy(float)).max(axis=0)
    weak = [name for name, most in zip(fit.names, found, strict=True) if most < _LARGE]
    if not weak:
        return None
    return Finding(
        "IRT051",
        "note",
        f"{count(len(weak), 'ability')} without an item that loads by more than {_LARGE}, as "
        f"{weak[0]!r}: respondents are hardly measured on it.",
        "Ask for fewer abilities, or add items that need it.",
        tuple(weak),
    )
