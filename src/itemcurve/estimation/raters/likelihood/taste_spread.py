"""How much raters' tastes for respondents differ: the spread with the highest marginal likelihood.

Near the present parameters the log-likelihood is quadratic in the tastes v, all else at its best:
b·v − v'Jv/2. With v ~ N(0, σ²) integrated out it is −Σ log(1 + σ²λ)/2 + Σ c²/(λ + 1/σ²)/2, λ the
eigenvalues of J and c the coordinates of b: one curve in σ, looked at from end to end, so that a
spread of zero is found as quickly as any other.
"""

import numpy as np
from numpy.typing import NDArray

from itemcurve.estimation.raters.likelihood.rating_design import Numbers

FLOOR = 0.01
_ALIKE = 1e-3
_FIRST, _PACE = 0.02, 2.0
_GRID = np.exp(np.linspace(np.log(FLOOR), np.log(5.0), 311))


def find_taste_spread(
    gradient: Numbers,
    information: Numbers,
    tastes: Numbers,
    own: NDArray[np.bool_],
    held: Numbers,
    former: float,
) -> float:
    """Give the best spread, from a grid of 2 % steps; its lowest value stands for none.

    Parameters
    ----------
    gradient, information : of all free parameters, without the prior of the tastes.
    tastes : their present values.
    own : which of the free parameters are tastes.
    held : combinations of tastes that are held at zero (combinations × tastes).
    former : the spread so far.
    """
    rest = ~own
    across = information[np.ix_(own, rest)]
    solved = np.linalg.solve(
        information[np.ix_(rest, rest)], np.column_stack([across.T, gradient[rest]])
    )
    reduced = information[np.ix_(own, own)] - across @ solved[:, :-1]
    slope = gradient[own] - across @ solved[:, -1]
    basis = _free_directions(held)
    pull = basis.T @ (slope + reduced @ tastes)
    inside = basis.T @ reduced @ basis
    values, vectors = np.linalg.eigh((inside + inside.T) / 2)
    squares = (vectors.T @ pull) ** 2
    known = values > 1e-8 * max(float(values.max()), 1e-300)
    return best_spread(values[known], squares[known], former)


def _free_directions(held: Numbers) -> Numbers:
    """An orthonormal basis of the directions in which nothing is held."""
    _, values, vectors = np.linalg.svd(held, full_matrices=True)
    rank = int((values > 1e-9 * values.max(initial=0.0)).sum())
    return np.asarray(vectors[rank:].T)


def best_spread(information: Numbers, squares: Numbers, former: float) -> float:
    """Maximise the curve in σ, given λ and c²; a former value as good as the best is kept."""
    variance = _GRID[:, None] ** 2
    curve = squares / (information + 1 / variance) - np.log1p(variance * information)
    found = _top(curve.sum(axis=1))
    # In small steps: with much room at once, tastes would take over before the rest has moved.
    found = float(np.clip(found, max(former, _FIRST) / _PACE, max(former, _FIRST) * _PACE))
    return former if former > 0 and abs(np.log(found / former)) < _ALIKE else max(found, FLOOR)


def _top(curve: Numbers) -> float:
    """Where the curve is highest: between points of the grid, by the parabola through three."""
    best = int(np.argmax(curve))
    if not 0 < best < len(_GRID) - 1:
        return float(_GRID[best])
    before, here, after = curve[best - 1 : best + 2]
    bend = before - 2 * here + after
    shift = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(_GRID[best] * (_GRID[1] / _GRID[0]) ** shift)
