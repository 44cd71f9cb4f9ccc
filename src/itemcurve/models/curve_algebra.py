"""Vectors and matrices over natural parameters whose entries are arrays (items × abilities)."""

from collections.abc import Sequence

from itemcurve.numerics.engine import Array, Engine, add_up


def curve_slopes(directions: Sequence[Sequence[Array]], jacobian: Sequence[Array]) -> list[Array]:
    """(J_1 … J_K, −Σ E[T_k] J_k, …), because ∇A = E[T]."""
    return [
        *jacobian,
        *(add_up(d * j for d, j in zip(slope, jacobian, strict=True)) for slope in directions),
    ]


def residuals_of(sums: Sequence[Array], directions: Sequence[Sequence[Array]]) -> list[Array]:
    """Σ_k sums_k ∂g_k/∂η: what the data ask of each natural parameter."""
    size = len(directions[0])
    residuals = list(sums[:size])
    for weight, slopes in zip(sums[size:], directions, strict=True):
        residuals = [r + weight * s for r, s in zip(residuals, slopes, strict=True)]
    return residuals


def image(vector: Sequence[Array], matrix: Sequence[Sequence[Array]]) -> list[Array]:
    """Vector × matrix, both of arrays."""
    return [
        add_up(v * m for v, m in zip(vector, column, strict=True))
        for column in zip(*matrix, strict=True)
    ]


def projected(
    engine: Engine, vector: Sequence[Array], jacobians: Sequence[Sequence[Array]]
) -> Array:
    """Σ over abilities and natural parameters of vector × each jacobian (items × free)."""
    vecdot = engine.xp.vecdot
    return engine.xp.stack(
        [
            add_up(vecdot(v, j) for v, j in zip(vector, jacobian, strict=True))
            for jacobian in jacobians
        ],
        axis=1,
    )


def sandwich(
    left: Sequence[Array], middle: Sequence[Sequence[Array]], right: Sequence[Array]
) -> Array:
    """Vector × matrix × vector."""
    return add_up(
        left[i] * middle[i][j] * right[j] for i in range(len(left)) for j in range(len(right))
    )
