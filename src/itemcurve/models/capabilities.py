"""What only some models can do: asked here, so that the others need not say that they cannot."""

from typing import Any, Protocol, runtime_checkable

from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Array, Engine


@runtime_checkable
class HasLogLossForm(Protocol):
    """A model whose expected response is a score in [0, 1], and all that it describes."""

    def log_loss_form(self) -> Any:
        """The model of the same parameters and expected responses under log-loss."""


@runtime_checkable
class HasNestedModel(Protocol):
    """A model with a smaller one inside that is worth starting from."""

    def simpler(self) -> Any:
        """The largest model nested in this one, None when there is none."""

    def extend(self, values: Array, distance: float) -> Array:
        """Values of the simpler model, moved `distance` into this model's range."""


@runtime_checkable
class HasCurveBasis(Protocol):
    """A model whose natural parameters are sums of few functions of ability.

    η_k(θ, ω) = Σ_r B_r(θ) · c_kr(ω). Sums over responses then need one product per function
    instead of one per node.
    """

    def basis(self, engine: Engine, abilities: Array) -> Array | None:
        """B_r (functions × abilities); None where a parameter's setting leaves no such form."""

    def basis_weights(self, engine: Engine, values: Array) -> list[Array]:
        """c_kr, one array (items × functions) per natural parameter."""


def log_loss_form(model: ItemModel) -> ItemModel | None:
    """Give the model of the same curves under log-loss, None where there is none."""
    return model.log_loss_form() if isinstance(model, HasLogLossForm) else None


def simpler_model(model: ItemModel) -> ItemModel | None:
    """Give the largest model nested in this one, None when there is none worth starting from."""
    return model.simpler() if isinstance(model, HasNestedModel) else None


def extended(model: ItemModel, values: Array, distance: float) -> Array:
    """Values of the simpler model, moved into the range of this one."""
    return model.extend(values, distance) if isinstance(model, HasNestedModel) else values


def curve_basis(model: ItemModel, engine: Engine, abilities: Array) -> Array | None:
    """Functions of ability (functions × abilities) that curves are sums of; None if not."""
    return model.basis(engine, abilities) if isinstance(model, HasCurveBasis) else None
