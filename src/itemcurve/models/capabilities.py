"""What only some models can do: asked here, so that the others need not say that they cannot."""

from typing import Any, Protocol, runtime_checkable

from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import AbilityPoints, BasisFunctions, BasisWeights, ItemValues


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

    def extend(self, values: ItemValues, distance: float) -> ItemValues:
        """Values of the simpler model, moved `distance` into this model's range."""


@runtime_checkable
class HasCurveBasis(Protocol):
    """A model whose natural parameters are sums of few functions of ability.

    η_k(θ, ω) = Σ_r B_r(θ) · c_kr(ω). Sums over responses then need one product per function
    instead of one per node.
    """

    def basis(self, engine: Engine, abilities: AbilityPoints) -> BasisFunctions | None:
        """B_r (functions × abilities); None where a parameter's setting leaves no such form."""

    def basis_weights(self, engine: Engine, values: ItemValues) -> list[BasisWeights]:
        """c_kr, one array (items × functions) per natural parameter."""


def log_loss_form(model: ItemModel) -> ItemModel | None:
    """Give the model of the same curves under log-loss, None where there is none."""
    return model.log_loss_form() if isinstance(model, HasLogLossForm) else None


def simpler_model(model: ItemModel) -> ItemModel | None:
    """Give the largest model nested in this one, None when there is none worth starting from."""
    return model.simpler() if isinstance(model, HasNestedModel) else None


def extended(model: ItemModel, values: ItemValues, distance: float) -> ItemValues:
    """Values of the simpler model, moved into the range of this one."""
    return model.extend(values, distance) if isinstance(model, HasNestedModel) else values


def curve_terms(
    model: ItemModel, engine: Engine, abilities: AbilityPoints, values: ItemValues
) -> tuple[BasisFunctions, list[BasisWeights]] | None:
    """Functions of ability that curves are sums of, and each item's weights; None if they are not.

    Returns
    -------
    B_r (functions × abilities), and c_kr, one array (items × functions) per natural parameter.
    """
    if not isinstance(model, HasCurveBasis):
        return None
    functions = model.basis(engine, abilities)
    return None if functions is None else (functions, model.basis_weights(engine, values))
