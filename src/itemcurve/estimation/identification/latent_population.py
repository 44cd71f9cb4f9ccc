"""Which populations are estimated: the one place where origin and unit of ability are settled.

The likelihood leaves origin and unit of ability open where items can absorb them. Something must
fix them: the population of abilities (mean 0 and standard deviation 1), or, where abilities are
parameters, the population of the items' locations.
"""

from collections.abc import Sequence

from itemcurve.estimation.identification.population import Coordinate
from itemcurve.models.contract import ItemModel, has_free_slope
from itemcurve.models.parameters import ParameterSpec, Role
from itemcurve.models.priors import Normal
from itemcurve.models.transforms import FREE

STANDARD = Normal(0.0, 1.0)
_ORIGINS = (Role.INTERCEPT, Role.LOCATION)


def has_priors(model: ItemModel) -> bool:
    """Whether any estimated item parameter has a prior."""
    return any(spec.prior is not None for spec in model.parameters if spec.is_free)


def ability_population(model: ItemModel, is_open: bool) -> Coordinate:
    """Abilities as a sample from a population.

    Parameters
    ----------
    is_open : whether items have priors, which speak of their own scale. Were abilities held at
        N(0, 1) as well, a thousand weak priors would together bend that scale (by 11 % at 2,000 ×
        1,000), so the population is free, and standardised only when reported.
    """
    latent = model.latent
    return Coordinate(
        STANDARD,
        is_mean_free=latent.is_mean_free or (is_open and latent.shifts),
        is_sd_free=latent.is_sd_free or (is_open and latent.stretches and has_free_slope(model)),
        # On weak data a free spread would otherwise vanish: the priors of the items gain more from
        # slopes at their mode than the likelihood loses.
        is_anchored=is_open,
    )


def item_population(model: ItemModel) -> tuple[Coordinate, ...]:
    """Items as a sample from a population: what fixes the scale is held, the rest is estimated."""
    found = []
    for spec in model.parameters:
        if not spec.is_free or spec.prior is None:
            continue
        is_normal = isinstance(spec.prior, Normal)
        fixes_scale = spec.role is Role.LOCATION and model.latent.shifts
        found.append(
            Coordinate(
                spec.prior,
                is_mean_free=is_normal and not fixes_scale,
                is_sd_free=is_normal and not (fixes_scale and has_free_slope(model)),
                is_anchored=True,
            )
        )
    return tuple(found)


def items_beside_abilities(model: ItemModel) -> tuple[Coordinate | None, ...]:
    """Items as a sample where abilities are integrated out, one entry per free parameter.

    Abilities are reported from the origin and in the unit of their own population. What the items'
    population would say of them again is held: the mean of the first intercept or location, and of
    the first slope on a logarithmic scale (`unit_slope` is of slopes of either sign). None where a
    parameter's prior was chosen by somebody, or is no normal one, or where ability has an origin of
    its own: the priors are then part of the model.
    """
    free = [spec for spec in model.parameters if spec.is_free]
    if not model.latent.shifts:
        return (None,) * len(free)
    held = {_first(free, _ORIGINS)}
    if model.latent.stretches and unit_slope(model) is None:
        held.add(_first(free, (Role.SLOPE,)))
    return tuple(
        Coordinate(spec.prior, is_mean_free=place not in held, is_sd_free=True, is_anchored=True)
        if isinstance(spec.prior, Normal) and not spec.is_prior_given
        else None
        for place, spec in enumerate(free)
    )


def unit_slope(model: ItemModel) -> int | None:
    """Place, among the free parameters, of a slope of either sign that takes up the unit."""
    free = [spec for spec in model.parameters if spec.is_free]
    place = _first(free, (Role.SLOPE,)) if model.latent.stretches else None
    return None if place is None or free[place].transform is not FREE else place


def _first(specs: Sequence[ParameterSpec], roles: tuple[Role, ...]) -> int | None:
    return next((place for place, spec in enumerate(specs) if spec.role in roles), None)
