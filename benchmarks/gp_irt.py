"""gp-IRT, rebuilt from its description: anchor items by k-means, IRT for the rest, and a mixture.

Polo et al. 2024, "tinyBenchmarks". A multidimensional 2PL is fitted to the calibration models
(here by penalised maximum likelihood; the authors use variational inference), anchors are the items
nearest to the centres of k-means, weighted by the items of their cluster. p-IRT puts answers where
there are some and expectations elsewhere; gp-IRT mixes it with the anchors' weighted mean, by the
model's bias on models held out and the variance of a mean.
"""

from typing import NamedTuple

import numpy as np

_STEPS, _RATE = 300, 0.05
_PENALTY_ITEMS, _PENALTY_MODELS = 0.1, 0.5


class ItemCurves(NamedTuple):
    """Slopes (items × dimensions) and intercepts (items)."""

    slopes: np.ndarray
    intercepts: np.ndarray

    def expected(self, abilities: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-np.clip(abilities @ self.slopes.T + self.intercepts, -30, 30)))


def fit_curves(answers: np.ndarray, dimensions: int, seed: int = 0) -> ItemCurves:
    """Penalised maximum likelihood by Adam, from the principal components."""
    n, size = answers.shape
    rng = np.random.default_rng(seed)
    mean = np.clip((answers.sum(axis=0) + 0.5) / (n + 1), 0.02, 0.98)
    left, roots, right = np.linalg.svd(answers - mean, full_matrices=False)
    kept = min(dimensions, len(roots))
    abilities = rng.normal(0, 0.01, (n, dimensions))
    abilities[:, :kept] += left[:, :kept] * np.sqrt(n)
    slopes = rng.normal(0, 0.01, (size, dimensions))
    slopes[:, :kept] += right[:kept].T * roots[:kept] / np.sqrt(n) * 4
    parts = [abilities, slopes, np.log(mean / (1 - mean))]
    first = [np.zeros_like(part) for part in parts]
    second = [np.zeros_like(part) for part in parts]
    for step in range(1, _STEPS + 1):
        gap = ItemCurves(parts[1], parts[2]).expected(parts[0]) - answers
        slopes_of = (
            gap @ parts[1] + _PENALTY_MODELS * parts[0],
            gap.T @ parts[0] + _PENALTY_ITEMS * parts[1],
            gap.sum(axis=0) + _PENALTY_ITEMS * parts[2],
        )
        for k, gradient in enumerate(slopes_of):
            first[k] = 0.9 * first[k] + 0.1 * gradient
            second[k] = 0.99 * second[k] + 0.01 * gradient**2
            move = first[k] / (1 - 0.9**step) / (np.sqrt(second[k] / (1 - 0.99**step)) + 1e-8)
            parts[k] = parts[k] - _RATE * move
    return ItemCurves(parts[1], parts[2])


def measure_abilities(curves: ItemCurves, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Abilities of new models from some answers, by Newton's method with the same penalty."""
    slopes, intercepts = curves.slopes[places], curves.intercepts[places]
    size = slopes.shape[1]
    found = np.zeros((len(values), size))
    for row, own in enumerate(values):
        for _ in range(25):
            expected = 1 / (1 + np.exp(-np.clip(slopes @ found[row] + intercepts, -30, 30)))
            gradient = slopes.T @ (expected - own) + _PENALTY_MODELS * found[row]
            weight = expected * (1 - expected)
            curvature = (slopes.T * weight) @ slopes + _PENALTY_MODELS * np.eye(size)
            found[row] -= np.clip(np.linalg.solve(curvature, gradient), -1, 1)
    return found


def find_anchors(
    features: np.ndarray, weights: np.ndarray, count: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Items nearest to the centres of k-means, and the weight of each one's cluster."""
    from sklearn.cluster import KMeans

    fits = [
        KMeans(count, random_state=seed + k, n_init=1, max_iter=100).fit(
            features, sample_weight=weights
        )
        for k in range(2)
    ]
    best = min(fits, key=lambda fit: fit.inertia_)
    places = np.array(
        [int(np.argmin(((features - c) ** 2).sum(axis=1))) for c in best.cluster_centers_]
    )
    share = np.bincount(best.labels_, weights=weights, minlength=count)
    return places, share / share.sum()


def predict_gp_irt(
    known: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray,
    places: np.ndarray,
    shares: np.ndarray,
    curves: ItemCurves,
    bias: float,
) -> np.ndarray:
    """Mix p-IRT with the anchors' mean by λ = b² / (b² + v / 4n)."""
    direct = values @ shares
    model = predict_p_irt(curves, weights, places, values)
    variance = float(known.var(axis=1).mean()) / (4 * len(places))
    share = bias**2 / (bias**2 + variance)
    return share * direct + (1 - share) * model


def predict_p_irt(
    curves: ItemCurves, weights: np.ndarray, places: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Answers where there are some, expectations elsewhere."""
    expected = curves.expected(measure_abilities(curves, places, values))
    expected[:, places] = values
    return expected @ weights


def estimate_bias(
    known: np.ndarray, weights: np.ndarray, count: int, dimensions: int, seed: int
) -> float:
    """Mean error of p-IRT on a fifth of the calibration models, fitted without them."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(known))
    held, kept = order[: max(len(order) // 5, 2)], order[max(len(order) // 5, 2) :]
    curves = fit_curves(known[kept], dimensions, seed)
    places = rng.choice(known.shape[1], count, replace=False)
    found = predict_p_irt(curves, weights, places, known[held][:, places])
    return float(np.abs(found - known[held] @ weights).mean())
