"""Which populations are estimated: the one place where origin and unit of ability are settled.

The likelihood leaves origin and unit of ability open where items can absorb them. Something must
fix them: the population of abilities (mean 0 and standard deviation 1), or, where abilities are
parameters, the population of the items' locations.
"""

from itemcurve.estimation.identification.population import Coordinate
from itemcurve.models.contract import ItemModel, has_free_slope
from itemcurve.models.parameters import Role
from itemcurve.models.priors import Normal

STANDARD = Normal(0.0, 1.0)


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
