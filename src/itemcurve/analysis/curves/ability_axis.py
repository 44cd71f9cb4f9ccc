"""The scale on which people read abilities: sd, logits, logs of errors, or values in (0, 1)."""

from dataclasses import dataclass

import numpy as np

from itemcurve.bank.item_bank import Bank
from itemcurve.estimation.result import FitResult
from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array

# Abilities in (0, 1) are drawn between these; at the very ends curves are steps.
_UNIT_ENDS = (0.01, 0.99)
_UNIT_LABEL = "ability (0 to 1)"
_MARGIN = 0.6
# Beyond this logit, values in (0, 1) can no longer be told apart by eye.
_FAR, _FAR_SHARE = 4.0, 0.25


@dataclass(frozen=True, eq=False)
class AbilityAxis:
    """Points of ability for curves, and how to write abilities beside difficulties.

    Attributes
    ----------
    label : what to write on the axis.
    is_unit : whether abilities are shown as values in (0, 1).
    points : abilities on the scale of estimation, evenly spaced as shown.
    """

    label: str
    is_unit: bool
    points: Array

    def shown(self, abilities: Array) -> Array:
        """Give abilities on the scale of the axis, which is that of difficulties."""
        from scipy.special import expit

        values = np.asarray(abilities, dtype=float)
        return np.asarray(expit(values)) if self.is_unit else values

    def interval(self, abilities: Array, errors: Array, level: float) -> tuple[Array, Array]:
        """Give the ends of normal intervals at this level, on the scale of the axis."""
        from scipy.special import ndtri

        reach = ndtri(0.5 + level / 2) * np.asarray(errors, dtype=float)
        return self.shown(abilities - reach), self.shown(abilities + reach)


def ability_axis(fit: FitResult, points: int = 61) -> AbilityAxis:
    """Give the axis that suits a fit: it covers the respondents and most of the items.

    Abilities in (0, 1) are shown as such, unless many crowd at the ends: then as logits.

    Parameters
    ----------
    points : how many abilities curves are evaluated at.
    """
    latent = fit.estimates.model.latent
    is_far = np.abs(fit.estimates.abilities) > _FAR
    if latent.is_logit and is_far.mean() < _FAR_SHARE:
        shares = np.linspace(*_UNIT_ENDS, points)
        return AbilityAxis(_UNIT_LABEL, True, np.log(shares / (1 - shares)))
    lower, upper = _reach(fit)
    unit = _unit(fit.estimates.model)
    return AbilityAxis(f"ability ({unit})", False, np.linspace(lower, upper, points))


def shown_difficulties(fit: FitResult, axis: AbilityAxis) -> Array:
    """Give difficulties on the scale of the axis."""
    if fit.estimates.model.latent.is_logit and not axis.is_unit:
        return fit.estimates.model.location(fit.estimates.values)
    return fit.locations.values


def bank_axis(bank: Bank, abilities: Array) -> AbilityAxis:
    """Give the axis that suits abilities measured against a bank; it has no points of its own.

    Parameters
    ----------
    abilities : those to be shown.
    """
    latents = [part.model.latent for part in bank.parts]
    finite = np.asarray(abilities)[np.isfinite(abilities)]
    is_near = not finite.size or (np.abs(finite) > _FAR).mean() < _FAR_SHARE
    if is_near and all(latent.is_logit for latent in latents):
        return AbilityAxis(_UNIT_LABEL, True, np.empty(0))
    unit = _unit(bank.parts[0].model)
    return AbilityAxis(f"ability ({unit})", False, np.empty(0))


def _unit(model: ItemModel) -> str:
    """What an ability of 1 is one of; errors without an upper end have logarithms, no logits."""
    if model.latent.stretches:
        return "sd"
    is_logit = model.latent.is_logit or model.family.is_bounded
    return "logits" if is_logit else "−log error"


def bank_difficulties(bank: Bank, axis: AbilityAxis) -> Array:
    """Give the difficulties of a bank's items on the scale of the axis."""
    found = np.empty(len(bank))
    for part in bank.parts:
        places = part.model.location(part.values)
        found[part.positions] = axis.shown(places) if part.model.latent.is_logit else places
    return found


def _reach(fit: FitResult) -> tuple[float, float]:
    """Cover all abilities, and difficulties as far as 3 units beyond them."""
    abilities = fit.estimates.abilities
    lower, upper = float(abilities.min()), float(abilities.max())
    difficulty = fit.estimates.model.location(fit.estimates.values)
    finite = difficulty[np.isfinite(difficulty)]
    if finite.size:
        low, high = np.quantile(finite, (0.05, 0.95))
        lower = min(lower, max(float(low), lower - 3.0))
        upper = max(upper, min(float(high), upper + 3.0))
    return lower - _MARGIN, upper + _MARGIN
