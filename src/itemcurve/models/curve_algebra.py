"""Vectors and matrices over natural parameters whose entries are arrays (items × abilities)."""

from collections.abc import Sequence

from itemcurve.families.contract import HasCovarianceImage
from itemcurve.numerics.engine import Engine, add_up
from itemcurve.numerics.shapes import Curve, CurveSlope, ItemCoordinates, ItemMatrices


def curve_slopes(
    directions: Sequence[Sequence[Curve]], jacobian: Sequence[CurveSlope]
) -> list[CurveSlope]:
    """(J_1 … J_K, −Σ E[T_k] J_k, …), because ∇A = E[T]."""
    return [
        *jacobian,
        *(add_up(d * j for d, j in zip(slope, jacobian, strict=True)) for slope in directions),
    ]


def residuals_of(sums: Sequence[Curve], directions: Sequence[Sequence[Curve]]) -> list[Curve]:
    """Σ_k sums_k ∂g_k/∂η: what the data ask of each natural parameter."""
    size = len(directions[0])
    residuals = list(sums[:size])
    for weight, slopes in zip(sums[size:], directions, strict=True):
        residuals = [r + weight * s for r, s in zip(residuals, slopes, strict=True)]
    return residuals


def image(vector: Sequence[CurveSlope], matrix: Sequence[Sequence[Curve]]) -> list[CurveSlope]:
    """Vector × matrix, both of arrays."""
    return [
        add_up(v * m for v, m in zip(vector, column, strict=True))
        for column in zip(*matrix, strict=True)
    ]


def projected(
    engine: Engine, vector: Sequence[CurveSlope], jacobians: Sequence[Sequence[CurveSlope]]
) -> ItemCoordinates:
    """Σ over abilities and natural parameters of vector × each jacobian (items × free)."""
    return engine.xp.stack(
        [
            add_up(engine.inner(v, j) for v, j in zip(vector, jacobian, strict=True))
            for jacobian in jacobians
        ],
        axis=1,
    )


def products(
    engine: Engine,
    family: HasCovarianceImage,
    eta: Sequence[Curve],
    jacobians: Sequence[Sequence[CurveSlope]],
    residuals: Sequence[Curve],
    weight: Curve,
) -> tuple[ItemCoordinates, ItemMatrices]:
    """Residuals × each jacobian, and weight × JᵀCov[T]J, where natural parameters are many.

    All jacobians of a natural parameter lie in one array (items × free × abilities), so that sums
    over abilities are products of matrices.
    """
    xp, shape = engine.xp, eta[0].shape
    slopes = [
        xp.stack([xp.broadcast_to(part, shape) for part in parts], axis=1)
        for parts in zip(*jacobians, strict=True)
    ]
    images = family.covariance_image(engine, [part[:, None] for part in eta], slopes)
    pairs = zip(slopes, residuals, strict=True)
    gradient = add_up(xp.matvec(slope, own) for slope, own in pairs)
    turned = [(weight[:, None] * own).swapaxes(1, 2) for own in images]
    return gradient, add_up(a @ b for a, b in zip(slopes, turned, strict=True))


def sandwich(
    left: Sequence[CurveSlope], middle: Sequence[Sequence[Curve]], right: Sequence[CurveSlope]
) -> CurveSlope:
    """Vector × matrix × vector."""
    return add_up(
        left[i] * middle[i][j] * right[j] for i in range(len(left)) for j in range(len(right))
    )
