"""What only some models can do: asked here, so that the others need not say that they cannot."""

from collections.abc import Sequence
from typing import Any, Protocol, cast, runtime_checkable

from itemcurve.models.contract import ItemModel
from itemcurve.numerics.engine import Engine
from itemcurve.numerics.shapes import (
    AbilityPoints,
    BasisFunctions,
    BasisWeights,
    Curve,
    CurveSlope,
    ItemCoordinates,
    ItemMatrices,
    ItemValues,
)

# More are no categories that a threshold each could be found for, but scores.
MOST_CATEGORIES = 25


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


@runtime_checkable
class HasCategories(Protocol):
    """A model of responses that are one of several categories."""

    @property
    def codes(self) -> tuple[float, ...]:
        """How the categories are written in the responses, from the lowest up."""

    @property
    def is_open(self) -> bool:
        """Whether a fit takes the categories from the responses."""

    @property
    def is_unordered(self) -> bool:
        """Whether a higher code says nothing of a higher ability."""

    @property
    def has_common_gaps(self) -> bool:
        """Whether thresholds of one item tell those of another."""

    def with_categories(
        self,
        codes: Sequence[float],
        used: float | tuple[float, ...] | None = None,
        widths: Sequence[float] = (),
    ) -> Any:
        """The model of these categories, which items have as `used` says (`used_categories`)."""


@runtime_checkable
class HasSharedJacobians(Protocol):
    """A model whose derivatives in several item parameters share most of the work."""

    def item_jacobians(
        self, engine: Engine, abilities: AbilityPoints, values: ItemValues, indices: Sequence[int]
    ) -> list[Sequence[CurveSlope]]:
        """Derivatives of η_k in the item parameters at these places: parameters × K."""


@runtime_checkable
class HasLogSlopes(Protocol):
    """A model of exponentials, η_k = ±exp(E_k): derivatives of all orders are η_k times others.

    ∂η_k/∂u = η_k ∂E_k/∂u, and second ones take no further exponential.
    """

    def growing(
        self,
        engine: Engine,
        abilities: AbilityPoints,
        values: ItemValues,
        eta: Sequence[Curve],
    ) -> Sequence[Curve]:
        """η_k, but 0 where it is held and does not change."""

    def log_slopes(
        self, engine: Engine, abilities: AbilityPoints, values: ItemValues, index: int | None
    ) -> Sequence[CurveSlope]:
        """∂E_k/∂u, K arrays, for the item parameter at `index` or, with None, ability."""


@runtime_checkable
class HasItemScore(Protocol):
    """A model that finds score and information of its items with fewer curves than the general way.

    Both are taken in plain parameters, at these places.
    """

    def item_score(
        self,
        engine: Engine,
        abilities: AbilityPoints,
        values: ItemValues,
        counts: Sequence[Curve],
        indices: Sequence[int],
    ) -> tuple[ItemCoordinates, ItemMatrices]:
        """From how many responses are expected in each category at each ability."""


@runtime_checkable
class NeedsCompletion(Protocol):
    """A model that can tell what of its items is held only when all settings are known."""

    def completed(self, items: int) -> Any:
        """The model of so many items."""


_ANSWERS: dict[tuple[type, type], bool] = {}


def _is(model: ItemModel, kind: Any) -> bool:
    """Whether a model is of this kind, asked once for all models of its class.

    Python looks for each member of a protocol anew, and a fit asks some hundred times. A class that
    answers for another model may have different members each time.
    """
    if hasattr(type(model), "__getattr__"):
        return isinstance(model, kind)
    asked = type(model), kind
    if asked not in _ANSWERS:
        _ANSWERS[asked] = isinstance(model, kind)
    return _ANSWERS[asked]


def log_loss_form(model: ItemModel) -> ItemModel | None:
    """Give the model of the same curves under log-loss, None where there is none."""
    return model.log_loss_form() if isinstance(model, HasLogLossForm) else None


def completed(model: ItemModel, items: int) -> ItemModel:
    """The model of so many items, with all held that its settings leave no room for."""
    found: ItemModel = model.completed(items) if isinstance(model, NeedsCompletion) else model
    return found


def item_jacobians(
    model: ItemModel,
    engine: Engine,
    abilities: AbilityPoints,
    values: ItemValues,
    indices: Sequence[int],
) -> list[Sequence[CurveSlope]]:
    """Derivatives of η_k in several item parameters: parameters × K."""
    if _is(model, HasSharedJacobians):
        shared: Any = model
        own: list[Sequence[CurveSlope]] = shared.item_jacobians(engine, abilities, values, indices)
        return own
    return [model.item_jacobian(engine, abilities, values, index) for index in indices]


def exponential_form(model: ItemModel) -> HasLogSlopes | None:
    """The model as one of exponentials, None for any other."""
    return cast(HasLogSlopes, model) if _is(model, HasLogSlopes) else None


def own_item_score(
    model: ItemModel,
    engine: Engine,
    abilities: AbilityPoints,
    values: ItemValues,
    counts: Sequence[Curve],
    indices: Sequence[int],
) -> tuple[ItemCoordinates, ItemMatrices] | None:
    """Score and information of items by the model's own way, None where it has none."""
    if not _is(model, HasItemScore):
        return None
    known: Any = model
    found: tuple[ItemCoordinates, ItemMatrices]
    found = known.item_score(engine, abilities, values, counts, indices)
    return found


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
    if not _is(model, HasCurveBasis):
        return None
    known: Any = model
    functions = known.basis(engine, abilities)
    return None if functions is None else (functions, known.basis_weights(engine, values))
