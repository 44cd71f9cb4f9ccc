"""What every item response model gives.

A model says how ability θ and the parameters of an item give the natural parameters of the
response. It holds no estimates and knows no method. Arrays are items × abilities throughout.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from itemcurve.families.contract import Family
from itemcurve.models.boundary import Boundary
from itemcurve.models.parameters import ParameterSpec
from itemcurve.models.priors import Prior
from itemcurve.numerics.engine import Array, Engine


@dataclass(frozen=True)
class LatentScale:
    """The scale of ability that a model assumes: what items can absorb, and what is estimated.

    Attributes
    ----------
    shifts, stretches : whether another origin or unit of ability can be undone by the items, so
        that abilities are reported with mean 0 and standard deviation 1.
    is_mean_free, is_sd_free : whether the population's mean and standard deviation are estimated.
    is_open : whether the responses leave origin and unit of an absolute scale to the priors.
    """

    shifts: bool = True
    stretches: bool = True
    is_mean_free: bool = False
    is_sd_free: bool = False
    is_open: bool = False

    @property
    def is_absolute(self) -> bool:
        """Whether abilities are logits of values in (0, 1) with an origin and unit of their own."""
        return self.is_mean_free and not (self.shifts or self.stretches)


class ItemModel(Protocol):
    """An item response model; `values` are item parameters as reported (items × parameters)."""

    @property
    def name(self) -> str:
        """Its name in the catalogue."""

    @property
    def family(self) -> Family:
        """The distribution of its responses."""

    @property
    def parameters(self) -> tuple[ParameterSpec, ...]:
        """Its item parameters, in the order of the columns of `values`."""

    @property
    def latent(self) -> LatentScale:
        """Its assumptions on abilities."""

    @property
    def ability_prior(self) -> Prior:
        """Weak prior of an ability that is itself a parameter (fits over items)."""

    @property
    def orientation(self) -> int:
        """+1 when the expected response rises with ability, −1 when it falls (errors)."""

    @property
    def boundary(self) -> Boundary:
        """What becomes of continuous responses at the ends of their range."""

    def natural(self, engine: Engine, abilities: Array, values: Array) -> Sequence[Array]:
        """Natural parameters η_k, K arrays (items × abilities)."""

    def item_jacobian(
        self, engine: Engine, abilities: Array, values: Array, index: int
    ) -> Sequence[Array]:
        """Derivatives of η_k in the item parameter at `index`, K arrays (items × abilities).

        The item axis may have length one where they are the same for all items.
        """

    def ability_jacobian(self, engine: Engine, abilities: Array, values: Array) -> Sequence[Array]:
        """Derivatives of η_k in ability, K arrays (items × abilities)."""

    def rescale(self, values: Array, location: Array, scale: Array) -> Array:
        """Item parameters for abilities measured as (θ − location)/scale: same responses."""

    def start(self, means: Array, correlations: Array) -> Array:
        """Starting values from each item's mean response and its correlation with the rest."""

    def report(self, values: Array) -> Mapping[str, Array]:
        """The columns people read, in their order (items each)."""

    def population_form(self) -> Self:
        """The same model in the coordinates in which a population of items is described."""

    def with_parameters(self, parameters: tuple[ParameterSpec, ...]) -> Self:
        """The same model with these descriptions of its parameters."""

    def with_boundary(self, boundary: Boundary) -> Self:
        """The same model with another treatment of responses at the ends of their range."""

    def log_loss_form(self) -> "ItemModel | None":
        """The model of the same parameters and expected responses under log-loss.

        None where the expected response is no score in [0, 1], or is not all that the parameters
        describe.
        """

    def simpler(self) -> Self | None:
        """The largest model nested in this one, None when there is none worth starting from."""

    def extend(self, values: Array, distance: float) -> Array:
        """Values of the simpler model, moved `distance` into this model's range."""

    def draw(self, rng: np.random.Generator, items: int) -> Array:
        """Draw item parameters for a simulation (items × parameters)."""
